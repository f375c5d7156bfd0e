import ApusClientAPI
import ApusClientRequestChain

/// A call of a pager.
enum PagerCall: Sendable {
  case first(CachePolicy)
  case side(PagingDirection, CachePolicy)
  case all(
    fetchFromInitialPage: Bool, CachePolicy, pageLimit: Int?, progress: (@Sendable (PagerProgress) -> Void)?)
}
