import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import Testing

/// Setting arguments in the tree of fields.
struct FieldTreeTests {
  private static let schema = Schema.load(
    sdl: """
      scalar Long
      scalar JSON
      type Query {
        find(surname: String!, name: String!): String
        store(count: Long, data: JSON, title: String, id: ID): String
      }
      """)

  /// Returns the document after setting an argument of a query field; `nil` if the value is invalid.
  private func after(_ text: String, _ field: String, _ argument: String, _ value: String) -> String? {
    let document = Document(parsing: text)
    let tree = FieldTree(document: document, offset: 0, schema: Self.schema)
    let edits = tree.set([.root(.query), .field(field), .argument(argument)], to: value)
    return edits.map { String(decoding: $0.applied(to: document.source.bytes), as: UTF8.self) }
  }

  /// The fields of an object, and those that selecting it selects.
  @Test(arguments: [
    ("title: ID name: ID id: ID", ["id", "name"]), ("title: ID name: ID", ["name", "title"]), ("title: ID", ["title"]),
    ("id: ID n: ID", ["id"]), ("n: ID", ["__typename"]), ("id(a: Int): ID", ["id"]),
    ("id(a: Int!): ID", ["__typename"]),
    ("id: A name: E", ["name"]), ("id: [ID!]!", ["id"]),
  ])
  func `a selected object has two fields that identify it`(fields: String, selected: [String]) throws {
    let document = Document(parsing: "")
    let schema = Schema.load(sdl: "type Query { a: A } enum E { X } type A { \(fields) }")
    let edits = FieldTree(document: document, offset: 0, schema: schema).toggle([.root(.query), .field("a")])
    let text = String(decoding: edits.applied(to: []), as: UTF8.self)
    #expect(text.split { $0.isWhitespace }.map(String.init) == ["query", "{", "a", "{"] + selected + ["}", "}"])
  }

  @Test func `setting an argument selects its field with this argument only`() {
    #expect(after("{ store }", "find", "name", "Ada") == #"{ store find(surname: "", name: "Ada") }"#)
    #expect(after("{ store }", "find", "surname", "Ada") == #"{ store find(surname: "Ada", name: "") }"#)
    #expect(after("", "find", "name", "Ada") == "query {\n  find(surname: \"\", name: \"Ada\")\n}\n")
    #expect(after("{ find }", "find", "name", "Ada") == #"{ find(name: "Ada") }"#)
  }

  @Test(arguments: [
    ("count", "5", "5"), ("count", "-1.5", "-1.5"), ("count", "hello", #""hello""#), ("data", "{a: 1}", "{a: 1}"),
    ("data", "[1, 2]", "[1, 2]"), ("data", "true", "true"), ("data", "hello", #""hello""#),
    ("data", "{a: ", #""{a: ""#), ("title", "5", #""5""#), ("title", "{a: 1}", #""{a: 1}""#), ("id", "5", #""5""#),
  ])
  func `numbers and objects of custom scalars are written unquoted`(argument: String, value: String, written: String) {
    #expect(after("{ store }", "store", argument, value) == "{ store(\(argument): \(written)) }")
  }
}
