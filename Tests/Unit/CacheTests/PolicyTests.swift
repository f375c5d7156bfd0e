import ApusClientAPI
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Key arguments, merge policies, times to live, and errors stored with data.
@Suite(.timeLimit(.minutes(1))) struct PolicyTests {
  private static let bird = #"{"bird":{"__typename":"Bird","id":"1","name":"A"}}"#

  private func page(_ ids: [String], cursors: [String], next: Bool) -> String {
    let edges = zip(ids, cursors).map { id, cursor in
      #"{"__typename":"BirdEdge","cursor":"\#(cursor)","node":{"__typename":"Bird","id":"\#(id)","name":"\#(id)"}}"#
    }
    return
      #"{"birds":{"__typename":"BirdConnection","edges":[\#(edges.joined(separator: ","))],"pageInfo":{"__typename":"PageInfo","hasNextPage":\#(next),"endCursor":"\#(cursors.last ?? "")"}}}"#
  }

  // MARK: Key arguments

  @Test func `key arguments find a record of a field that was never fetched`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.bird": FieldPolicy(keyArguments: ["id"])]))
    let requested = try operation("query ($id: ID!) { bird(id: $id) { __typename id name } }")
    #expect(try await store.look(requested, #"{"id":"1"}"#).text == "nothing\nmissing bird")
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, try operation("{ flock { __typename id name } }"))
    #expect(try await store.look(requested, #"{"id":"1"}"#).text == Self.bird)
    #expect(try await store.look(requested, #"{"id":"2"}"#).text == "nothing\nmissing bird")
    let watched = try await store.look(requested, #"{"id":"1"}"#).dependentKeys
    #expect(watched.intersects(try await store.evict("Bird:1")))
  }

  @Test func `a written field with key arguments is a cache hit`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.bird": FieldPolicy(keyArguments: ["id"])]))
    let query = try operation("{ bird(id: 1) { __typename id name } }")
    try await store.write(Self.bird, query)
    #expect(try await store.look(query).isComplete)
  }

  @Test func `key fields and key arguments come from the schema`() async throws {
    let schema = Schema.load(
      sdl: """
        interface Thing @typePolicy(keyFields: "code") { code: String }
        type Query @fieldPolicy(forField: "book", keyArgs: "isbn") { book(isbn: String): Book things: [Thing] }
        type Book @typePolicy(keyFields: "isbn edition") { isbn: String edition: Int }
        type Tool implements Thing { code: String }
        """)
    var resolver = CacheKeyResolver()
    var policies = CachePolicies()
    resolver.addKeyFields(from: schema)
    policies.addPolicies(from: schema)
    #expect(resolver.keyFields == ["Book": ["isbn", "edition"], "Tool": ["code"]])
    #expect(policies.fields["Query.book"]?.keyArguments == ["isbn"])
  }

  @Test func `merge policies of the application precede those of the schema`() async throws {
    let schema = Schema.load(
      sdl: """
        type Query
          @fieldPolicy(forField: "feed", merge: "append", mergeArgs: "page")
          @fieldPolicy(forField: "list", merge: "offset", mergeArgs: "skip take")
          @fieldPolicy(forField: "birds", merge: "connection")
          @fieldPolicy(forField: "odd", merge: "otherwise") {
          feed(page: Int): [Bird] list(skip: Int, take: Int): [Bird] birds: Bird odd: Bird
        }
        type Bird { id: ID! }
        """)
    var policies = CachePolicies(fields: ["Query.birds": FieldPolicy(merge: .append(arguments: ["first"]))])
    policies.addPolicies(from: schema)
    if case .append(["page"])? = policies.fields["Query.feed"]?.merge {} else { Issue.record("no append") }
    if case .offset("skip", "take")? = policies.fields["Query.list"]?.merge {} else { Issue.record("no offset") }
    if case .append(["first"])? = policies.fields["Query.birds"]?.merge {} else { Issue.record("not as was said") }
    #expect(policies.fields["Query.odd"] == nil)

    let store = CacheStore(policies: policies)
    func feed(_ page: Int) throws -> CompiledOperation {
      try CompiledOperation.compile(Document(parsing: "{ feed(page: \(page)) { __typename id } }"), schema: schema)
    }
    try await store.write(#"{"feed":[{"__typename":"Bird","id":"1"}]}"#, try feed(1))
    try await store.write(#"{"feed":[{"__typename":"Bird","id":"2"}]}"#, try feed(2))
    let both = try await store.read(try feed(1)).data?["feed"]
    #expect(both?.count == 2)
  }

  // MARK: Times to live

  @Test func `an expired value is missing unless stale reads are allowed`() async throws {
    let clock = CacheClock()
    let store = CacheStore(policies: CachePolicies(timeToLive: ["Bird": 10]), clock: clock.now)
    let query = try operation("{ bird(id: 1) { __typename id name } }")
    try await store.write(Self.bird, query)
    #expect(try await store.look(query).isComplete)
    clock.pass(10)
    #expect(
      try await store.look(query).missing == [["bird", "__typename"], ["bird", "id"], ["bird", "name"]])
    let stale = try await store.read(query, allowStale: true)
    #expect(stale.data?.description == Self.bird)
    #expect(stale.isStale)
    try await store.write(Self.bird, query)
    #expect(try await store.look(query).isComplete)
  }

  @Test(arguments: [0, -1, -5_000_000_000])
  func `a time to live that is not positive expires immediately`(seconds: Int) async throws {
    let store = CacheStore(policies: CachePolicies(timeToLive: ["Bird": seconds]), clock: CacheClock().now)
    let query = try operation("{ bird(id: 1) { __typename id name } }")
    try await store.write(Self.bird, query)
    #expect(try await !store.look(query).isComplete)
  }

  @Test func `a field can expire before its record`() async throws {
    let clock = CacheClock()
    let store = CacheStore(
      policies: CachePolicies(fields: ["Bird.name": FieldPolicy(timeToLive: 5)]), clock: clock.now)
    let query = try operation("{ bird(id: 1) { __typename id name } }")
    try await store.write(Self.bird, query)
    clock.pass(5)
    #expect(try await store.look(query).missing == [["bird", "name"]])
  }

  /// Equal values that are written again are a change for readers if they had expired.
  @Test(
    arguments: [
      ([:], [:], 100, []), (["Bird": 10], [:], 9, []), (["Bird": 10], [:], 10, ["__typename", "id", "name"]),
      ([:], ["name": 5], 4, []), ([:], ["name": 5], 5, ["name"]), (["Bird": 10], ["name": 5], 5, ["name"]),
      (["Bird": 10], ["name": 5], 10, ["__typename", "id", "name"]),
      (["Bird": 10], ["name": 50], 10, ["__typename", "id"]),
    ] as [([String: Int], [String: Int], UInt32, [String])])
  func `expired fields change when they are written again`(
    types: [String: Int], fields: [String: Int], seconds: UInt32, changed: [String]
  ) async throws {
    for kind in CacheKind.allCases {
      let folder = try TemporaryFolder()
      let clock = CacheClock()
      let policies = CachePolicies(
        fields: Dictionary(uniqueKeysWithValues: fields.map { ("Bird.\($0)", FieldPolicy(timeToLive: $1)) }),
        timeToLive: types)
      let store = CacheStore(cache: try kind.cache(in: folder), policies: policies, clock: clock.now)
      let query = try operation("{ bird(id: 1) { __typename id name } }")
      try await store.write(Self.bird, query)
      clock.pass(seconds)
      #expect(try await store.write(Self.bird, query) == changed.map { "Bird:1.\($0)" }, "\(kind)")
    }
  }

  @Test func `the response's Cache-Control applies if no other policy does`() async throws {
    let clock = CacheClock()
    let store = CacheStore(policies: CachePolicies(obeysCacheControl: true), clock: clock.now)
    let query = try operation("{ bird(id: 1) { __typename id name } }")
    var options = CacheWriteOptions.complete
    options.maximumAge = 30
    try await store.write(Self.bird, query, options: options)
    clock.pass(29)
    #expect(try await store.look(query).isComplete)
    clock.pass(1)
    #expect(try await !store.look(query).isComplete)
  }

  // MARK: Errors

  @Test func `an error is stored with the data`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock { __typename id name } }")
    var options = CacheWriteOptions.complete
    options.errors = [GraphQLError(message: "no name today", path: ["flock", 1, "name"])]
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"},{"__typename":"Bird","id":"2"}]}"#, query, options: options)
    let read = try await store.look(query, partial: true)
    #expect(read.missing == [["flock", 1, "name"]])
    #expect(read.errors.map(\.message) == ["no name today"])
    #expect(read.errors.first?.path == ["flock", 1, "name"])
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"},{"__typename":"Bird","id":"2","name":"B"}]}"#, query)
    #expect(try await store.look(query).errors.isEmpty)
  }

  // MARK: Merges

  @Test func `appending pages keeps existing items`() async throws {
    let schema = Schema.load(
      sdl: "type Query { feed(page: Int, kind: String): [Item] } type Item { id: ID! text: String }")
    let store = CacheStore(
      policies: CachePolicies(fields: ["Query.feed": FieldPolicy(merge: .append(arguments: ["page"]))]))
    func feed(_ page: Int) throws -> CompiledOperation {
      try operation("{ feed(page: \(page)) { __typename id text } }", schema: schema)
    }
    func response(_ ids: [Int]) -> String {
      let items = ids.map { #"{"__typename":"Item","id":"\#($0)","text":"t"}"# }
      return #"{"feed":[\#(items.joined(separator: ","))]}"#
    }
    try await store.write(response([1, 2]), try feed(1))
    try await store.write(response([2, 3]), try feed(2))
    #expect(try await store.look(try feed(9)).data?.description == response([1, 2, 3]))
    #expect(try await store.write(response([3]), try feed(2)).isEmpty)
  }

  @Test func `a function can merge any values`() async throws {
    let store = CacheStore(
      policies: CachePolicies(fields: [
        "Query.version": FieldPolicy(
          merge: .function(omitting: []) { existing, incoming, _ in
            guard case .scalar(let old)? = existing, case .scalar(let new) = incoming else { return incoming }
            return .scalar(JSONValue("\(old.string ?? "")+\(new.string ?? "")"))
          })
      ]))
    let query = try operation("{ version }")
    try await store.write(#"{"version":"a"}"#, query)
    try await store.write(#"{"version":"b"}"#, query)
    #expect(try await store.look(query).data?.description == #"{"version":"a+b"}"#)
  }

  @Test func `a connection is read from consecutive pages without a gap`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.birds": FieldPolicy(merge: .connection)]))
    func birds(_ first: Int, after: String? = nil) throws -> CompiledOperation {
      let after = after.map { #", after: "\#($0)""# } ?? ""
      return try operation(
        """
        { birds(first: \(first)\(after)) { __typename edges { __typename cursor node { __typename id name } }
            pageInfo { __typename hasNextPage endCursor } } }
        """)
    }
    try await store.write(page(["1", "2"], cursors: ["a", "b"], next: true), try birds(2))
    try await store.write(page(["5", "6"], cursors: ["e", "f"], next: false), try birds(2, after: "d"))
    #expect(try await store.look(try birds(1)).data == (try json(page(["1"], cursors: ["a"], next: true))))
    #expect(try await !store.look(try birds(3)).isComplete, "there is a gap after b")
    try await store.write(page(["3", "4"], cursors: ["c", "d"], next: true), try birds(2, after: "b"))
    #expect(
      try await store.look(try birds(3, after: "a")).data
        == (try json(page(["2", "3", "4"], cursors: ["b", "c", "d"], next: true))))
    #expect(
      try await store.look(try birds(100)).data
        == (try json(page(["1", "2", "3", "4", "5", "6"], cursors: ["a", "b", "c", "d", "e", "f"], next: false))))
    try await store.evict("QUERY_ROOT", field: #"birds({"after":"b","first":2})"#)
    #expect(try await !store.look(try birds(100)).isComplete)
  }

  /// Returns a store with pages of a server that always reports `false` for the opposite direction, as the specification
  /// allows. Each letter is a bird.
  private func storeOfForwardPages(_ pages: [(birds: String, after: String?, next: Bool)]) async throws -> CacheStore {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.birds": FieldPolicy(merge: .connection)]))
    for page in pages {
      let edges = page.birds.map {
        #"{"__typename":"BirdEdge","cursor":"\#($0)","node":{"__typename":"Bird","id":"\#($0)"}}"#
      }
      let (start, end) = (page.birds.first.map(String.init) ?? "", page.birds.last.map(String.init) ?? "")
      try await store.write(
        #"{"birds":{"__typename":"BirdConnection","edges":[\#(edges.joined(separator: ","))],"pageInfo":"#
          + #"{"__typename":"PageInfo","hasNextPage":\#(page.next),"hasPreviousPage":false,"startCursor":"\#(start)","#
          + #""endCursor":"\#(end)"}}}"#,
        try birds("first: \(page.birds.count)" + (page.after.map { #", after: "\#($0)""# } ?? "")))
    }
    return store
  }

  private static let connections = Schema.load(
    sdl: """
      type Query { birds(first: Int, after: String, last: Int, before: String): BirdConnection bird(id: ID): Bird }
      type BirdConnection { edges: [BirdEdge] pageInfo: PageInfo }
      type BirdEdge { cursor: String node: Bird }
      type Bird { id: ID name: String }
      type PageInfo { hasNextPage: Boolean hasPreviousPage: Boolean startCursor: String endCursor: String }
      """)

  private func birds(_ arguments: String) throws -> CompiledOperation {
    try operation(
      """
      { birds(\(arguments)) { edges { cursor node { id } }
        pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }
      """, schema: Self.connections)
  }

  /// Returns the birds of a read, with `<` and `>` if there are more on that side, or the missing paths.
  private func read(_ store: CacheStore, _ arguments: String) async throws -> String {
    let read = try await store.look(try birds(arguments))
    guard read.isComplete, let connection = read.data?["birds"], let info = connection["pageInfo"] else {
      return "missing " + read.missing.map(\.description).joined(separator: " ")
    }
    let ids = connection["edges"]?.elements.compactMap { $0["node"]?["id"]?.string }.joined() ?? ""
    return (info["hasPreviousPage"]?.bool == true ? "<" : "") + ids + (info["hasNextPage"]?.bool == true ? ">" : "")
  }

  @Test func `a page has no information about the other direction`() async throws {
    let alone = try await storeOfForwardPages([("efgh", "d", true)])
    for (arguments, birds) in [
      // The beginning of the list is not known.
      ("first: 2", "missing birds"), (#"last: 2, before: "e""#, "missing birds"), (#"last: 2, before: "h""#, "<fg>"),
      (#"first: 2, after: "e""#, "<fg>"),
    ] {
      let found = try await read(alone, arguments)
      #expect(found == birds, "\(arguments)")
    }
    let both = try await storeOfForwardPages([("abcd", nil, true), ("efgh", "d", false)])
    for (arguments, birds) in [
      (#"last: 6, before: "h""#, "<bcdefg>"), (#"last: 9, before: "h""#, "abcdefg>"), ("last: 3", "<fgh"),
      ("first: 9", "abcdefgh"),
    ] {
      let found = try await read(both, arguments)
      #expect(found == birds, "\(arguments)")
    }
  }

  @Test func `garbage collection keeps pages and records that a retained query reads`() async throws {
    let store = try await storeOfForwardPages([("abcd", nil, true), ("efgh", "d", true)])
    store.configure(
      store.resolver,
      CachePolicies(fields: [
        "Query.birds": FieldPolicy(merge: .connection), "Query.bird": FieldPolicy(keyArguments: ["id"]),
      ]))
    let bird = try operation("{ bird(id: \"1\") { id name } }")
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, try operation("{ flock { __typename id name } }"))
    let retainers = [await store.retain(try birds("first: 8")), await store.retain(bird)]
    try await store.collectGarbage(onlyRetained: true)
    #expect(try await read(store, "first: 8") == "abcdefgh>")
    #expect(try await store.look(bird).isComplete)
    #expect(try await store.record("QUERY_ROOT")?.fields.contains { $0.key == "flock" } == false)
    for retainer in retainers { await store.release(retainer) }
    try await store.collectGarbage(onlyRetained: true)
    let left = try await store.summaries().map(\.key)
    #expect(left == ["QUERY_ROOT"])
  }

  @Test func `arguments of both directions are a cache miss`() async throws {
    let store = try await storeOfForwardPages([("abcd", nil, false)])
    let mixed = [#"last: 2, after: "c""#, #"first: 2, before: "d""#, #"after: "a", before: "d""#, "first: 2, last: 1"]
    for arguments in mixed {
      #expect(try await read(store, arguments) == "missing birds", "\(arguments)")
    }
    let found = try await read(store, #"before: "c""#)
    #expect(found == "ab>")
  }

  @Test func `the pages of a connection are read until they expire`() async throws {
    let clock = CacheClock()
    let store = CacheStore(
      policies: CachePolicies(fields: ["Query.birds": FieldPolicy(timeToLive: 10, merge: .connection)]),
      clock: clock.now)
    func requested(_ arguments: String) throws -> CompiledOperation {
      try operation(
        "{ birds(\(arguments)) { edges { cursor node { id name } } pageInfo { hasNextPage endCursor } } }")
    }
    try await store.write(page(["1"], cursors: ["a"], next: true), try requested("first: 1"))
    clock.pass(6)
    try await store.write(page(["2"], cursors: ["b"], next: true), try requested(#"first: 1, after: "a""#))
    #expect(try await store.look(try requested("first: 2")).isComplete)
    clock.pass(6)
    #expect(try await store.look(try requested("first: 1")).isComplete == false, "the first page is stale")
    #expect(try await store.look(try requested("first: 2")).isComplete == false)
    #expect(try await store.look(try requested(#"first: 1, after: "a""#)).isComplete)
    let stale = try await store.read(try requested("first: 2"), allowStale: true)
    #expect(stale.isComplete)
    #expect(stale.isStale)
    clock.pass(6)
    #expect(
      try await store.look(try requested(#"first: 1, after: "a""#)).isComplete == false, "not remembered as fresh")
  }

  @Test func `new policies apply to an operation that was read before`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, try operation("{ flock { __typename id name } }"))
    let requested = try operation("{ bird(id: 1) { __typename id name } }")
    #expect(try await store.look(requested).isComplete == false)
    store.configure(store.resolver, CachePolicies(fields: ["Query.bird": FieldPolicy(keyArguments: ["id"])]))
    #expect(try await store.look(requested).isComplete)
  }

  @Test
  func `storing and removing errors takes linear time`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock { __typename id name } }")
    let birds = (0..<20_000).map { #"{"__typename":"Bird","id":"\#($0)","name":null}"# }
    var options = CacheWriteOptions()
    options.errors = (0..<20_000).map { GraphQLError(message: "no", path: ["flock", .index($0), "name"]) }
    options.contradictions = []
    try await store.write("{\"flock\":[\(birds.joined(separator: ","))]}", query, options: options)
    #expect(try await store.look(query).errors.count == 20_000)
    try await store.evict(matching: RecordPattern(key: "Bird:*"))
    #expect(try await store.keys() == ["QUERY_ROOT"])
  }
}
