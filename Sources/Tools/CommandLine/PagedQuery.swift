import ApusClientAPI
import ApusClientCore
import ApusClientFormats
import ApusClientPagination
import ApusClientRequestChain
import ApusExplorerTerminal
import ApusJSON

/// `apus query --all-pages`: runs a query, finds a list with more pages in its result, and loads them all.
///
/// The `ndjson` format prints each page when it arrives; the other formats print one result with all pages merged.
struct PagedQuery {
  let client: GraphQLClient
  let operation: DynamicOperation
  let options: RequestOptions
  let pageLimit: Int?

  private var pageCount = 0
  private var itemCount = 0
  private var progress = PagingProgress()
  /// The failure of the first page that violated the protocol in some entries only.
  private var violation: (any Error)?

  init(client: GraphQLClient, operation: DynamicOperation, options: RequestOptions, pageLimit: Int?) {
    self.client = client
    self.operation = operation
    self.options = options
    self.pageLimit = pageLimit
  }

  /// Loads and prints the pages, including those that arrived before a failure.
  mutating func run(_ printing: inout ResultPrinter.Printing) async throws {
    var first: GraphQLResult<JSONValue>?
    var failure: (any Error)?
    do {
      for try await result in client.fetch(query: operation, options: options) { first = result }
    } catch {
      failure = error
    }
    try Task.checkCancellation()
    guard let first else { throw failure ?? CancellationError() }
    let lists = first.data.map {
      PageableListFinder.lists(in: $0, operation: operation.compiled, variables: operation.variables)
    }
    let list = lists?.first(where: \.canContinue) ?? lists?.first
    printing.list = list
    guard await printing.receive(page: first, merged: first) else { return }
    if let list { Self.report(rest: lists?.filter { $0.canContinue && $0.path != list.path } ?? [], than: list) }
    if let failure {
      guard first.completeness == .complete, Self.isOfEntries(failure) else { throw failure }
      violation = failure
    }
    try await loadOthers(after: first, of: list, &printing)
    if let violation { throw violation }
  }

  /// Reports the lists of the result whose other pages are not loaded.
  private static func report(rest lists: [PageableList], than list: PageableList) {
    guard let first = lists.first else { return }
    let others = lists.count == 1 ? "'\(first.path)' has" : "'\(first.path)' and \(lists.count - 1) more lists have"
    StandardStreams.narrate("apus: only the pages of '\(list.path)' are loaded; \(others) more pages")
  }

  /// Whether the failure is a protocol violation, which may affect only some entries of a complete response.
  private static func isOfEntries(_ failure: any Error) -> Bool {
    if case .protocolViolation? = failure as? GraphQLClientError { true } else { false }
  }

  private mutating func loadOthers(
    after first: GraphQLResult<JSONValue>, of list: PageableList?, _ printing: inout ResultPrinter.Printing
  ) async throws {
    // The server's errors explain the missing list.
    if list == nil, !first.errors.isEmpty { return }
    (pageCount, itemCount) = (1, list?.itemCount ?? 0)
    defer { progress.end(pageCount, itemCount) }
    guard let list else {
      let data = first.data ?? .null
      if PageableListFinder.areAbsent(in: data, operation: operation.compiled, variables: operation.variables) {
        return
      }
      throw Self.failure(.noPageInfo, errors: [])
    }
    try await loadOtherPages(after: first, of: list, &printing)
  }

  /// Loads the pages after the first one in the direction of the list, and merges them in the order of the server.
  private mutating func loadOtherPages(
    after first: GraphQLResult<JSONValue>, of list: PageableList, _ printing: inout ResultPrinter.Printing
  ) async throws {
    let pager = DynamicQueryPager.Actor(
      source: client, startingWith: Page(query: operation, result: first), strategy: list.strategy, options: options)
    var merged = first
    var keys = ItemKeys(of: list, in: first.data ?? .null)
    while await pager.current.canLoad(list.direction) {
      progress.report(pageCount, itemCount)
      if let pageLimit, pageCount >= pageLimit { return progress.remember(.pageLimit) }
      try await load(list.direction, pager, &merged, &printing)
      let output = await pager.current
      // A page of repeated items ends the list and is not among the pages.
      guard output.pageCount > pageCount, let page = output.outermostPage(list.direction), let data = page.data,
        let shown = merged.data
      else { break }
      let mergedPage = list.merging(data, into: shown, list.direction, keys: &keys)
      merged = GraphQLResult(
        data: mergedPage.data, errors: mergedPage.errors(merged.errors, and: page.errors),
        extensions: page.result.extensions ?? merged.extensions)
      itemCount = merged.data?.value(at: list.listPaths[0])?.count ?? 0
      let result = page.result.as(part: pageCount)
      pageCount += 1
      guard await printing.receive(page: result, merged: merged) else { return }
    }
    guard let end = await pager.current.end(list.direction) else { return }
    switch end {
    case .lastPage, .shortPage, .repeatedItems, .pageLimit: progress.remember(end)
    case .emptyCursor, .repeatedCursor, .emptyPages, .noPageInfo: throw Self.failure(end, errors: merged.errors)
    }
  }

  /// Loads one page. A violation of the protocol that affects only some entries of the page is reported at the end.
  private mutating func load(
    _ direction: PagingDirection, _ pager: DynamicQueryPager.Actor, _ merged: inout GraphQLResult<JSONValue>,
    _ printing: inout ResultPrinter.Printing
  ) async throws {
    do throws(PagerError) {
      switch direction {
      case .next: try await pager.loadNext(cachePolicy: options.cachePolicy)
      case .previous: try await pager.loadPrevious(cachePolicy: options.cachePolicy)
      }
    } catch {
      let output = await pager.current
      let pageArrived =
        output.pageCount > pageCount && output.outermostPage(direction)?.result.completeness == .complete
      guard case .failed(let failure) = error, pageArrived, Self.isOfEntries(failure) else {
        try await end(after: error, &merged, &printing)
      }
      violation = violation ?? failure
    }
  }

  /// Throws the error that ended paging. If the server returned errors without data, they become part of the result.
  private func end(
    after failure: PagerError, _ merged: inout GraphQLResult<JSONValue>, _ printing: inout ResultPrinter.Printing
  ) async throws -> Never {
    guard case .noData(let errors) = failure, !errors.isEmpty else { throw failure.cause }
    merged.errors += errors
    _ = await printing.receive(page: GraphQLResult(data: nil, errors: errors, payloadIndex: pageCount), merged: merged)
    throw CommandError(
      exitCode: .resultErrors, message: "\(failure): not all pages were loaded (the loaded ones are printed)")
  }

  /// Returns the failure for a list that may be incomplete, so that it is not mistaken for a complete one.
  private static func failure(_ end: PagingStopReason, errors: [GraphQLError]) -> CommandError {
    // The server's errors explain missing page info.
    let isReported = end == .noPageInfo && !errors.isEmpty
    return CommandError(
      exitCode: isReported ? .resultErrors : .protocolError,
      message: "\(end.explanation): not all pages were loaded (the loaded ones are printed)")
  }
}

extension PagerOutput where InitialQuery == PaginatedQuery {
  fileprivate func canLoad(_ direction: PagingDirection) -> Bool {
    direction == .next ? canLoadNext : canLoadPrevious
  }

  fileprivate func end(_ direction: PagingDirection) -> PagingStopReason? { direction == .next ? end : start }

  /// The page that was loaded last in a direction, with the items that an earlier page has.
  fileprivate func outermostPage(_ direction: PagingDirection) -> Page<InitialQuery>? {
    (direction == .next ? nextPages.last : previousPages.first)?.loaded
  }
}

extension PagerError {
  /// The error to report, which decides the exit code.
  fileprivate var cause: any Error {
    switch self {
    case .failed(let error): error
    case .cancelled: CancellationError()
    case .missingInitialPage, .noMoreContent, .loadInProgress, .noQuery, .noData: self
    }
  }
}

extension GraphQLResult {
  /// Returns the result with another part number.
  fileprivate func `as`(part: Int) -> GraphQLResult {
    GraphQLResult(
      data: data, errors: errors, extensions: extensions, source: source, completeness: completeness,
      fragments: fragments,
      changedKeys: changedKeys, payloadIndex: part, elapsed: elapsed, byteCount: byteCount, changedPaths: changedPaths)
  }
}

/// The progress of paging on standard error: updated in place on a terminal, else printed once at the end.
private struct PagingProgress: Sendable {
  private let start = ContinuousClock.now
  private var end: PagingStopReason?

  /// Stores why there are no more pages, for the message at the end.
  mutating func remember(_ end: PagingStopReason) { self.end = end }

  func report(_ pages: Int, _ items: Int) {
    if StandardStreams.errorIsTerminal { StandardStreams.narrate(progress: line(pages, items), isLast: false) }
  }

  func end(_ pages: Int, _ items: Int) {
    if StandardStreams.errorIsTerminal {
      StandardStreams.narrate(progress: line(pages, items), isLast: true)
    } else {
      StandardStreams.narrate(line(pages, items))
    }
    if let end, end != .lastPage { StandardStreams.narrate("apus: \(end.explanation)") }
  }

  private func line(_ pages: Int, _ items: Int) -> String {
    let seconds = start.duration(to: .now) / .seconds(1)
    let tenths = seconds > 0 ? Int(Double(pages) / seconds * 10) : 0
    let words = "\(pages) \(pages == 1 ? "page" : "pages"), \(items) \(items == 1 ? "item" : "items")"
    return "apus: \(words), \(tenths / 10).\(tenths % 10) pages/s"
  }
}
