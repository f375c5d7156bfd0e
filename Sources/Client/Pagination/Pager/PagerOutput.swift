import ApusClientAPI
import ApusJSON

/// Which way a page lies from those that are there.
public enum PagingDirection: Sendable, Hashable {
  /// Behind the last page, or before the first.
  case next, previous
}

/// How far `loadAll` has come.
public struct PagerProgress: Sendable, Hashable {
  /// How many pages there are.
  public let pages: Int
  /// The time since `loadAll` was called.
  public let elapsed: Duration

  /// Pages in a second; 0 before any time has passed.
  public var pagesPerSecond: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(pages) / seconds : 0
  }
}

/// Everything a pager holds, in reading order, at one moment.
public struct PagerOutput<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// The pages before the first one, the earliest first.
  public internal(set) var previousPages = PageList<Page<PaginatedQuery>>(isReversed: true)
  /// The page that paging began with.
  public internal(set) var firstPage: Page<InitialQuery>?
  /// The pages behind the first one, the earliest first.
  public internal(set) var nextPages = PageList<Page<PaginatedQuery>>()
  /// The variables of the page that was updated last.
  public internal(set) var lastUpdated: JSONValue?
  /// Whether there is a next page.
  public internal(set) var canLoadNext = false
  /// Whether there is a previous page.
  public internal(set) var canLoadPrevious = false
  /// Whether a load is under way.
  public internal(set) var isLoading = false
  /// How far `loadAll` has come, while it runs.
  public internal(set) var progress: PagerProgress?
  /// Why there is no next page; `nil` while there is one, or before the first.
  public internal(set) var end: PagingEnd?
  /// Why there is no previous page; `nil` while there is one, before the first, or where nothing leads back.
  public internal(set) var start: PagingEnd?
  /// Why the last load did not end well; the next one clears it.
  public internal(set) var failure: PagerError?

  init() {}

  /// How many pages there are.
  public var pageCount: Int { previousPages.count + (firstPage == nil ? 0 : 1) + nextPages.count }

  /// The errors of all pages, in reading order.
  public var errors: [GraphQLError] {
    previousPages.flatMap(\.errors) + (firstPage?.errors ?? []) + nextPages.flatMap(\.errors)
  }

  /// The data of all pages in reading order, each through the transform of its kind.
  ///
  /// - Throws: What `first` or `other` throws.
  public func map<Result>(
    first: (InitialQuery.Data) throws -> Result, other: (PaginatedQuery.Data) throws -> Result
  ) rethrows -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(pageCount)
    for page in previousPages { if let data = page.data { results.append(try other(data)) } }
    if let data = firstPage?.data { results.append(try first(data)) }
    for page in nextPages { if let data = page.data { results.append(try other(data)) } }
    return results
  }
}

extension PagerOutput where InitialQuery == PaginatedQuery {
  /// All pages in reading order.
  public var pages: [Page<InitialQuery>] { Array(previousPages) + [firstPage].compactMap { $0 } + Array(nextPages) }

  /// The page that was asked for with these variables.
  public func page(with variables: JSONValue) -> Page<InitialQuery>? { pages.first { $0.variables == variables } }
}
