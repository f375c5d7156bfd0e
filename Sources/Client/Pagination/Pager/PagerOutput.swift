import ApusClientAPI
import ApusJSON

/// A paging direction.
public enum PagingDirection: Sendable, Hashable {
  /// Toward the end of the list (`next`) or its beginning (`previous`).
  case next, previous
}

/// The progress of `loadAll`.
public struct PagerProgress: Sendable, Hashable {
  /// The number of loaded pages.
  public let pages: Int
  /// The time since the start of `loadAll`.
  public let elapsed: Duration

  /// The number of pages per second; 0 if no time has passed.
  public var pagesPerSecond: Double {
    let seconds = elapsed / .seconds(1)
    return seconds > 0 ? Double(pages) / seconds : 0
  }
}

/// The state of a pager.
public struct PagerOutput<InitialQuery: QueryOperation, PaginatedQuery: QueryOperation>: Sendable {
  /// Pages before the initial page, in list order.
  public internal(set) var previousPages = PageList<Page<PaginatedQuery>>(isReversed: true)
  /// The initial page.
  public internal(set) var initialPage: Page<InitialQuery>?
  /// Pages after the initial page, in list order.
  public internal(set) var nextPages = PageList<Page<PaginatedQuery>>()
  /// Variables of the page that was updated last.
  public internal(set) var lastUpdated: JSONValue?
  /// Whether there is a next page.
  public internal(set) var canLoadNext = false
  /// Whether there is a previous page.
  public internal(set) var canLoadPrevious = false
  /// Whether a load is in progress.
  public internal(set) var isLoading = false
  /// The progress of `loadAll`; `nil` if it is not running.
  public internal(set) var progress: PagerProgress?
  /// The reason why there is no next page; `nil` if there is one, or before the initial page is loaded.
  public internal(set) var end: PagingStopReason?
  /// The reason why there is no previous page; `nil` if there is one, before the initial page is loaded, or if the
  /// strategy does not load previous pages.
  public internal(set) var start: PagingStopReason?
  /// The error of the last load; `nil` if it succeeded or another load has started.
  public internal(set) var failure: PagerError?

  init() {}

  /// The number of loaded pages.
  public var pageCount: Int { previousPages.count + (initialPage == nil ? 0 : 1) + nextPages.count }

  /// Errors of all pages, in list order.
  public var errors: [GraphQLError] {
    previousPages.flatMap(\.errors) + (initialPage?.errors ?? []) + nextPages.flatMap(\.errors)
  }

  /// Returns the transformed data of all pages, in list order. Pages without data are skipped.
  ///
  /// - Parameters:
  ///   - first: Transforms the data of the initial page.
  ///   - other: Transforms the data of another page.
  /// - Throws: The error of `first` or `other`.
  public func map<Result>(
    first: (InitialQuery.Data) throws -> Result, other: (PaginatedQuery.Data) throws -> Result
  ) rethrows -> [Result] {
    var results: [Result] = []
    results.reserveCapacity(pageCount)
    for page in previousPages { if let data = page.data { results.append(try other(data)) } }
    if let data = initialPage?.data { results.append(try first(data)) }
    for page in nextPages { if let data = page.data { results.append(try other(data)) } }
    return results
  }
}

extension PagerOutput where InitialQuery == PaginatedQuery {
  /// All pages, in list order.
  public var pages: [Page<InitialQuery>] { Array(previousPages) + [initialPage].compactMap { $0 } + Array(nextPages) }

  /// Returns the page whose query has these variables.
  public func page(with variables: JSONValue) -> Page<InitialQuery>? { pages.first { $0.variables == variables } }
}
