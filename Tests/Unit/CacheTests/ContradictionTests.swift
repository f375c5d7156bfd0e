import ApusClientAPI
import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientCache

/// Data that contradicts the schema is never returned, whether it was received or written by another program.
@Suite(.timeLimit(.minutes(1))) struct ContradictionTests {
  private static let schema = Schema.load(
    sdl: """
      type Query { bird: Bird nests: [Nest!] }
      type Bird {
        id: ID! name: String! age: Int! weight: Float wild: Boolean! kind: Kind tags: [String!]! mates: [Bird!]! nest: Nest
        settings: JSON
      }
      type Nest { id: ID! eggs: Int! }
      type Robot { id: ID! eggs: Int! }
      enum Kind { SWIFT }
      scalar JSON
      """)
  private static let all = """
    { bird { __typename id name age weight wild kind tags settings
      mates { __typename id name } nest { __typename id eggs } } }
    """
  private static let right: [(String, String)] = [
    ("name", #""A""#), ("age", "3"), ("weight", "1.5"), ("wild", "true"), ("kind", #""SWIFT""#), ("tags", #"["t"]"#),
    ("settings", "[1]"), ("mates", #"[{"__typename":"Bird","id":"2","name":"B"}]"#),
    ("nest", #"{"__typename":"Nest","id":"n","eggs":2}"#),
  ]

  private func bird(_ field: String? = nil, _ value: String = "") -> String {
    let members = Self.right.map { #""\#($0.0)":\#($0.0 == field ? value : $0.1)"# }
    return #"{"bird":{"__typename":"Bird","id":"1",\#(members.joined(separator: ","))}}"#
  }

  private func query(_ text: String = all) throws -> CompiledOperation { try operation(text, schema: Self.schema) }

  private static let wrong: [(field: String, value: String, path: ResponsePath)] = [
    ("name", "null", ["bird", "name"]), ("name", "7", ["bird", "name"]), ("age", #""3""#, ["bird", "age"]),
    ("age", "1.5", ["bird", "age"]), ("age", "1e999", ["bird", "age"]), ("weight", "true", ["bird", "weight"]),
    ("weight", "1e999", ["bird", "weight"]), ("wild", "1", ["bird", "wild"]), ("wild", #""true""#, ["bird", "wild"]),
    ("kind", "1", ["bird", "kind"]), ("tags", #"["t",null]"#, ["bird", "tags", 1]),
    ("tags", #""t""#, ["bird", "tags"]), ("tags", "null", ["bird", "tags"]), ("tags", "[[1]]", ["bird", "tags", 0]),
    ("mates", "[null]", ["bird", "mates", 0]), ("mates", "{}", ["bird", "mates"]),
    ("mates", "null", ["bird", "mates"]),
    ("mates", #"[[]]"#, ["bird", "mates", 0]), ("nest", "7", ["bird", "nest"]), ("nest", "[]", ["bird", "nest"]),
    ("nest", #"{"__typename":"Robot","id":"n","eggs":2}"#, ["bird", "nest"]),
  ]

  @Test
  func `an object of the wrong type does not change the record with its key`() async throws {
    let store = CacheStore()
    let station = try operation(#"{ node(id: "3") { __typename id ... on Station { name } } }"#)
    let written = #"{"node":{"__typename":"Station","id":"3","name":"kept"}}"#
    try await store.write(written, station)
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A","home":{"__typename":"Station","id":"3"}},"#
        + #"{"__typename":"Station","id":"3","name":7,"home":null}]}"#,
      try operation("{ flock { __typename id name home { __typename id } } }"))
    #expect(try await store.look(station).data?.description == written)
    #expect(try await !store.look(try operation("{ flock { __typename id } }"), partial: true).isComplete)
  }

  @Test(arguments: CacheKind.allCases)
  func `an invalid value is not written and its error is stored`(kind: CacheKind) async throws {
    for (field, value, path) in Self.wrong {
      let folder = try TemporaryFolder()
      let store = CacheStore(cache: try kind.cache(in: folder))
      try await store.write(bird(field, value), try query())
      let read = try await store.look(try query(), partial: true)
      #expect(!read.isComplete, "\(field): \(value)")
      #expect(read.missing == [["bird", .key(field)]], "\(field): \(value)")
      #expect(read.errors.map(\.path) == [["bird", .key(field)]], "\(field): \(value)")
      #expect(read.errors.first?.message.contains("\(path)") == true, "\(read.errors)")
      #expect(read.errors.first?.extensions?["code"]?.string == GraphQLError.invalidResponseCode)
      #expect(try await store.record("Bird:1")?[field: field] == nil, "\(field): \(value)")
      // The other fields are written, and a valid response replaces the error.
      #expect(try await store.record("Bird:1")?.fields.count == Self.right.count + 1)
      try await store.write(bird(), try query())
      #expect(try await store.look(try query()).text == bird())
    }
  }

  @Test func `an invalid field in a list item is missing only in that item`() async throws {
    let store = CacheStore()
    let query = try query("{ bird { __typename id mates { __typename id name } } }")
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","mates":[{"__typename":"Bird","id":"2","name":null},{"__typename":"Bird","id":"3","name":"C"}]}}"#,
      query)
    #expect(try await store.look(query, partial: true).missing == [["bird", "mates", 0, "name"]])
  }

  @Test func `payloads are checked like complete responses`() async throws {
    let store = CacheStore()
    let query = try query("{ bird { __typename id name ... @defer(label: \"d\") { tags age } } }")
    let base = #"{"bird":{"__typename":"Bird","id":"1","name":"A"}}"#
    try await store.write(base, query, options: CacheWriteOptions(isPartial: true))
    let complete = try json(base).replacing(at: ["bird", "tags"], with: try json(#"["t",null]"#))
      .replacing(at: ["bird", "age"], with: 3)
    var options = CacheWriteOptions(paths: [["bird", "tags"], ["bird", "age"]], payloadIndex: 1)
    try await store.write(complete, operation: query, options: options)
    options.payloadIndex = nil
    let read = try await store.look(query, partial: true)
    #expect(read.data?.description == base)
    #expect(read.fragments.map(\.state.name) == ["failed"])
    #expect(read.errors.map(\.path) == [["bird", "tags"]])
    #expect(try await store.record("Bird:1")?[field: "age"] == .scalar(3))
  }

  @Test func `a fragment that failed on the server is read as failed with its error`() async throws {
    let store = CacheStore()
    let query = try query(
      "{ bird { __typename id nest { __typename id } ... @defer(label: \"d\") { name nest { eggs } } } }")
    let fragment = try #require(query.fragments.first)
    let error = GraphQLError(message: "no nests today")
    var options = CacheWriteOptions.complete
    options.failedFragments = [
      DeferredFragment(
        fragmentID: fragment.id, label: "d", path: ["bird"], typeCondition: nil, name: nil, state: .failed([error]))
    ]
    let base = #"{"bird":{"__typename":"Bird","id":"1","nest":{"__typename":"Nest","id":"n"}}}"#
    try await store.write(base, query, options: options)
    let read = try await store.look(query, partial: true)
    #expect(read.data?.description == base)
    #expect(read.fragments.first?.state.errors.map(\.message) == ["no nests today", "no nests today"])
    #expect(read.fragments.first?.state.errors.map(\.path) == [["bird", "name"], ["bird", "nest", "eggs"]])
    try await store.write(
      #"{"bird":{"__typename":"Bird","id":"1","name":"A","nest":{"__typename":"Nest","id":"n","eggs":1}}}"#, query)
    #expect(try await store.look(query).fragments.map(\.state) == [.fulfilled])
  }

  /// `rights` are the indexes of the values that are valid for a field. `modify` can write any of them.
  @Test(arguments: CacheKind.allCases)
  func `invalid values from other writers are cache misses`(kind: CacheKind) async throws {
    let nothing = RecordValue.list([])
    let values: [RecordValue] = [
      .scalar(.null), .scalar(7), .scalar("x"), .scalar(true), .scalar(1.25), .scalar(["x"]), .scalar(["x", .null]),
      .scalar(.object([("a", 1)])), .reference(CacheReference("Bird:1")), .reference(CacheReference("Nest:n")),
      .reference(CacheReference("Bird:none")), nothing, .list([.scalar(.null)]), .list([.missing]), .missing,
      .list([nothing]), .list([.reference(CacheReference("Bird:2"))]), .list([.reference(CacheReference("Nest:n"))]),
      .list([.scalar("x")]),
    ]
    let rights: [String: Set<Int>] = [
      "name": [2], "age": [1], "weight": [0, 1, 4], "wild": [3], "kind": [0, 2], "tags": [5], "mates": [11, 16],
      "nest": [0, 9], "settings": [0, 1, 2, 3, 4, 5, 6, 7],
    ]
    for (field, _) in Self.right {
      for (number, value) in values.enumerated() {
        let folder = try TemporaryFolder()
        let store = CacheStore(cache: try kind.cache(in: folder))
        try await store.write(bird(), try query())
        try await store.modify("Bird:1") { $0[field] = value }
        let text = "{ bird { __typename id \(selection(field)) } }"
        for text in [text, "{ bird { __typename id ... @defer(label: \"d\") { \(selection(field)) } } }"] {
          let read = try await store.look(try query(text), partial: true)
          #expect(read.isComplete == rights[field]?.contains(number), "\(field) \(number): \(read.text)")
          #expect(read.data?["bird"]?["id"]?.string == "1")
        }
      }
    }
  }

  private func selection(_ field: String) -> String {
    switch field {
    case "mates": "mates { __typename id name }"
    case "nest": "nest { __typename id eggs }"
    default: field
    }
  }

  @Test func `values are not checked without a schema`() async throws {
    let store = CacheStore()
    let query = try operation("{ bird { __typename id name } }", schema: nil)
    for name in ["null", "7", "[[1]]", #"{"a":1}"#] {
      let text = #"{"bird":{"__typename":"Bird","id":"1","name":\#(name)}}"#
      try await store.write(text, query)
      #expect(try await store.look(query).text == text)
    }
  }
}
