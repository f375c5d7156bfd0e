import ApusClientNetwork
import ApusJSON
import Testing

@testable import ApusAudit

private func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

struct MultipartBodyTests {
  @Test func `parts end at a delimiter at the start of a line`() {
    let text = "\r\n---\r\nContent-Type: application/json\r\n\r\n{\"a\":\"---\"}\r\n---\r\nA: b\r\n\r\n{}\r\n-----\r\n"
    let body = MultipartBody(Array(text.utf8), boundary: "-")
    #expect(body.parts.map { String(decoding: $0.body, as: UTF8.self) } == ["{\"a\":\"---\"}", "{}"])
    #expect(body.parts.first?.header("content-type") == "application/json")
    #expect(body.isClosed && body.hasFirstLineEnd)
    #expect(body.epilogue.filter { $0 > 0x20 }.isEmpty)
  }

  @Test func `deviations are listed`() {
    let text = "---\r\n\r\n{}\r\n-----\r\nlate"
    let body = MultipartBody(Array(text.utf8), boundary: "-")
    #expect(!body.hasFirstLineEnd && body.isClosed)
    #expect(String(decoding: body.epilogue, as: UTF8.self) == "late")
    let open = MultipartBody(Array("---\r\n\r\n{}".utf8), boundary: "-")
    #expect(!open.isClosed && open.parts.count == 1)
    #expect(MultipartBody(Array("{}".utf8), boundary: "-").parts.isEmpty)
  }
}

struct ResponseTreeTests {
  @Test(arguments: [
    (#"{"a":1}"#, #"{"a":1.0}"#, []), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, []),
    (#"{"a":[{"b":1},{"b":2}]}"#, #"{"a":[{"b":1},{"b":3}]}"#, [".a.*.b"]), (#"{"a":[1]}"#, #"{"a":[1,2]}"#, [".a"]),
    (#"{"a":null}"#, #"{}"#, [".a"]), (#"{"a":"1"}"#, #"{"a":1}"#, [".a"]),
  ])
  func `differences are the paths of unequal values`(_ left: String, _ right: String, _ paths: [String]) throws {
    let differences = MutableJSON(try json(left)).differences(from: MutableJSON(try json(right)))
    #expect(differences.sorted() == paths)
  }

  @Test func `merging keeps the members of both`() throws {
    var tree = MutableJSON(try json(#"{"a":{"b":1},"c":[{"d":1},{"d":2}]}"#))
    let fields = SelectedFields(of: "{ a { b } ... on T { a { e } ...C } } fragment C on T { c { d f } }")
    tree.addMembers(of: MutableJSON(try json(#"{"a":{"e":2},"c":[{"f":1},{"f":2}]}"#)), fields)
    let expected = MutableJSON(try json(#"{"a":{"b":1,"e":2},"c":[{"d":1,"f":1},{"d":2,"f":2}]}"#))
    #expect(tree.differences(from: expected).isEmpty)
  }

  private static let document = """
    { x u { id n } l { id n } e { c node { id } } p { a b } o { a f { id } } s @stream { id n } }
    """

  @Test(arguments: [
    (#"{"x":[1,2]}"#, #"{"x":[9]}"#, #"{"x":[9]}"#), (#"{"x":{"a":1}}"#, #"{"x":{"b":2}}"#, #"{"x":{"b":2}}"#),
    (#"{"x":1}"#, #"{"x":null}"#, #"{"x":1}"#), (#"{"u":{"id":1,"n":1}}"#, #"{"u":null}"#, #"{"u":{"id":1,"n":1}}"#),
    (#"{"u":{"id":1,"n":1}}"#, #"{"u":{"id":2}}"#, #"{"u":{"id":2}}"#),
    (#"{"l":[{"id":1,"n":1},{"id":2,"n":2}]}"#, #"{"l":[{"id":2}]}"#, #"{"l":[{"id":2,"n":2}]}"#),
    (
      #"{"e":[{"c":"a","node":{"id":1}},{"c":"b","node":{"id":2}}]}"#, #"{"e":[{"node":{"id":2}},{"node":{"id":1}}]}"#,
      #"{"e":[{"c":"b","node":{"id":2}},{"c":"a","node":{"id":1}}]}"#
    ),
    (#"{"p":[{"a":1,"b":2}]}"#, #"{"p":[{"a":1}]}"#, #"{"p":[{"a":1,"b":2}]}"#),
    (#"{"p":[{"a":1,"b":2}]}"#, #"{"p":[{"a":9}]}"#, #"{"p":[{"a":9}]}"#),
    (#"{"o":{"a":1,"f":{"id":1}}}"#, #"{"o":{"f":{"id":2}}}"#, #"{"o":{"f":{"id":2}}}"#),
    (
      #"{"s":[{"id":1,"n":1},{"id":2,"n":2},{"id":3}]}"#, #"{"s":[{"id":2}]}"#,
      #"{"s":[{"id":2,"n":2},{"id":3},{"id":1,"n":1}]}"#
    ),
  ])
  func `a field that is sent twice has the newer value, by keys`(older: String, newer: String, expected: String) throws
  {
    var tree = MutableJSON(try json(older))
    tree.addMembers(of: MutableJSON(try json(newer)), SelectedFields(of: Self.document))
    #expect(tree.differences(from: MutableJSON(try json(expected))).isEmpty)
  }
}

struct PayloadMergerTests {
  private func merge(_ payloads: String...) throws -> PayloadMerger {
    PayloadMerger(try payloads.map(json)[...], of: "{ a { b { c } } l }")
  }

  @Test func `the v0.2 format merges by id and subPath`() throws {
    let merged = try merge(
      #"{"data":{"a":{"b":{}},"l":[1]},"pending":[{"id":"0","path":["a"]},{"id":"1","path":["l"]}],"hasNext":true}"#,
      #"{"incremental":[{"id":"0","subPath":["b"],"data":{"c":1}},{"id":"1","items":[2,3]}],"hasNext":false}"#)
    let expected = MutableJSON(try json(#"{"a":{"b":{"c":1}},"l":[1,2,3]}"#))
    #expect(merged.problem == nil)
    #expect(merged.data.differences(from: expected).isEmpty)
  }

  @Test func `the 2022 format merges by path`() throws {
    let merged = try merge(
      #"{"data":{"a":{},"l":[1]},"hasNext":true}"#,
      #"{"incremental":[{"path":["a"],"data":{"c":1}},{"path":["l",1],"items":[2]}],"hasNext":false}"#)
    #expect(merged.problem == nil)
    #expect(merged.data.differences(from: MutableJSON(try json(#"{"a":{"c":1},"l":[1,2]}"#))).isEmpty)
  }

  /// The payloads of `{ users { id n l } }` in which the second moves the elements, and the result.
  @Test(arguments: [
    (
      [
        #"{"data":{"users":[{"id":1},{"id":2},{"id":3}]},"hasNext":true}"#,
        #"{"incremental":[{"path":["users",1],"data":{"n":"two"}}],"hasNext":true}"#,
        #"{"incremental":[{"path":[],"data":{"users":[{"id":2},{"id":1}]}}],"hasNext":true}"#,
        #"{"incremental":[{"path":["users",0],"data":{"n":"one"}},{"path":["users",2],"data":{"n":"three"}}]}"#,
      ], #"{"users":[{"id":2,"n":"two"},{"id":1,"n":"one"}]}"#
    ),
    (
      [
        #"{"data":{"users":[{"id":1},{"id":2}]},"pending":[{"id":"a","path":[]},{"id":"0","path":["users",0]},{"id":"1","path":["users",1]}]}"#,
        #"{"incremental":[{"id":"a","data":{"users":[{"id":2},{"id":1}]}}]}"#,
        #"{"incremental":[{"id":"0","data":{"n":"one"}},{"id":"1","data":{"n":"two"}}]}"#,
      ], #"{"users":[{"id":2,"n":"two"},{"id":1,"n":"one"}]}"#
    ),
    (
      [
        #"{"data":{"users":[{"id":1,"l":[1]},{"id":2,"l":[2]}]}}"#,
        #"{"incremental":[{"path":[],"data":{"users":[{"id":2},{"id":3},{"id":1}]}}]}"#,
        #"{"incremental":[{"path":["users",0,"l",1],"items":[10]},{"path":["users",1,"l",1],"items":[20]}]}"#,
        #"{"incremental":[{"path":[],"data":{"users":[{"id":1},{"id":2}]}}]}"#,
        #"{"incremental":[{"path":["users",0],"data":{"n":"one"}}]}"#,
      ], #"{"users":[{"id":1,"l":[1,10],"n":"one"},{"id":2,"l":[2,20]}]}"#
    ),
  ])
  func `payloads find the elements that another one moved`(payloads: [String], expected: String) throws {
    let merged = PayloadMerger(try payloads.map(json)[...], of: "{ users { id n l } }")
    #expect(merged.problem == nil)
    #expect(merged.data.differences(from: MutableJSON(try json(expected))).isEmpty, "\(merged.data)")
  }

  @Test func `an index that no payload has is a problem after a move too`() throws {
    let payloads = [
      #"{"data":{"users":[{"id":1}]}}"#, #"{"incremental":[{"path":[],"data":{"users":[{"id":1}]}}]}"#,
      #"{"incremental":[{"path":["users",1],"data":{"n":1}}]}"#,
    ]
    #expect(
      PayloadMerger(try payloads.map(json)[...], of: "{ users { id n } }").problem == "no object is at users.1")
  }

  @Test func `results with an invalid path are a problem`() throws {
    #expect(
      try merge(#"{"data":{},"hasNext":true}"#, #"{"incremental":[{"id":"7","data":{}}]}"#).problem
        == "the id 7 was not announced")
    #expect(
      try merge(#"{"data":{"a":null},"hasNext":true}"#, #"{"incremental":[{"path":["a","b"],"data":{}}]}"#).problem
        == "no object is at a.b")
  }

  @Test func `a failed fragment is recorded with its path`() throws {
    let merged = try merge(
      #"{"data":{"a":{}},"pending":[{"id":"0","path":["a"]}],"hasNext":true}"#,
      #"{"completed":[{"id":"0","errors":[{"message":"m"}]}],"hasNext":false}"#)
    #expect(merged.failedPaths.map(\.pathText) == ["a"])
    #expect(merged.errors.count == 1)
  }
}

struct FieldDeriverTests {
  private let schema = AuditSubject.schema(
    """
    type Query {
      bird(id: ID!): Bird  birds(first: Int!, after: String): [Bird!]!  any: Any  old: Bird @deprecated  named(name: String!): Bird
    }
    type Bird { name: String id: ID! parent: Bird secret(key: String!): String }
    type Nest { place: String }
    union Any = Bird | Nest
    """)

  @Test func `fields without required arguments are derived, with small pages`() {
    let fields = FieldDeriver(schema: schema).rootFields()
    #expect(fields.map(\.name) == ["birds", "any"])
    #expect(fields.first?.text == "birds(first: 3) { id name parent { id name parent { id name } } }")
    #expect(fields.last?.text == "any { __typename ... on Bird { id name } ... on Nest { place } }")
  }

  @Test func `a known identifier is used for a required argument`() {
    var deriver = FieldDeriver(schema: schema)
    deriver.identifiers["Bird"] = "b\"1"
    #expect(deriver.rootFields().first?.head == #"bird(id: "b\"1")"#)
  }
}

struct ShapeCheckerTests {
  private let schema = AuditSubject.schema(
    "type Query { a: A } type A { id: ID! size: Size count: Int tags: [String!] } enum Size { BIG }")

  @Test(arguments: [
    (#"{"a":{"id":"1","size":"BIG","count":1,"tags":["x"]}}"#, nil), (#"{"a":null}"#, nil),
    (#"{"a":{"id":null,"size":"BIG","count":1,"tags":[]}}"#, ".a.id is null, but not nullable"),
    (#"{"a":{"id":"1","size":"big","count":1,"tags":[]}}"#, ".a.size is \"big\", not of type Size"),
    (#"{"a":{"id":"1","size":"BIG","count":1.5,"tags":[]}}"#, ".a.count is 1.5, not of type Int"),
    (#"{"a":{"id":"1","size":"BIG","count":1,"tags":[null]}}"#, ".a.tags.0 is null, but not nullable"),
    (#"{"a":{"id":"1","size":"BIG","count":1}}"#, ".a.tags is absent"),
    (#"{"a":null,"b":1}"#, ".b was not selected"),
  ])
  func `contradictions to the schema are found`(_ data: String, _ problem: String?) throws {
    let field = try #require(FieldDeriver(schema: schema).rootFields().first)
    var exchange = Exchange(HTTPRequest(url: "http://127.0.0.1/"))
    exchange.reads = [.init(bytes: Array("{\"data\":\(data)}".utf8), elapsed: .zero)]
    #expect(ShapeChecker(schema: schema).problem(of: exchange, selections: [.field(field)]) == problem)
  }

  @Test(arguments: [(#"["a","id"]"#, 1), (#"["a","count"]"#, 2), (#"["a","tags",0]"#, 2), (#"["b"]"#, nil)])
  func `a null propagates to the nearest nullable position`(_ path: String, _ depth: Int?) throws {
    let field = try #require(FieldDeriver(schema: schema).rootFields().first)
    let components: [JSONValue] = try json(path).elements
    #expect(ShapeChecker(schema: schema).nullDepth(of: components, in: field) == depth)
  }
}
