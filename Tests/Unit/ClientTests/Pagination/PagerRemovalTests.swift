import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientPagination

/// A list that changes on the server while a pager shows it: every item of lists with 1 to 6 items in pages of 1 to 4 is
/// removed, for each kind of paging, and the shown list is compared with the server's.
@Suite(.timeLimit(.minutes(5))) struct PagerRemovalTests {
  enum Kind: CaseIterable, Sendable {
    case offset, numbered
    /// Connections whose cursors are the items' keys, or offsets; and one without cursors on its edges.
    case cursors, offsetCursors, pageInfoOnly

    var isConnection: Bool { self != .offset && self != .numbered }

    var text: String {
      switch self {
      case .offset: "query ($p: Int, $l: Int) { list(offset: $p, limit: $l) { __typename id } }"
      case .numbered: "query ($p: Int = 1, $l: Int) { list(page: $p, perPage: $l) { __typename id } }"
      case .cursors, .offsetCursors:
        "query ($p: String, $l: Int) { list(after: $p, first: $l) "
          + "{ edges { cursor node { __typename id } } pageInfo { hasNextPage endCursor } } }"
      case .pageInfoOnly:
        "query ($p: String, $l: Int) { list(after: $p, first: $l) "
          + "{ edges { node { __typename id } } pageInfo { hasNextPage endCursor } } }"
      }
    }
  }

  struct Case: CustomStringConvertible, Sendable {
    let kind: Kind
    let count: Int
    let pageSize: Int
    let removed: Int

    var description: String { "\(kind), \(count) items, \(pageSize) per page, without \(removed)" }

    static let all: [Case] = Kind.allCases.flatMap { kind in
      (1...6).flatMap { count in
        (1...4).flatMap { size in
          (0..<count).map { Case(kind: kind, count: count, pageSize: size, removed: $0) }
        }
      }
    }
  }

  /// A server with a list that can change, and a client with a cache.
  private final class ChangingList: Sendable {
    let kind: Kind
    let items: Mutex<[Int]>
    let size: Int

    init(_ kind: Kind, _ items: [Int], size: Int) {
      self.kind = kind
      self.items = Mutex(items)
      self.size = size
    }

    func respond(_ variables: JSONValue) -> ScriptedAnswer {
      let items = items.withLock { $0 }
      let place = variables["p"]
      let start =
        switch kind {
        case .offset: place?.int ?? 0
        case .numbered: ((place?.int ?? 1) - 1) * size
        case .offsetCursors: place?.string.flatMap { Int($0) } ?? 0
        // An item that was removed is no longer known, but cursors are ordered.
        case .cursors, .pageInfoOnly:
          place?.string.flatMap { Int($0) }.map { cursor in items.firstIndex { $0 > cursor } ?? items.count } ?? 0
        }
      let range = min(start, items.count)..<min(items.count, start + size)
      func cursor(_ index: Int) -> String { kind == .offsetCursors ? "\(index + 1)" : "\(items[index])" }
      let nodes = range.map { #"{"__typename":"Item","id":"\#(items[$0])"}"# }
      guard kind.isConnection else { return .json(#"{"data":{"list":[\#(nodes.joined(separator: ","))]}}"#) }
      let edges = zip(range, nodes).map {
        kind == .pageInfoOnly ? #"{"node":\#($1)}"# : #"{"cursor":"\#(cursor($0))","node":\#($1)}"#
      }
      let end = range.isEmpty ? "null" : "\"\(cursor(range.upperBound - 1))\""
      return .json(
        #"{"data":{"list":{"edges":[\#(edges.joined(separator: ","))],"#
          + #""pageInfo":{"hasNextPage":\#(range.upperBound < items.count),"endCursor":\#(end)}}}}"#)
    }

    func pager(_ store: CacheStore) async throws -> (Flock.Pager.Actor, ScriptedServer) {
      let server = try ScriptedServer { request, _ in
        self.respond((try? JSONDocument(parsing: request.body).root)?["variables"] ?? .null)
      }
      let operation = try Flock.operation(kind.text, ["l": JSONValue(size)])
      let client = GraphQLClient(url: server.url, store: store)
      let first = try await client.fetch(operation)
      let list = try #require(
        PageableListFinder.lists(
          in: first.data ?? .null, operation: operation.compiled, variables: operation.variables
        ).first)
      let pager = Flock.Pager.Actor(source: client, initialQuery: operation, strategy: list.strategy)
      return (pager, server)
    }
  }

  private static func shown(_ output: PagerOutput<DynamicOperation, DynamicOperation>) -> [Int] {
    output.pages.flatMap { page -> [Int] in
      let list = page.data?["list"]?["edges"] ?? page.data?["list"]
      return list?.elements.compactMap { ($0["node"] ?? $0)["id"]?.string.flatMap { Int($0) } } ?? []
    }
  }

  @Test(arguments: Case.all)
  func `after an item was removed and evicted, the list is that of the server, and never has an item twice`(
    _ test: Case
  ) async throws {
    let store = CacheStore()
    let list = ChangingList(test.kind, Array(0..<test.count), size: test.pageSize)
    let (pager, server) = try await list.pager(store)
    try await pager.loadAll()
    #expect(Self.shown(await pager.current) == Array(0..<test.count))
    list.items.withLock { $0.removeAll { $0 == test.removed } }
    let left = (0..<test.count).filter { $0 != test.removed }
    let outputs = pager.outputs
    try await store.evict(CacheKey("Item:\(test.removed)"))
    for await output in outputs {
      let shown = Self.shown(output)
      #expect(Set(shown).count == shown.count, "\(shown)")
      if shown == left { break }
    }
    withExtendedLifetime(server) {}
  }

  @Test(arguments: Kind.allCases)
  func `the pages that other items than before follow are fetched again, once each`(_ kind: Kind) async throws {
    let store = CacheStore()
    let list = ChangingList(kind, Array(0..<6), size: 2)
    let (pager, server) = try await list.pager(store)
    try await pager.loadAll()
    let before = server.requests.count
    list.items.withLock { $0.removeAll { $0 == 2 } }
    try await store.evict("Item:2")
    _ = await pager.outputs.first { Self.shown($0) == [0, 1, 3, 4, 5] }
    try await waitUntil { await pager.refetcher.task == nil }
    // The page of the item and each page after it, with the empty page that ends an offset list.
    #expect(server.requests.count - before == (kind == .offset ? 3 : 2))
    #expect(Self.shown(await pager.current) == [0, 1, 3, 4, 5])
  }

  @Test(arguments: Kind.allCases)
  func `if the refetched page has the same items, no other page is fetched`(_ kind: Kind) async throws {
    let store = CacheStore()
    let list = ChangingList(kind, Array(0..<6), size: 2)
    let (pager, server) = try await list.pager(store)
    try await pager.loadAll()
    let before = server.requests.count
    try await store.evict("Item:0")
    _ = try await server.request(before)
    try await waitUntil { try await store.record("Item:0") != nil }
    // This load begins after the refetch.
    try await pager.refetch()
    #expect(server.requests.count - before == 2)
  }

  @Test(arguments: Kind.allCases)
  func `pages after the end of a list that became shorter are removed`(_ kind: Kind) async throws {
    let store = CacheStore()
    let list = ChangingList(kind, Array(0..<6), size: 2)
    let (pager, server) = try await list.pager(store)
    try await pager.loadAll()
    list.items.withLock { $0 = [1] }
    try await store.evict("Item:0")
    let output = await pager.outputs.first { Self.shown($0) == [1] && !$0.canLoadNext }
    #expect(output?.end != nil)
    withExtendedLifetime(server) {}
  }

  @Test func `items that were inserted before a page of an offset list are not shown twice`() async throws {
    let list = ChangingList(.offset, Array(1...4), size: 2)
    let (pager, server) = try await list.pager(CacheStore())
    try await pager.fetch()
    list.items.withLock { $0.insert(0, at: 0) }
    try await pager.loadNext()
    let output = await pager.current
    #expect(Self.shown(output) == [1, 2, 3])
    // The next page begins after all items that came, not only after those that are shown.
    #expect(output.nextPages.first?.data?["list"]?.count == 1)
    try await pager.loadNext()
    #expect(Self.shown(await pager.current) == [1, 2, 3, 4])
    withExtendedLifetime(server) {}
  }

  @Test func `the errors of a page without its repeated items have the paths of the items that are left`() async throws
  {
    let query = try Flock.operation(Kind.offset.text, ["l": 2])
    let second = query.setting([("p", 2)])
    func page(_ query: DynamicOperation, _ ids: [String]) -> Page<DynamicOperation> {
      let items = ids.map { JSONValue.object([("__typename", "Item"), ("id", JSONValue($0))]) }
      let errors = ids.indices.map {
        GraphQLError(message: ids[$0], path: ResponsePath([.key("list"), .index($0), .key("name")]))
      }
      var result = GraphQLResult<JSONValue>(data: .object([("list", .array(items))]), errors: errors)
      result.json = result.data
      return Page(query: query, result: result)
    }
    var items = PageItems()
    _ = items.set(page(query, ["1", "2"]), at: .first)
    let whole = page(second, ["2", "3"])
    _ = items.set(whole, at: .side(.next, 0))
    let shown = items.shown(whole, at: .side(.next, 0), isOutdated: false)
    #expect(shown.data == .object([("list", .array([["__typename": "Item", "id": "3"]]))]))
    #expect(shown.errors.map { $0.path?.description } == ["list", "list[0].name"])
    #expect(shown.loaded === whole)
  }

  @Test func `a list that has the same arguments on all pages keeps its items`() async throws {
    let text = "query ($p: Int) { list(offset: $p, limit: 1) { __typename id } top(offset: 0) { __typename id } }"
    let query = try Flock.operation(text, ["p": 0])
    func page(_ place: Int) -> Page<DynamicOperation> {
      Page(
        query: query.setting([("p", JSONValue(place))]),
        result: GraphQLResult(
          data: [
            "list": .array([.object([("__typename", "Item"), ("id", JSONValue("\(place)"))])]),
            "top": .array([["__typename": "Item", "id": "0"]]),
          ]))
    }
    var items = PageItems()
    _ = items.set(page(0), at: .first)
    _ = items.set(page(1), at: .side(.next, 0))
    #expect(items.shown(page(1), at: .side(.next, 0), isOutdated: false).data?["top"]?.count == 1)
  }
}
