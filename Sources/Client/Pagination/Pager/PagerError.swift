import ApusClientAPI

/// Why paging stops.
public enum PagingEnd: Sendable, Hashable {
  /// The server says that there is no more, or an offset list came short.
  case lastPage
  /// It says that there is more, and gives no cursor to go on from.
  case emptyCursor
  /// The cursor leads to a page that was loaded before.
  case repeatedCursor
  /// The result says nothing about pages where it should.
  case noPageInfo
  /// One empty page came after the other, each with a cursor to the next.
  case emptyPages
  /// As many pages were loaded as were asked for.
  case pageLimit

  /// One line for a person.
  public var explanation: String {
    switch self {
    case .lastPage: "this is the last page"
    case .emptyCursor: "the server says that there are more pages, but gives no cursor"
    case .repeatedCursor: "the server's cursor leads back to a page that was loaded already"
    case .noPageInfo: "the result has no pageInfo with hasNextPage and endCursor"
    case .emptyPages: "the server gives one empty page after the other, each with a new cursor"
    case .pageLimit: "the page limit is reached"
    }
  }
}

/// Why a pager did not load.
public enum PagerError: Error, Sendable, CustomStringConvertible {
  /// The first page was not loaded yet.
  case missingFirstPage
  /// There is no further page that way, and why.
  case noMoreContent(PagingEnd)
  /// Another load is under way; a pager makes one at a time.
  case loadInProgress
  /// The strategy has no query for this direction.
  case noQuery
  /// The load was ended: by `cancel`, `reset`, the end of the task, or because nobody held the pager any more.
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

  /// What a thrown error is to those who page.
  init(_ error: any Error, isCancelled: Bool) {
    if let error = error as? PagerError {
      self = error
    } else {
      self = isCancelled || error is CancellationError ? .cancelled : .failed(error)
    }
  }
}
