import ApusClientAPI
import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Deferred fragments in the cache: pending until they are complete, then part of the first result.
@Suite(.timeLimit(.minutes(1))) struct DeferredTests {
  private let base = #"{"bird":{"__typename":"Bird","id":"1","name":"A"}}"#

  private func deferred() throws -> CompiledOperation {
    try operation(
      """
      { bird(id: 1) { __typename id name
        ... @defer(label: "age") { age }
        ... @defer(label: "nest") { nest { __typename material ... @defer(label: "eggs") { eggs } } } } }
      """)
  }

  @Test func `a missing fragment is pending`() async throws {
    let store = CacheStore()
    let query = try deferred()
    try await store.write(base, query, options: CacheWriteOptions(isPartial: true))
    let read = try await store.look(query)
    #expect(read.data == nil)
    #expect(!read.isComplete)
    #expect(
      try await store.look(query, partial: true).text
        == "\(base)\nage at 'bird' pending\nnest at 'bird' pending")
  }

  @Test func `a fragment is complete if key arguments identify its record`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.bird": FieldPolicy(keyArguments: ["id"])]))
    try await store.write(
      #"{"version":"2","flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#,
      try operation("{ version flock { __typename id name } }"))
    let query = try operation("{ version ... @defer(label: \"bird\") { bird(id: 1) { name } } }")
    let read = try await store.look(query)
    #expect(read.isComplete)
    #expect(read.data?["bird"]?["name"] == "A")
    try await store.evict("Bird:1")
    #expect(try await store.look(query).fragments.map(\.state) == [.pending])
  }

  @Test func `payloads complete deferred fragments`() async throws {
    let store = CacheStore()
    let query = try deferred()
    try await store.write(base, query, options: CacheWriteOptions(isPartial: true))
    let second = #"{"bird":{"__typename":"Bird","id":"1","name":"A","nest":{"__typename":"Nest","material":"reed"}}}"#
    let changed = try await store.write(
      second, query, options: CacheWriteOptions(isPartial: true, paths: [["bird", "nest"]], payloadIndex: 1))
    #expect(changed == ["Bird:1.nest", "Bird:1.nest.__typename", "Bird:1.nest.material"])
    #expect(
      try await store.look(query, partial: true).text == """
        \(second)
        age at 'bird' pending
        nest at 'bird' fulfilled
        eggs at 'bird.nest' pending
        """)
    let complete =
      #"{"bird":{"__typename":"Bird","id":"1","name":"A","age":3,"nest":{"__typename":"Nest","material":"reed","eggs":2}}}"#
    try await store.write(
      complete, query, options: CacheWriteOptions(paths: [["bird", "age"], ["bird", "nest", "eggs"]]))
    let read = try await store.look(query)
    #expect(read.isComplete)
    #expect(
      read.text == """
        \(complete)
        age at 'bird' fulfilled
        nest at 'bird' fulfilled
        eggs at 'bird.nest' fulfilled
        """)
  }

  @Test func `a fragment is pending if another operation stored only some of its fields`() async throws {
    let store = CacheStore()
    let query = try operation(
      "{ bird(id: 1) { __typename id ... @defer(label: \"d\") { age mate { __typename id name } } } }")
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","age":3}}"#, try operation("{ bird(id: 1) { __typename id age } }"))
    #expect(
      try await store.look(query, partial: true).text
        == "{\"bird\":{\"__typename\":\"Bird\",\"id\":\"1\"}}\nd at 'bird' pending")
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","mate":{"__typename":"Bird","id":"2","name":"B"}}}"#,
      try operation("{ bird(id: 1) { __typename id mate { __typename id name } } }"))
    #expect(try await store.look(query).isComplete)
    try await store.evict("Bird:2")
    #expect(try await store.look(query, partial: true).pendingFragments.map(\.label) == ["d"])
  }

  @Test func `a pending fragment depends on its missing fields`() async throws {
    let store = CacheStore()
    let query = try deferred()
    try await store.write(base, query)
    let dependent = try await store.look(query, partial: true).dependentKeys
    let changed = try await store.write(
      try json(#"{"bird":{"__typename":"Bird","id":"1","age":3}}"#),
      operation: try operation("{ bird(id: 1) { __typename id age } }"))
    #expect(dependent.intersects(changed))
  }

  @Test func `a fragment of another type is not executed`() async throws {
    let store = CacheStore()
    let query = try operation(
      "{ node(id: 1) { __typename id ... on Bird @defer { age } ... on Station @defer { name } } }")
    try await store.write(#"{"node":{"__typename":"Bird","id":"1","age":3}}"#, query)
    let read = try await store.look(query)
    #expect(read.isComplete)
    #expect(read.fragments.map(\.state) == [.fulfilled, .notExecuted])
  }

  @Test func `a field that is also selected outside of a fragment is not deferred`() async throws {
    let store = CacheStore()
    let query = try operation(
      "{ bird(id: 1) { __typename id mate { __typename id } ...F @defer } } fragment F on Bird { mate { name } }")
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","mate":{"__typename":"Bird","id":"2"}}}"#, query,
      options: CacheWriteOptions(isPartial: true))
    #expect(
      try await store.look(query, partial: true).text == """
        {"bird":{"__typename":"Bird","id":"1","mate":{"__typename":"Bird","id":"2"}}}
        F at 'bird' pending
        """)
  }

  @Test func `a streamed list is incomplete until its end`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock @stream(initialCount: 1) { __typename id } }")
    let one = #"{"flock":[{"__typename":"Bird","id":"1"}]}"#
    try await store.write(one, query, options: CacheWriteOptions(isPartial: true))
    #expect(try await store.look(query).data == nil)
    #expect(try await store.look(query, partial: true).data?.description == one)
    try await store.write(one, query)
    #expect(try await store.look(query).data?.description == one)
  }

  @Test(
    arguments: [
      ("tags", #"["a"]"#, #"["a","b"]"#), ("flights", "[[1]]", "[[1],[2,3]]"), ("data", #"[{"a":1}]"#, #"[{"a":1},2]"#),
      ("tracks", #"[[{"__typename":"Nest","eggs":1}]]"#, #"[[{"__typename":"Nest","eggs":1}],[]]"#),
    ], CacheKind.allCases)
  func `a stream that ended early is partial, in lists of every shape`(
    list: (name: String, part: String, complete: String), kind: CacheKind
  ) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    let schema = Schema.load(
      sdl: """
        type Query { tags: [String!] flights: [[Int!]!]! data: [JSON] tracks: [[Nest]] }
        scalar JSON type Nest { eggs: Int }
        """)
    let selection = list.name == "tracks" ? " { __typename eggs }" : ""
    for schema in [schema, nil] {
      try await store.clear()
      let plain = try operation("{ \(list.name)\(selection) }", schema: schema)
      let query = try operation("{ \(list.name) @stream(initialCount: 1)\(selection) }", schema: schema)
      let part = #"{"\#(list.name)":\#(list.part)}"#
      try await store.write(part, query, options: CacheWriteOptions(isPartial: true))
      for query in [query, plain] {
        let read = try await store.look(query, partial: true)
        #expect(!read.isComplete && read.data?.description == part)
        #expect(read.openLists == [ResponsePath([.key(list.name)])])
      }
      let complete = #"{"\#(list.name)":\#(list.complete)}"#
      try await store.write(complete, query)
      #expect(try await store.look(plain).data?.description == complete)
      // An export contains whether the list is complete.
      try await store.write(part, query, options: CacheWriteOptions(isPartial: true))
      let copy = CacheStore()
      try await copy.importRecords(CacheExport.json(try await store.snapshot()))
      #expect(try await !copy.look(plain, partial: true).isComplete)
    }
  }

  @Test func `the last payload completes a list even if it has no items`() async throws {
    let store = CacheStore()
    let query = try operation("{ version flock @stream(initialCount: 1) { __typename id } }")
    let all = #"{"version":"1","flock":[{"__typename":"Bird","id":"1"},{"__typename":"Bird","id":"2"}]}"#
    try await store.write(
      #"{"version":"1","flock":[{"__typename":"Bird","id":"1"}]}"#, query, options: CacheWriteOptions(isPartial: true))
    let changed = try await store.write(
      all, query, options: CacheWriteOptions(isPartial: true, paths: [["flock", 1]], payloadIndex: 1))
    #expect(changed == ["Bird:2.__typename", "Bird:2.id", "QUERY_ROOT.flock"])
    #expect(try await store.look(query).data == nil)
    try await store.write(all, query, options: CacheWriteOptions(paths: [], payloadIndex: 2))
    #expect(try await store.look(query).data?.description == all)
  }

  @Test func `the last payload stores the errors of the complete response`() async throws {
    let store = CacheStore()
    let query = try operation("{ version flock @stream(initialCount: 1) { __typename id } }")
    try await store.write(
      #"{"version":1.5,"flock":[]}"#, query, options: CacheWriteOptions(paths: [["flock"]], payloadIndex: 1))
    #expect(try await store.look(query, partial: true).errors.map(\.path) == [["version"]])
  }

  @Test(arguments: CacheKind.allCases)
  func `an error is stored with its object if the response contains another one later`(kind: CacheKind) async throws {
    let folder = try TemporaryFolder()
    let store = CacheStore(cache: try kind.cache(in: folder))
    func home(_ id: String, _ name: String) -> String {
      #"{"__typename":"Bird","id":"1","home":{"__typename":"Station","id":"\#(id)"\#(name)}}"#
    }
    // One bird twice, with a different home each time. An error of the first home does not belong to the second.
    var options = CacheWriteOptions.complete
    options.errors = [GraphQLError(message: "no name", path: ["flock", 0, "home", "name"])]
    try await store.write(
      #"{"flock":[\#(home("1", #","name":null"#)),\#(home("2", ""))]}"#,
      try operation("{ flock { __typename id home { __typename id name } } }"), options: options)
    let query = try operation(
      #"{ bird(id: 1) { __typename id home { __typename id ... @defer(label: "name") { name } } } }"#)
    for (station, state) in [("1", "failed"), ("2", "pending")] {
      try await store.write(#"{"bird":\#(home(station, ""))}"#, query, options: CacheWriteOptions(isPartial: true))
      #expect(try await store.look(query, partial: true).fragments.map(\.state.name) == [state])
    }
  }
}
