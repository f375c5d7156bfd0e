import ApusClientAPI
import ApusClientOperation
import ApusJSON
import Testing

@testable import ApusClientCache

/// Written data is read back unchanged.
@Suite(.timeLimit(.minutes(1))) struct RoundTripTests {
  private func returns(_ query: String, _ response: String, _ variables: String = "{}") async throws {
    let store = CacheStore()
    let operation = try operation(query)
    try await store.write(response, operation, variables)
    let read = try await store.look(operation, variables)
    #expect(read.data == (try json(response)))
    #expect(read.isComplete)
  }

  @Test func `scalars of every kind and size are read back`() async throws {
    let long = String(repeating: "long", count: 6000)
    for value in [
      "null", "true", "1", "-0.10", "1e999", "123456789012345678901234567890", #""""#, #""short""#,
      #""exactly8""#, #""nine char""#, #""quote \" and \\ and \n""#, "\"日本語 🐦 e\u{301}\"", "\"\(long)\"",
      #"{"a":[1,{"b":null}],"c":""}"#, "[]", "{}", "[[1],[]]",
    ] { try await returns("{ settings }", #"{"settings":\#(value)}"#) }
  }

  @Test func `references lists and embedded objects are read back`() async throws {
    try await returns(
      "{ bird(id: 1) { __typename id mate { __typename id name } nest { __typename material eggs } } }",
      #"{"bird":{"__typename":"Bird","id":"1","mate":{"__typename":"Bird","id":"2","name":"B"},"#
        + #""nest":{"__typename":"Nest","material":"reed","eggs":3}}}"#)
    try await returns(
      "{ flock { __typename id tracks { __typename eggs } } }",
      #"{"flock":[{"__typename":"Bird","id":"1","tracks":[[{"__typename":"Nest","eggs":1},null],[],null]},null]}"#)
    try await returns("{ flock { id } }", #"{"flock":[]}"#)
    try await returns("{ flock { id } }", #"{"flock":null}"#)
  }

  @Test func `a field with arguments is a cache hit in any notation`() async throws {
    let store = CacheStore()
    let response = #"{"bird":{"__typename":"Bird","id":"1","photo":"p"}}"#
    let written = try operation("query ($id: ID!, $s: Int = 3) { bird(id: $id) { __typename id photo(size: $s) } }")
    try await store.write(response, written, #"{"id":"1"}"#)
    let asked = try operation(#"{ bird(id: "1") { __typename id photo(size: 3) } }"#)
    #expect(try await store.look(asked).data?.description == response)
    let other = try operation(#"{ bird(id: "1") { __typename id photo(size: 4) } }"#)
    #expect(try await store.look(other).text == "nothing\nmissing bird.photo")
  }

  @Test func `aliases of a field with equal and different arguments are read back`() async throws {
    try await returns(
      "{ bird(id: 1) { __typename id small: photo(size: 1) big: photo(size: 9) again: photo(size: 1) } }",
      #"{"bird":{"__typename":"Bird","id":"1","small":"s","big":"b","again":"s"}}"#)
    try await returns(
      "{ a: bird(id: 1) { __typename id name } b: bird(id: 1) { __typename id age } }",
      #"{"a":{"__typename":"Bird","id":"1","name":"A"},"b":{"__typename":"Bird","id":"1","age":2}}"#)
  }

  @Test func `an object with an aliased key field has its key`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"bird":{"__typename":"Bird","number":"7","id":"7"}}"#,
      try operation("{ bird(id: 7) { __typename number: id } }"))
    #expect(try await store.keys() == ["QUERY_ROOT", "Bird:7"])
  }

  @Test func `two queries share a record`() async throws {
    let store = CacheStore()
    let names = try operation("{ flock { __typename id name } }")
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"},{"__typename":"Bird","id":"2","name":"B"}]}"#, names)
    let rename = try operation(#"mutation { rename(id: 2, name: "C") { __typename id name age } }"#)
    let changed = try await store.write(
      #"{"rename":{"__typename":"Bird","id":"2","name":"C","age":4}}"#, rename)
    #expect(changed == ["Bird:2.age", "Bird:2.name"])
    #expect(
      try await store.look(names).data?.description
        == #"{"flock":[{"__typename":"Bird","id":"1","name":"A"},{"__typename":"Bird","id":"2","name":"C"}]}"#)
  }

  @Test func `unions and interfaces read the fields of their type`() async throws {
    try await returns(
      "{ search { __typename ... on Bird { id age } ... on Station { id name } } }",
      #"{"search":[{"__typename":"Station","id":"s","name":"Helgoland"},{"__typename":"Bird","id":"b","age":1}]}"#)
  }

  @Test func `cache keys consist of typename and ID without a schema`() async throws {
    let store = CacheStore()
    let query = try operation("{ things { id name parts { name } } }", schema: nil)
    let response = #"{"things":[{"id":5,"name":"x","parts":[{"name":"y","__typename":"Part"}],"__typename":"Thing"}]}"#
    try await store.write(response, query)
    #expect(try await store.keys() == ["QUERY_ROOT", "Thing:5", "Thing:5.parts.0"])
    #expect(try await store.look(query).data == (try json(response)))
  }

  @Test func `keys can be configured`() async throws {
    let resolver = CacheKeyResolver(
      keyFields: ["Bird": ["name", "age"], "Station": []], uniqueKeyGroups: ["Bird": "Animal"])
    let store = CacheStore(resolver: resolver)
    let query = try operation("{ search { __typename ... on Bird { name age } ... on Station { id name } } }")
    try await store.write(
      #"{"search":[{"__typename":"Bird","name":"a+b","age":1,"id":"1"},{"__typename":"Station","id":"s","name":"H"}]}"#,
      query)
    #expect(try await store.keys() == ["QUERY_ROOT", #"Animal:a\+b+1"#, "QUERY_ROOT.search.1"])
    let custom = CacheStore(
      resolver: CacheKeyResolver { type, object in
        object["name"]?.string.map { CacheKeyInfo(id: "\(type)-\($0)", uniqueKeyGroup: "All") }
      })
    try await custom.write(#"{"search":[{"__typename":"Bird","name":"n","age":1,"id":"1"}]}"#, query)
    #expect(try await custom.keys() == ["QUERY_ROOT", "All:Bird-n"])
  }

  @Test func `an unchanged read returns the same document`() async throws {
    let store = CacheStore()
    let query = try operation("{ version }")
    try await store.write(#"{"version":"1"}"#, query)
    #expect(try await store.look(query).data?.description == #"{"version":"1"}"#)
    #expect(try await store.look(query).data?.description == #"{"version":"1"}"#)
    try await store.write(#"{"version":"2"}"#, query)
    #expect(try await store.look(query).data?.description == #"{"version":"2"}"#)
  }
}
