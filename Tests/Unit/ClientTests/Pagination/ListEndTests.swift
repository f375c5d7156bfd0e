import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON
import Synchronization
import Testing

@testable import ApusClientPagination

/// The end of a list, for each kind of paging and each way in which servers deviate: all lists with 0 to 6 items in pages of
/// 1 to 4, compared with the list itself. `Docs/Explanation/Paging.md` has the table.
@Suite(.timeLimit(.minutes(1))) struct ListEndTests {
  /// A list on a server.
  struct ServedList: CustomStringConvertible, Sendable {
    var count: Int
    var pageSize: Int
    /// The maximum number of items per page, whatever the client requests.
    var limit: Int?
    var hasTotal = false
    var hasKeys = true

    var description: String {
      "\(count) items, \(pageSize) per page, limit \(limit.map(String.init) ?? "none")\(hasTotal ? ", with total" : "")"
        + (hasKeys ? "" : ", without keys")
    }

    var items: [JSONValue] { (0..<count).map { .object([(hasKeys ? "id" : "n", JSONValue(String($0)))]) } }

    var selection: String { "{ \(hasTotal ? "totalCount " : "")items { \(hasKeys ? "id" : "n") } }" }

    /// Returns the response with the items of a range.
    func page(from start: Int, size: Int? = nil) -> JSONValue {
      let start = min(start, count)
      let end = min(count, start + min(size ?? pageSize, limit ?? .max))
      let total = hasTotal ? [("totalCount", JSONValue(count))] : []
      return .object([("list", .object(total + [("items", .array(Array(items[start..<end])))]))])
    }

    static let all: [ServedList] = (0...6).flatMap { count in
      (1...4).flatMap { size in
        [nil, 1, 2, 3].flatMap { (limit: Int?) in
          [false, true].flatMap { hasTotal in
            [false, true].map {
              ServedList(count: count, pageSize: size, limit: limit, hasTotal: hasTotal, hasKeys: $0)
            }
          }
        }
      }
    }
  }

  /// The items that were loaded, why loading ended, and the number of requests.
  struct Loaded {
    var items: [JSONValue]
    var end: PagingStopReason?
    var requestCount: Int
  }

  /// Loads all pages in the direction of the list, as `apus query --all-pages` does, and merges them.
  private func load(
    _ text: String, _ variables: JSONValue, _ respond: @escaping @Sendable (JSONValue) -> JSONValue
  ) async throws -> Loaded {
    let source = ScriptedPages(respond: respond)
    let operation = DynamicOperation(compiled: try compiled(text), variables: variables)
    var data = respond(variables)
    let list = try #require(
      PageableListFinder.lists(in: data, operation: operation.compiled, variables: variables).first)
    let pager = DynamicQueryPager.Actor(
      source: source, startingWith: Page(query: operation, result: GraphQLResult(data: data)), strategy: list.strategy)
    var keys = ItemKeys(of: list, in: data)
    var count = 1
    while await list.direction == .next ? pager.canLoadNext : pager.canLoadPrevious, count < 40 {
      try await list.direction == .next ? pager.loadNext() : pager.loadPrevious()
      let output = await pager.current
      guard output.pageCount > count else { break }
      count = output.pageCount
      let page = list.direction == .next ? output.nextPages.last : output.previousPages.first
      data = list.merging(try #require(page?.data), into: data, list.direction, keys: &keys).data
    }
    let output = await pager.current
    let items = data.value(at: list.listPaths[0])?.elements.map { $0["node"] ?? $0 } ?? []
    return Loaded(
      items: items, end: list.direction == .next ? output.end : output.start, requestCount: source.requestCount)
  }

  // MARK: Offsets and page numbers

  @Test(arguments: ServedList.all)
  func `an offset list is loaded to its end, also if the server limits the page size`(_ list: ServedList) async throws {
    let loaded = try await load(
      "query ($o: Int, $l: Int) { list(offset: $o, limit: $l) \(list.selection) }",
      ["o": 0, "l": JSONValue(list.pageSize)]
    ) { list.page(from: $0["o"]?.int ?? 0, size: $0["l"]?.int) }
    #expect(loaded.items == list.items)
    #expect(loaded.end == .lastPage)
  }

  @Test(arguments: ServedList.all.filter { $0.count > 0 })
  func `the pages before a page of an offset list leave no gap`(_ list: ServedList) async throws {
    let text = "query ($o: Int, $l: Int) { list(offset: $o, limit: $l) \(list.selection) }"
    let source = ScriptedPages { list.page(from: $0["o"]?.int ?? 0, size: $0["l"]?.int) }
    let variables: JSONValue = ["o": JSONValue(list.count - 1), "l": JSONValue(list.pageSize)]
    let operation = DynamicOperation(compiled: try compiled(text), variables: variables)
    let data = source.respond(variables)
    let found = try #require(
      PageableListFinder.lists(in: data, operation: operation.compiled, variables: variables).first)
    let pager = DynamicQueryPager.Actor(
      source: source, startingWith: Page(query: operation, result: GraphQLResult(data: data)), strategy: found.strategy)
    while await pager.canLoadPrevious { try await pager.loadPrevious() }
    let pages = await pager.current.previousPages.map(\.data) + [data]
    #expect(pages.flatMap { $0?.value(at: ["list", "items"])?.elements.map { $0 } ?? [] } == list.items)
  }

  @Test(arguments: ServedList.all)
  func `a numbered list is loaded to its end, or to a short page without a total`(_ list: ServedList) async throws {
    let loaded = try await load(
      "query ($p: Int, $l: Int) { list(page: $p, perPage: $l) \(list.selection) }",
      ["p": 1, "l": JSONValue(list.pageSize)]
    ) { list.page(from: (($0["p"]?.int ?? 1) - 1) * min(list.pageSize, list.limit ?? .max)) }
    let isLimited = list.limit.map { $0 < list.pageSize && $0 < list.count } ?? false
    guard isLimited, !list.hasTotal else {
      #expect(loaded.items == list.items)
      let isShort = !list.hasTotal && list.count % list.pageSize != 0
      #expect(loaded.end == (isShort ? .shortPage : .lastPage))
      return
    }
    #expect(loaded.end == .shortPage)
    #expect(loaded.items == Array(list.items.prefix(list.limit ?? 0)))
  }

  @Test(
    arguments: ServedList.all.filter { !$0.hasTotal && $0.limit == nil && $0.count > 0 },
    ["offset: $o, limit: 9", "page: $o"])
  func `a server that ignores the argument ends the list with a note`(
    _ list: ServedList, _ arguments: String
  ) async throws {
    // With page numbers, the page size is unknown.
    let loaded = try await load("query ($o: Int) { list(\(arguments)) \(list.selection) }", ["o": 1]) { _ in
      list.page(from: 0)
    }
    #expect(loaded.items == Array(list.items.prefix(list.pageSize)))
    #expect(loaded.end == .repeatedItems)
    #expect(loaded.requestCount == 1)
  }

  @Test(arguments: ServedList.all.filter { !$0.hasTotal && $0.limit == nil && $0.hasKeys })
  func `a server that returns its last page for a larger offset sends no item twice`(_ list: ServedList) async throws {
    let loaded = try await load(
      "query ($o: Int) { list(offset: $o, limit: \(list.pageSize)) \(list.selection) }", ["o": 0]
    ) { list.page(from: min($0["o"]?.int ?? 0, max(0, list.count - list.pageSize))) }
    #expect(loaded.items == list.items)
  }

  // MARK: Connections

  enum Cursors: CaseIterable, Sendable { case inPageInfo, inEdges, inEdgesWithoutPageInfo }

  @Test(arguments: ServedList.all.filter { !$0.hasTotal && $0.limit == nil && $0.hasKeys }, Cursors.allCases)
  func `a connection is loaded in its direction, wherever its cursors are`(
    _ list: ServedList, _ cursors: Cursors
  ) async throws {
    for isBackward in [false, true] {
      let arguments = "\(isBackward ? "last" : "first"): \(list.pageSize), \(isBackward ? "before" : "after"): $c"
      let more = isBackward ? "hasPreviousPage" : "hasNextPage"
      let cursor = isBackward ? "startCursor" : "endCursor"
      let info =
        switch cursors {
        case .inPageInfo: "pageInfo { \(more) \(cursor) } edges { node { id } }"
        case .inEdges: "pageInfo { \(more) } edges { cursor node { id } }"
        case .inEdgesWithoutPageInfo: "edges { cursor node { id } }"
        }
      let loaded = try await load("query ($c: String) { list(\(arguments)) { \(info) } }", [:]) { variables in
        let place = variables["c"]?.string.flatMap { Int($0) }
        let range =
          isBackward
          ? max(0, (place ?? list.count) - list.pageSize)..<(place ?? list.count)
          : min(list.count, (place ?? -1) + 1)..<min(list.count, (place ?? -1) + 1 + list.pageSize)
        let edges = range.map { number in
          JSONValue.object(
            (cursors == .inPageInfo ? [] : [("cursor", JSONValue(String(number)))]) + [("node", list.items[number])])
        }
        let hasMore = isBackward ? range.lowerBound > 0 : range.upperBound < list.count
        let end =
          range.isEmpty ? JSONValue.null : JSONValue(String(isBackward ? range.lowerBound : range.upperBound - 1))
        let pageInfo = [(more, JSONValue(hasMore))] + (cursors == .inPageInfo ? [(cursor, end)] : [])
        return [
          "list": .object(
            [("edges", .array(edges))] + (cursors == .inEdgesWithoutPageInfo ? [] : [("pageInfo", .object(pageInfo))]))
        ]
      }
      #expect(loaded.items == list.items)
      #expect(loaded.end == .lastPage)
    }
  }

  @Test(arguments: [
    ("null", PagingStopReason.emptyCursor, 0), ("\"\"", .emptyCursor, 0), ("\"same\"", .repeatedCursor, 1),
  ])
  func `a cursor that leads nowhere is not an orderly end`(
    _ cursor: String, _ end: PagingStopReason, _ requestCount: Int
  ) async throws {
    let data = try parsed(
      #"{"list":{"pageInfo":{"hasNextPage":true,"endCursor":\#(cursor)},"edges":[{"node":{"id":"1"}}]}}"#)
    let loaded = try await load(
      "query ($c: String) { list(after: $c) { pageInfo { hasNextPage endCursor } edges { node { id } } } }", [:]
    ) { _ in data }
    #expect(loaded.end == end)
    #expect(!end.isOrderly)
    #expect(loaded.requestCount == requestCount)
  }

  // MARK: Variables with several uses

  @Test func `a variable that another list uses too stays, and the argument becomes a literal`() throws {
    let text = "query ($o: Int) { list(offset: $o, limit: 2) { id inner(offset: $o, limit: 1) { id } } }"
    let data = try parsed(#"{"list":[{"id":"1","inner":[]},{"id":"2","inner":[]}]}"#)
    let operation = DynamicOperation(compiled: try compiled(text), variables: ["o": 0])
    let list = try #require(
      PageableListFinder.lists(in: data, operation: operation.compiled, variables: operation.variables).first)
    var page = Page(query: operation, result: GraphQLResult(data: data))
    for offset in [2, 4] {
      guard case .page(let next)? = list.strategy.next?(.first(page)) else { throw PagerError.noQuery }
      #expect(next.variables == ["o": 0])
      #expect(next.compiled.documentText.contains("list(offset: \(offset), limit: 2)"))
      #expect(next.compiled.documentText.contains("inner(offset: $o, limit: 1)"))
      page = Page(query: next, result: GraphQLResult(data: data))
    }
    #expect(PageableListFinder.sharedVariable(in: operation.compiled) == "o")
  }

  @Test(arguments: [
    "query ($o: Int) { list(offset: $o) @stream(initialCount: $o) { id } }",
    "query ($o: Int) { list(offset: $o) { id } other(in: [{ n: $o }]) }",
    "query ($o: Int) { list(page: $o, pageSize: $o) { id } }",
    "query ($o: Int) { ...F } fragment F on Query { list(skip: $o) { id more(first: $o) } }",
    "query ($o: String) { list(after: $o, before: $o) { nodes { id } } }",
  ])
  func `a cursor or offset with another use is shared`(_ text: String) throws {
    #expect(PageableListFinder.sharedVariable(in: try compiled(text)) == "o")
  }

  @Test(arguments: [
    "query ($o: Int, $l: Int) { list(offset: $o, limit: $l) { id } other(limit: $l) { id } }",
    "query ($o: Int) { list(offset: $o) { id } }",
    "query ($c: String) { list(after: $c) { edges { node { id } } pageInfo { hasNextPage endCursor } } }",
  ])
  func `a cursor or offset with one use is not shared`(_ text: String) throws {
    #expect(PageableListFinder.sharedVariable(in: try compiled(text)) == nil)
  }
}

/// Pages that a closure computes from the variables.
private final class ScriptedPages: PageSource {
  let respond: @Sendable (JSONValue) -> JSONValue
  let store: CacheStore? = nil
  private let count = Mutex(0)

  init(respond: @escaping @Sendable (JSONValue) -> JSONValue) { self.respond = respond }

  var requestCount: Int { count.withLock { $0 } }

  func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    AsyncThrowingStream { continuation in
      count.withLock { $0 += 1 }
      if let data = respond(query.variables) as? Query.Data { continuation.yield(GraphQLResult(data: data)) }
      continuation.finish()
    }
  }
}
