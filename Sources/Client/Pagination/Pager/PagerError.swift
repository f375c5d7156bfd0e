import ApusClientAPI

/// The reason why paging stopped.
public enum PagingStopReason: Sendable, Hashable {
  /// The server reported that there are no more pages, or a page of an offset list was empty or reached the total.
  case lastPage
  /// A page of a numbered list has fewer items than requested. There may be more, if the server limits the page size.
  case shortPage
  /// A page of an offset or numbered list has only items of earlier pages. The server may ignore the argument.
  case repeatedItems
  /// The server reported another page, but no cursor for it.
  case emptyCursor
  /// The cursor leads to a page that was already loaded.
  case repeatedCursor
  /// The result has no page info.
  case noPageInfo
  /// Too many consecutive pages were empty, each with a cursor for another page.
  case emptyPages
  /// The requested number of pages was loaded.
  case pageLimit

  /// Whether paging stopped at the end of the list or at the limit of the caller.
  package var isOrderly: Bool {
    switch self {
    case .lastPage, .pageLimit: true
    case .shortPage, .repeatedItems, .emptyCursor, .repeatedCursor, .noPageInfo, .emptyPages: false
    }
  }

  /// A one-line explanation for the user.
  public var explanation: String {
    switch self {
    case .lastPage: "this is the last page"
    case .shortPage: "the page has fewer items than requested; there may be more if the server limits the page size"
    case .repeatedItems: "the server repeated items; it may ignore the page argument"
    case .emptyCursor: "the server reported more pages, but no cursor"
    case .repeatedCursor: "the server repeated its cursor"
    case .noPageInfo: "the result has no pageInfo with hasNextPage and endCursor"
    case .emptyPages: "the server sent too many consecutive empty pages, each with a new cursor"
    case .pageLimit: "the page limit was reached"
    }
  }
}

extension PagerOutput {
  /// The reason why the list may be incomplete although no more pages can be loaded; `nil` if it is complete, or if more
  /// can be loaded.
  package var shortfall: PagingStopReason? {
    // A list is read in one direction, so that missing page info of the other one means nothing.
    let ends = [(end, nextPages.count), (start, previousPages.count)]
    return ends.compactMap { reason, pageCount in
      reason.flatMap { $0.isOrderly || $0 == .noPageInfo && pageCount == 0 ? nil : $0 }
    }.first
  }
}

/// An error of a pager.
public enum PagerError: Error, Sendable, CustomStringConvertible {
  /// The initial page has not been loaded.
  case missingInitialPage
  /// There is no further page in this direction, with the reason.
  case noMoreContent(PagingStopReason)
  /// Another load is in progress. A pager executes one load at a time.
  case loadInProgress
  /// The strategy has no query for this direction.
  case noQuery
  /// The load was canceled by `cancel`, `reset`, cancellation of the task, or release of the pager.
  case cancelled
  /// The page has no data. The errors are those of its result.
  case noData([GraphQLError])
  /// The request failed.
  case failed(any Error)

  public var description: String {
    switch self {
    case .missingInitialPage: "the initial page has not been loaded; fetch it first"
    case .noMoreContent(let end): end.explanation
    case .loadInProgress: "another page is already being loaded"
    case .noQuery: "this pager has no query for this direction"
    case .cancelled: "loading was canceled"
    case .noData(let errors): errors.first.map { "the page has no data: \($0)" } ?? "the page has no data"
    case .failed(let error): "cannot load the page: \(error)"
    }
  }

  /// Converts an error of a load.
  init(_ error: any Error, isCancelled: Bool) {
    if let error = error as? PagerError {
      self = error
    } else {
      self = isCancelled || error is CancellationError ? .cancelled : .failed(error)
    }
  }
}
