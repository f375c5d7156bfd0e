import ApusClientAPI
import ApusJSON

/// How a pager gets from one page to the next: a value of two functions, so that a new kind of paging is a few lines.
///
///     PagingStrategy(next: { edge in
///       guard let token = edge.page.data?.continuation else { return .end(.lastPage) }
///       return .page(EventsQuery(continuation: token))
///     })
public struct PagingStrategy<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// The page at one end of the pager.
  public typealias Edge = EdgePage<InitialQuery, PaginatedQuery>

  /// What comes after (or before) a page.
  public enum Step: Sendable {
    /// Another page, and what to ask for it with.
    case page(PaginatedQuery)
    /// There is no further page, and why.
    case end(PagingEnd)
    /// There would be a page, and nothing to ask for it with.
    case noQuery
  }

  /// From the last page forward; `nil` where there is no way forward.
  public let next: (@Sendable (_ edge: Edge) -> Step)?
  /// From the earliest page backward; `nil` where there is no way back.
  public let previous: (@Sendable (_ edge: Edge) -> Step)?
  /// After so many empty pages in a row a pager stops, however many more the server promises.
  public var emptyPageLimit = 20

  /// A strategy from its two ways; `nil` is no way.
  public init(
    next: (@Sendable (_ edge: Edge) -> Step)? = nil, previous: (@Sendable (_ edge: Edge) -> Step)? = nil
  ) {
    self.next = next
    self.previous = previous
  }

  /// The step from a page. One whose operation says where the list is, and whose result has none, is an empty page: the last.
  func step(_ direction: PagingDirection, from edge: Edge) -> Step? {
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
