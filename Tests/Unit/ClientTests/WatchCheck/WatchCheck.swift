import ApusClientAPI
import ApusClientCore
import ApusClientOperation
import ApusClientPagination
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Synchronization

@testable import ApusClientCache

/// A client with a cache, a server with four people, watches and a pager. Two of the watches select different fields of
/// a list whose objects have no keys.
final class WatchCheck: Sendable {
  private static let schema = Schema.load(
    sdl: """
      type Query { tick: Int! person(id: ID!): Person badges: [Badge!]! people(first: Int, after: String): Connection! }
      type Person { id: ID! name: String! likes: Int! friend: Person }
      type Badge { name: String! color: String! }
      type Connection { edges: [Edge!]! pageInfo: PageInfo! }
      type Edge { cursor: String! node: Person! }
      type PageInfo { hasNextPage: Boolean! endCursor: String }
      """)

  static let texts = [
    #"query A { tick person(id: "1") { id name } }"#,
    #"query B { tick person(id: "1") { id likes friend { id name } } }"#,
    #"query C { tick person(id: "2") { id name likes } }"#,
    #"query F { tick person(id: "4") { id name ... @defer(label: "likes") { likes friend { id name } } } }"#,
    "query D { badges { name } }",
    "query E { badges { color } }",
  ]
  /// The number of queries that share fields. The queries after them remove each other's objects without keys from the
  /// cache.
  private static let sharedCount = 4
  private static let pageText =
    "query P($after: String) { tick people(first: 2, after: $after) "
    + "{ edges { cursor node { id name } } pageInfo { hasNextPage endCursor } } }"

  private let truth: Truth
  private let server: ScriptedServer
  private let store: CacheStore
  private let client: GraphQLClient
  private let queries: [DynamicOperation]
  private let watches: [Watched]
  private let pager: DynamicQueryPager?
  /// The number of the current state at rest, which all watches show.
  private let tick: Counter
  /// Repairs an older number that a late response wrote.
  private let keeper: Task<Void, Never>
  private let unrest = Mutex<String?>(nil)

  init(_ cache: any NormalizedCache, hasFaults: Bool) async throws {
    func compile(_ text: String, _ variables: JSONValue = [:]) throws -> DynamicOperation {
      let compiled = try CompiledOperation.compile(
        Document(parsing: text), schema: Self.schema, options: CompileOptions(addTypename: true))
      return DynamicOperation(compiled: compiled, variables: variables, resultChecking: .reportErrors)
    }
    let truth = Truth()
    self.truth = truth
    server = try ScriptedServer { request, _ in truth.answer(request.bodyText) }
    store = CacheStore(cache: cache)
    client = GraphQLClient(url: server.url, store: store)
    queries = try Self.texts.map { try compile($0) }
    let tick = Counter()
    self.tick = tick
    watches = queries.map { [client] query in
      Watched(client.watch(query: query))
    }
    keeper = Task { [store, tick] in
      for await _ in await store.changes() {
        let number = tick.withLock { $0 }
        let found = try? await store.record(.queryRoot)?[field: "tick"]
        if found != .scalar(JSONValue(number)) {
          _ = try? await store.modify(.queryRoot) { $0["tick"] = .scalar(JSONValue(number)) }
        }
      }
    }
    guard !hasFaults else {
      pager = nil
      return
    }
    let pager: DynamicQueryPager = GraphQLQueryPager(
      client: client, query: try compile(Self.pageText), strategy: .cursorForward(path: ["people"], variable: "after"))
    try await pager.actor.loadAll()
    self.pager = pager
  }

  deinit { keeper.cancel() }

  // MARK: Changes

  /// Makes changes concurrently and waits until all watches show them.
  func make(_ changes: [WatchChange]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for change in changes { group.addTask { try await self.make(change) } }
      try await group.waitForAll()
    }
    try await rest()
  }

  private func make(_ change: WatchChange) async throws {
    switch change {
    case .rename(let id): truth.change { $0.people[id]?.name += "'" }
    case .like(let id): truth.change { $0.people[id]?.likes += 1 }
    case .award: truth.change { $0.awards += 1 }
    case .fault(let id): truth.change { $0.fault = id }
    case .failFragments(let fail): truth.change { $0.fragmentsFail = fail }
    case .fetch(let number): for try await _ in client.fetch(query: queries[number], cachePolicy: .networkOnly) {}
    case .evict(let id): try await store.evict(CacheKey("Person:\(id)"))
    case .evictField(let id): try await store.evict(CacheKey("Person:\(id)"), field: "name")
    case .clear: try await store.clear()
    case .modify(let id, let name): try await store.modify(CacheKey("Person:\(id)")) { $0["name"] = .scalar(name) }
    case .update:
      try await store.update(queries[2].compiled) { data in
        let likes = data.value(at: ["person", "likes"])?.int ?? 0
        data = try data.replacing(at: ["person", "likes"], with: JSONValue(likes + 1))
      }
    case .guess(let id):
      let layer = try await store.modifyOptimistically(CacheKey("Person:\(id)")) { $0["name"] = .scalar("a guess") }
      await store.rollBack(layer)
    }
  }

  /// Makes changes that all watches show until there are no more requests. One is not enough, because while an earlier
  /// change is checked, a later one may be shown.
  private func rest() async throws {
    var count = server.requests.count
    for _ in 0..<10 {
      if let other = try await showNextTick() { return unrest.withLock { $0 = other } }
      if server.requests.count == count { return unrest.withLock { $0 = nil } }
      count = server.requests.count
    }
    unrest.withLock { $0 = "the requests do not end" }
  }

  /// Returns a watch that keeps showing another number.
  private func showNextTick() async throws -> String? {
    let number = tick.withLock { number in
      number += 1
      return number
    }
    truth.change { $0.tick = number }
    try await store.modify(.queryRoot) { $0["tick"] = .scalar(JSONValue(number)) }
    // A late response may bring back the previous number, until it is repaired.
    let deadline = ContinuousClock.now + .seconds(10)
    while let other = othersThan(number) {
      guard ContinuousClock.now < deadline else { return other }
      await Task.yield()
    }
    return nil
  }

  /// Returns a watch that shows another number.
  private func othersThan(_ number: Int) -> String? {
    for (query, watch) in zip(queries, watches).prefix(Self.sharedCount) {
      let shown = watch.last?.data?["tick"]?.int
      if shown != number { return "\(query.compiled.name ?? "") shows tick \(shown ?? -1), not \(number)" }
    }
    for page in pager?.output.pages ?? [] {
      let shown = page.data?["tick"]?.int
      if shown != number { return "the page \(page.variables) shows tick \(shown ?? -1), not \(number)" }
    }
    return nil
  }

  // MARK: Comparing

  /// Returns a difference between a watch and the cache that persists. Late responses are repaired.
  func difference() async throws -> String? {
    if let unrest = unrest.withLock({ $0 }) { return unrest }
    let deadline = ContinuousClock.now + .seconds(5)
    while let difference = try await differenceNow() {
      guard ContinuousClock.now < deadline else { return difference }
      await Task.yield()
    }
    return nil
  }

  private func differenceNow() async throws -> String? {
    for (query, watch) in zip(queries, watches).dropFirst(Self.sharedCount) {
      let shown = watch.last?.data?["badges"]
      guard let shown, watch.last?.completeness == .complete, Truth.hasSent(shown) else {
        return "\(query.compiled.name ?? "") shows \(shown ?? .null), which the server never sent"
      }
    }
    for (query, watch) in zip(queries, watches).prefix(Self.sharedCount) {
      let read = try await store.read(query.compiled, allowPartial: true)
      guard let shown = watch.last else { return "nothing is shown" }
      let errors = shown.errors + read.errors
      let (left, right) = (Self.comparable(shown.data, errors), Self.comparable(read.data, errors))
      if left != right { return "\(query.compiled.name ?? "") shows \(left), but the cache holds \(right)" }
      let fragments = shown.fragments.map { "\($0.path) \($0.state.name)" }
      if fragments != read.fragments.map({ "\($0.path) \($0.state.name)" }) {
        return "\(query.compiled.name ?? "") shows \(fragments), but the cache has \(read.fragments)"
      }
      let isFulfilled = shown.fragments.allSatisfy { $0.state == .fulfilled || $0.state == .notExecuted }
      if read.isComplete != (shown.completeness == .complete && shown.errors.isEmpty && isFulfilled) {
        return "\(query.compiled.name ?? "") is \(shown.completeness), but the cache's is complete: \(read.isComplete)"
      }
    }
    for page in pager?.output.pages ?? [] {
      let read = try await store.read(page.query.compiled, variables: page.variables)
      guard read.isComplete else { return "the page \(page.variables) is not whole in the cache" }
      if page.data != read.data {
        return "the page \(page.variables) shows \(page.data ?? .null), not \(read.data ?? .null)"
      }
    }
    return nil
  }

  /// Removes the fields with errors, which are in a server's result but not in the cache.
  private static func comparable(_ data: JSONValue?, _ errors: [GraphQLError]) -> JSONValue {
    errors.compactMap(\.path).reduce(data ?? .null) { data, path in
      (try? data.replacing(at: path, with: .null)) ?? data
    }
  }
}

/// The last result of a watch.
private final class Watched: Sendable {
  private let newest = Mutex<GraphQLResult<JSONValue>?>(nil)
  private let task = Mutex<Task<Void, Never>?>(nil)

  init(_ results: GraphQLClient.Results<JSONValue>) {
    let started = Task { [weak self] in
      do { for try await result in results { self?.newest.withLock { $0 = result } } } catch {}
    }
    task.withLock { $0 = started }
  }

  deinit { task.withLock { $0?.cancel() } }

  var last: GraphQLResult<JSONValue>? { newest.withLock { $0 } }
}

/// A number shared by tasks.
private final class Counter: Sendable {
  private let number = Mutex(0)
  func withLock<Result: Sendable>(_ body: (inout Int) -> Result) -> Result { number.withLock { body(&$0) } }
}

/// The data of the server.
private final class Truth: Sendable {
  struct State: Sendable {
    var tick = 0
    /// The number of changes of the badges.
    var awards = 0
    var people = Dictionary(uniqueKeysWithValues: (1...4).map { ($0, (name: "P\($0)", likes: $0)) })
    /// The person whose data contradicts the schema.
    var fault: Int?
    /// Whether it answers deferred fragments with errors.
    var fragmentsFail = false
  }

  private enum Field {
    case name, likes, friend
  }

  private let state = Mutex(State())

  func change(_ body: (inout State) -> Void) { state.withLock { body(&$0) } }

  /// Whether the server sent these badges at one time.
  static func hasSent(_ badges: JSONValue) -> Bool {
    let texts = badges.elements.map { ($0["name"] ?? $0["color"])?.string ?? "" }
    guard let awards = texts.first?.split(separator: " ").last.flatMap({ Int($0) }) else { return false }
    return texts == (0...awards % 3).map { "\($0) of \(awards)" }
  }

  /// Returns exactly the requested fields, so that a result contains everything that was sent.
  func answer(_ request: String) -> ScriptedAnswer {
    let state = state.withLock { $0 }
    if request.contains("query F") { return Self.deferred(state) }
    return .json(Self.answer(request, state))
  }

  /// A person, and in a second payload the deferred fragment or its error.
  private static func deferred(_ state: State) -> ScriptedAnswer {
    let first = #"{"data":{"tick":\#(state.tick),"person":\#(person(4, [.name], state))},"hasNext":true}"#
    let fields = [Field.likes, .friend].map { text(of: $0, 4, state) }.joined(separator: ",")
    let item =
      state.fragmentsFail
      ? #""data":null,"errors":[{"message":"failed","path":["person","likes"]}]"# : #""data":{\#(fields)}"#
    let second = #"{"incremental":[{"label":"likes","path":["person"],\#(item)}],"hasNext":false}"#
    return .multipart([.text(first), .text(second)])
  }

  private static func person(_ id: Int, _ fields: [Field], _ state: State) -> String {
    let texts = fields.map { "," + text(of: $0, id, state) }
    return #"{"__typename":"Person","id":"\#(id)"\#(texts.joined())}"#
  }

  private static func text(of field: Field, _ id: Int, _ state: State) -> String {
    switch field {
    case .name: #""name":\#(state.fault == id ? "7" : "\"\(state.people[id]?.name ?? "")\"")"#
    case .likes: #""likes":\#(state.people[id]?.likes ?? 0)"#
    case .friend: #""friend":\#(person(3, [.name], state))"#
    }
  }

  private static func answer(_ request: String, _ state: State) -> String {
    func person(_ id: Int, _ fields: [Field]) -> String { Self.person(id, fields, state) }
    if request.contains("query D") || request.contains("query E") {
      let field = request.contains("query D") ? "name" : "color"
      let badges = (0...state.awards % 3).map { #"{"__typename":"Badge","\#(field)":"\#($0) of \#(state.awards)"}"# }
      return #"{"data":{"badges":[\#(badges.joined(separator: ","))]}}"#
    }
    guard request.contains("query P") else {
      let answer =
        request.contains("query A")
        ? person(1, [.name]) : request.contains("query B") ? person(1, [.likes, .friend]) : person(2, [.name, .likes])
      return #"{"data":{"tick":\#(state.tick),"person":\#(answer)}}"#
    }
    let start = request.contains(#""after":"c2""#) ? 3 : 1
    let edges = [start, start + 1].map { #"{"__typename":"Edge","cursor":"c\#($0)","node":\#(person($0, [.name]))}"# }
    let list = edges.joined(separator: ",")
    return #"{"data":{"tick":\#(state.tick),"people":{"__typename":"Connection","edges":[\#(list)],"#
      + #""pageInfo":{"__typename":"PageInfo","hasNextPage":\#(start == 1),"endCursor":"c\#(start + 1)"}}}}"#
  }
}
