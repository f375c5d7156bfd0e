import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import Testing

/// Renaming elements of a schema with everything that must have the same name. The cursor is `^`.
struct RenameTests {
  /// Returns the document after renaming, or the error.
  private func rename(_ marked: String, to name: String, schema: Schema? = nil) -> String {
    let parts = marked.split(separator: "^", omittingEmptySubsequences: false)
    let service = LanguageService(document: Document(parsing: parts.joined()), schema: schema)
    do throws(RenameError) {
      let edits = try service.rename(at: parts[0].utf8.count, to: name)
      return String(decoding: edits.applied(to: Array(parts.joined().utf8)), as: UTF8.self)
    } catch {
      return error.description
    }
  }

  private static let family = """
    interface Node { id(of: Int): ID! }
    interface Named implements Node { id(of: Int): ID! name: String }
    type Bird implements Named & Node { id(of: Int): ID! name: String }
    type Nest implements Node { id(of: Int): ID! eggs: Int }
    type Egg { id(of: Int): ID! }
    type Query { node: Node bird: Bird nest: Nest egg: Egg }
    query Q { node { id(of: 1) ... on Named { id(of: 1) name } } bird { id(of: 1) b: id(of: 1) } nest { id(of: 1) } egg { id(of: 1) } }
    """

  /// The names in the order of the document, without those of `Egg`, which implements no interface.
  @Test(arguments: [
    ("interface Node { i^d", "interface Node { id"), ("Named & Node { i^d", "Named & Node { id"),
    ("Named implements Node { i^d", "Named implements Node { id"),
    ("Nest implements Node { i^d", "Nest implements Node { id"),
  ])
  func `a field is renamed in interfaces and implementing types`(marked: String, plain: String) {
    let expected = Self.family.replacing("id(of", with: "key(of").replacing(
      "type Egg { key(of", with: "type Egg { id(of"
    )
    .replacing("egg { key(of", with: "egg { id(of")
    #expect(rename(Self.family.replacing(plain, with: marked), to: "key") == expected)
  }

  @Test func `an argument is renamed in interfaces and implementing types`() {
    let expected = Self.family.replacing("id(of", with: "id(at").replacing("type Egg { id(at", with: "type Egg { id(of")
      .replacing("egg { id(at", with: "egg { id(of")
    let marked = Self.family.replacing("Nest implements Node { id(of", with: "Nest implements Node { id(o^f")
    #expect(rename(marked, to: "at") == expected)
  }

  @Test(arguments: [
    // Root types.
    ("type Qu^ery { a: Int }", "Root", "type Root { a: Int }\n\nschema {\n  query: Root\n}\n"),
    (
      "type Query { a: Int }\ntype Mu^tation { b: Int }\n", "Change",
      "type Query { a: Int }\ntype Change { b: Int }\n\nschema {\n  query: Query\n  mutation: Change\n}\n"
    ),
    ("schema { query: Query } type Qu^ery { a: Int }", "Root", "schema { query: Root } type Root { a: Int }"),
    ("schema { query: Que^ry } type Query { a: Int }", "Root", "schema { query: Root } type Root { a: Int }"),
    (
      "type Query { a: Chan^ge } type Change { b: Int }", "Mutation",
      "type Query { a: Mutation } type Mutation { b: Int }\n\nschema {\n  query: Query\n}\n"
    ),
    (
      "type Que^ry { a: Int } extend schema { mutation: M } type M { b: Int }", "Root",
      "type Root { a: Int } extend schema { mutation: M } type M { b: Int }\n\nschema {\n  query: Root\n}\n"
    ),
    // Extensions, implements, unions, default values and directives.
    (
      "type Query { a: Bi^rd } type Bird { b: Int } extend type Bird { c: Int } union U = Bird", "Owl",
      "type Query { a: Owl } type Owl { b: Int } extend type Owl { c: Int } union U = Owl"
    ),
    (
      "type Query { a: Bird } type Bird { b: Int } extend type Bi^rd { c: Int } query { a { c } } fragment F on Bird { c }",
      "Owl",
      "type Query { a: Owl } type Owl { b: Int } extend type Owl { c: Int } query { a { c } } fragment F on Owl { c }"
    ),
    (
      "type Query { a: Int } extend type Query { b(c: E = X): E } enum E { X^ Y } query ($e: E = X) { b(c: X) }", "Z",
      "type Query { a: Int } extend type Query { b(c: E = Z): E } enum E { Z Y } query ($e: E = Z) { b(c: Z) }"
    ),
    (
      "type Query { a(i: I = { x: 1 }): Int } input I { x^: Int } query { a(i: { x: 2 }) }", "y",
      "type Query { a(i: I = { y: 1 }): Int } input I { y: Int } query { a(i: { y: 2 }) }"
    ),
    (
      "directive @d(x: Int) on FIELD_DEFINITION | FIELD type Query { a: Int @d^(x: 1) } query { a @d }", "e",
      "directive @e(x: Int) on FIELD_DEFINITION | FIELD type Query { a: Int @e(x: 1) } query { a @e }"
    ),
    (
      "directive @d(x^: Int) on FIELD_DEFINITION | FIELD type Query { a: Int @d(x: 1) } query { a @d(x: 2) }", "y",
      "directive @d(y: Int) on FIELD_DEFINITION | FIELD type Query { a: Int @d(y: 1) } query { a @d(y: 2) }"
    ),
    // Variables of fragments.
    (
      "query ($n: Int) { ...F(n: $n) } fragment F($n^: Int) on Query { a(b: $n) } type Query { a(b: Int): Int }", "m",
      "query ($n: Int) { ...F(m: $n) } fragment F($m: Int) on Query { a(b: $m) } type Query { a(b: Int): Int }"
    ),
    (
      "query ($n^: Int) { ...F(n: $n) } fragment F($n: Int) on Query { a(b: $n) } type Query { a(b: Int): Int }", "m",
      "query ($m: Int) { ...F(n: $m) } fragment F($n: Int) on Query { a(b: $n) } type Query { a(b: Int): Int }"
    ),
    (
      """
      query { ...F @arguments(n: 1) } type Query { a(b: Int): Int }
      fragment F on Query @argumentDefinitions(n: { type: "Int" }) { a(b: $n^) }
      """, "m",
      """
      query { ...F @arguments(m: 1) } type Query { a(b: Int): Int }
      fragment F on Query @argumentDefinitions(m: { type: "Int" }) { a(b: $m) }
      """
    ),
  ])
  func `every use is renamed`(marked: String, name: String, expected: String) {
    #expect(rename(marked, to: name) == expected)
  }

  private static let types = """
    interface Node { id: ID! } type Bird implements Node { id: ID! name: String size(of: Size = SMALL, at: Int): Int }
    enum Size { SMALL LARGE } input Filter { least: Int most: Int } type Query { bird(by: Filter): Bird node: Node }
    directive @a(x: Int, y: Int) on FIELD directive @b on FIELD

    """

  @Test(arguments: [
    ("enum Size { SMA^LL", "true", "reserved"), ("enum Size { SMA^LL", "null", "reserved"),
    ("enum Size { SMA^LL", "LARGE", "already used"),
    ("enum Size { SMA^LL", "__S", "reserved"), ("type Bi^rd", "__Bird", "reserved"),
    ("type Bi^rd", "Node", "already used"),
    ("type Bi^rd", "String", "already used"), ("type Bi^rd", "Float", "already used"),
    ("interface Node { i^d", "name", "already used"),
    ("interface Node { i^d", "__id", "reserved"), ("size(o^f", "at", "already used"), ("size(o^f", "__of", "reserved"),
    ("input Filter { lea^st", "most", "already used"), ("input Filter { lea^st", "__most", "reserved"),
    ("directive @a^", "b", "already used"),
    ("directive @a^", "skip", "already used"), ("directive @a(x^", "y", "already used"),
    ("directive @a^", "__a", "reserved"),
    ("{ a^: bird { id } node { id } }", "node", "already used"),
    ("{ a^: bird { id } b: bird { id } }", "b", "already used"),
    ("{ a^: bird { id } ... { b: bird { id } } }", "b", "already used"),
    ("{ ... { a^: bird { id } } b: bird { id } }", "b", "already used"),
    ("{ a^: bird { id } ...F } fragment F on Query { b: bird { id } }", "b", "already used"),
    ("{ a^: bird { id } }", "__typename", "reserved"),
    ("{ ...F^ } fragment F on Query { bird { id } }", "on", "reserved"),
    ("{ ...F^ } fragment F on Query { bird { id } } fragment G on Query { ...F }", "G", "already used"),
    ("query A^ { bird { id } } query B { bird { id } }", "B", "already used"),
    ("query A($a^: Filter, $b: Filter) { x: bird(by: $a) { id } y: bird(by: $b) { id } }", "b", "already used"),
    ("{ ...F(a: {}) } fragment F($a^: Filter, $b: Filter) on Query { bird(by: $a) { id } }", "b", "already used"),
    ("type Bi^rd", "9", "is not a valid name"), ("type Bi^rd", "", "is not a valid name"),
  ])
  func `invalid names are rejected`(marked: String, name: String, expected: String) {
    let plain = marked.replacing("^", with: "")
    let isInTypes = Self.types.contains(plain)
    let answer = rename(isInTypes ? Self.types.replacing(plain, with: marked) : Self.types + marked, to: name)
    #expect(answer.contains(expected), "\(answer)")
  }

  @Test(arguments: [
    ("type Query { a: Int b^: String } { c: a b }", "c", "Fields \"c\" conflict"),
    (
      """
      extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key"])
      type Query { a: A } type A @key(fields: "id") { i^d: ID! }
      """, "key", "selects the field"
    ),
    (
      "type Query { a(b^: Int): Int } { a(b: 1) } { a(c: 2) }", "d",
      "= type Query { a(d: Int): Int } { a(d: 1) } { a(c: 2) }"
    ),
  ])
  func `a rename that makes the document invalid is rejected`(marked: String, name: String, expected: String) {
    let answer = rename(marked, to: name)
    if expected.hasPrefix("= ") {
      #expect(answer == expected.dropFirst(2))
    } else {
      #expect(answer.hasPrefix("With the name \"\(name)\" the document would not be valid: "), "\(answer)")
      #expect(answer.contains(expected), "\(answer)")
    }
  }

  @Test func `a rename edits several documents`() throws {
    let texts = [
      "extend type Bird { hatched: Date } scalar Date", "type Bird implements Node { id: ID! }",
      "interface Node { id: ID! } type Query { bird: Bird node: Node }",
      "query { bird { id hatched } ... on Query { node { id } } }",
    ]
    let documents = texts.enumerated().map { Document(parsing: $1, name: "\($0).graphql") }
    let schema = Schema.load(sdl: Array(documents.prefix(3)))
    func renamed(_ order: [Int], at text: String, to name: String) throws -> [String] {
      let offset = try #require(texts[order[0]].firstRange(of: text)?.lowerBound.utf16Offset(in: texts[order[0]]))
      let edits = try RenameScope(order.map { documents[$0] }, schema: schema).rename(at: offset, to: name)
      return zip(order, edits).sorted { $0.0 < $1.0 }.map { index, edits in
        String(decoding: edits.applied(to: Array(texts[index].utf8)), as: UTF8.self)
      }
    }
    #expect(
      try renamed([1, 0, 2, 3], at: "id", to: "key") == [
        texts[0], "type Bird implements Node { key: ID! }",
        "interface Node { key: ID! } type Query { bird: Bird node: Node }",
        "query { bird { key hatched } ... on Query { node { key } } }",
      ])
    #expect(
      try renamed([0, 1, 2, 3], at: "Bird", to: "Owl")[2]
        == "interface Node { id: ID! } type Query { bird: Owl node: Node }")
    #expect(
      try renamed([2, 0, 1, 3], at: "Query", to: "Root").suffix(2) == [
        texts[2].replacing("Query", with: "Root") + "\n\nschema {\n  query: Root\n}\n",
        texts[3].replacing("Query", with: "Root"),
      ])
    // In a query, and for a definition that is in none of the documents.
    #expect(throws: RenameError.schemaName("bird")) { try renamed([3, 0, 1, 2], at: "bird", to: "owl") }
    #expect(throws: RenameError.schemaName("id")) { try renamed([1, 0, 3], at: "id", to: "key") }
  }
}
