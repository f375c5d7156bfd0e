import ClientAPI
import ClientOperation
import JSON

/// What a pager asks for: an operation and its variables.
public struct PageRequest: Sendable, Hashable {
  public let operation: CompiledOperation
  public let variables: JSONValue

  public init(operation: CompiledOperation, variables: JSONValue = .object([])) {
    self.operation = operation
    self.variables = variables
  }

  /// Two requests are the same when they would send the same.
  public static func == (left: PageRequest, right: PageRequest) -> Bool {
    left.variables == right.variables
      && (left.operation === right.operation || left.operation.documentText == right.operation.documentText)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(operation.documentText)
    hasher.combine(variables)
  }
}

/// One page that was asked for and what came.
public struct Page: Sendable {
  public let request: PageRequest
  /// The newest result: more may come while fragments are deferred.
  public let result: GraphQLResult<JSONValue>

  public init(request: PageRequest, result: GraphQLResult<JSONValue>) {
    self.request = request
    self.result = result
  }

  /// What a page counts by: pages are told apart by their variables.
  public var variables: JSONValue { request.variables }
}

/// Sends a page's request: the pager needs no more of a client than this. The stream ends when the request is fulfilled.
public typealias PageFetch =
  @Sendable (CompiledOperation, JSONValue) async throws -> AsyncThrowingStream<GraphQLResult<JSONValue>, any Error>

/// Everything a pager holds, in reading order.
public struct PagerOutput: Sendable {
  /// The pages before the first one, the earliest first.
  public var previousPages: [Page] = []
  /// The page that paging began with.
  public var firstPage: Page?
  public var nextPages: [Page] = []
  /// The variables of the page that was updated last.
  public var lastUpdated: JSONValue?
  public var canLoadNext = false
  public var canLoadPrevious = false
  public var isLoading = false
  /// Why there is no next page; `nil` while there is one, or before the first.
  public var end: PagingEnd?

  public init() {}

  /// All pages in reading order.
  public var pages: [Page] { previousPages + [firstPage].compactMap { $0 } + nextPages }

  /// The errors of all pages, in reading order.
  public var errors: [GraphQLError] { pages.flatMap(\.result.errors) }
}

/// Why paging stops.
public enum PagingEnd: Sendable, Hashable {
  /// The server says that there is no more.
  case lastPage
  /// It says that there is more, and gives no cursor to go on from.
  case emptyCursor
  /// The cursor leads to a page that was loaded before.
  case repeatedCursor
  /// The result says nothing about pages where it should.
  case noPageInfo
  /// As many pages were loaded as were asked for.
  case pageLimit

  /// One line for a person.
  public var explanation: String {
    switch self {
    case .lastPage: "this is the last page"
    case .emptyCursor: "the server says that there are more pages, but gives no cursor"
    case .repeatedCursor: "the server's cursor leads back to a page that was loaded already"
    case .noPageInfo: "the result has no pageInfo with hasNextPage and endCursor"
    case .pageLimit: "the page limit is reached"
    }
  }
}

/// Why a pager did not load.
public enum PagerError: Error, Sendable, CustomStringConvertible {
  /// The first page was not loaded yet.
  case missingFirstPage
  case noMoreContent(PagingEnd)
  /// Another load is under way; a pager makes one at a time.
  case loadInProgress
  /// The strategy has no request for this direction.
  case noQuery
  case cancelled
  /// The page came without data.
  case noData([GraphQLError])
  /// The fetch failed.
  case failed(any Error)

  public var description: String {
    switch self {
    case .missingFirstPage: "the first page is not loaded yet; fetch it first"
    case .noMoreContent(let end): end.explanation
    case .loadInProgress: "a page is being loaded already"
    case .noQuery: "this pager has no query for that direction"
    case .cancelled: "loading was cancelled"
    case .noData(let errors): errors.first.map { "the page has no data: \($0)" } ?? "the page has no data"
    case .failed(let error): "the page could not be loaded: \(error)"
    }
  }
}
