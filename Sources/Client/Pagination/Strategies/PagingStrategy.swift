import ApusClientAPI
import ApusJSON

/// A strategy that determines the next and previous pages of a pager, as two functions. A new kind of paging needs only
/// these:
///
///     PagingStrategy(next: { edge in
///       guard let token = edge.page.data?.continuation else { return .end(.lastPage) }
///       return .page(EventsQuery(continuation: token))
///     })
public struct PagingStrategy<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// The page at one end of the pager.
  public typealias Edge = BoundaryPage<InitialQuery, PaginatedQuery>

  /// The step from a page to the next or previous one.
  public enum Step: Sendable {
    /// There is another page, which this query requests.
    case page(PaginatedQuery)
    /// There is no further page, for this reason.
    case end(PagingStopReason)
    /// There may be another page, but the strategy has no query for it.
    case noQuery
  }

  /// Returns the step from the last page to the next one; `nil` if next pages cannot be loaded.
  public let next: (@Sendable (_ edge: Edge) -> Step)?
  /// Returns the step from the first page to the previous one; `nil` if previous pages cannot be loaded.
  public let previous: (@Sendable (_ edge: Edge) -> Step)?
  /// The maximum number of consecutive empty pages, after which a pager stops.
  public var emptyPageLimit = 20
  /// Whether a page that has only items of earlier pages is the end of the list, as for offsets and page numbers: a server
  /// that ignores these arguments sends the same items for ever.
  private(set) var endsAtRepeatedItems = false

  /// Creates a strategy. `nil` means that the direction is not supported.
  public init(
    next: (@Sendable (_ edge: Edge) -> Step)? = nil, previous: (@Sendable (_ edge: Edge) -> Step)? = nil
  ) {
    self.next = next
    self.previous = previous
  }

  /// Returns the strategy with a page of repeated items as an end of the list.
  func endingAtRepeatedItems() -> PagingStrategy {
    var strategy = self
    strategy.endsAtRepeatedItems = true
    return strategy
  }

  /// Returns the step from a page. If the operation selects a pageable list that the result does not have, the page counts
  /// as empty and is the last one.
  func nextStep(_ direction: PagingDirection, from edge: Edge) -> Step? {
    let step =
      switch direction {
      case .next: next?(edge)
      case .previous: previous?(edge)
      }
    if case .end(.noPageInfo)? = step, edge.lacksList { return .end(.lastPage) }
    return step
  }
}

extension PagingStrategy.Step {
  init(_ query: PaginatedQuery?) { self = query.map { .page($0) } ?? .noQuery }
}
