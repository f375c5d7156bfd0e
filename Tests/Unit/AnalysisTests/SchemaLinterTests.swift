import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

/// Lint diagnostics of schemas, one per line, and their fixes.
struct SchemaLinterTests {
  /// Returns the diagnostics of a single rule as `line:column coordinate message`.
  private func lint(_ rule: String, _ sdl: String, _ options: [String: [String]] = [:]) -> [String] {
    lintFindings(rule, Schema.load(sdl: sdl), options).map { finding in
      let place = "\(finding.location.line):\(finding.location.column)"
      return "\(place) \(finding.coordinate.map { "\($0) " } ?? "")\(finding.message)"
    }
  }

  private func lintFindings(_ rule: String, _ schema: Schema, _ options: [String: [String]] = [:]) -> [LintDiagnostic] {
    var settings = Dictionary(
      uniqueKeysWithValues: SchemaLinter.rules.map { ($0.name, SchemaLinter.Setting(severity: .off)) })
    settings[rule] = SchemaLinter.Setting(severity: .error, options: options)
    return SchemaLinter.lint(schema, settings: settings)
  }

  private func fixed(_ rule: String, _ sdl: String, _ options: [String: [String]] = [:]) -> String? {
    let schema = Schema.load(sdl: sdl)
    let findings = lintFindings(rule, schema, options)
    return schema.documents.first.flatMap { SchemaLinter.fixed($0, findings) }.map {
      String(decoding: $0, as: UTF8.self)
    }
  }

  // MARK: Rules

  @Test func `names follow the convention`() {
    #expect(
      lint("naming-convention", "type bird { Name(First: Int): Int ok: Int } enum Sex { male } input I { A_b: Int }")
        == [
          "1:6 bird The object bird should be in PascalCase.",
          "1:13 bird.Name The field bird.Name should be in camelCase.",
          "1:18 bird.Name(First:) The argument bird.Name(First:) should be in camelCase.",
          "1:56 Sex.male The enum value Sex.male should be in UPPER_CASE.",
          "1:73 I.A_b The input field I.A_b should be in camelCase.",
        ])
    #expect(lint("naming-convention", "type Bird { snake_name: Int }", ["fields": ["snake_case"]]) == [])
    #expect(lint("naming-convention", "type _Service { _sdl: String } type Bird { x: Int }") == [])
    #expect(lint("naming-convention", "directive @Cost(Weight: Int) on FIELD").count == 2)
  }

  @Test func `member names do not repeat the type name`() {
    #expect(
      lint("no-typename-prefix", "type Bird { birdName: String name: String }") == [
        "1:13 Bird.birdName The field Bird.birdName begins with the name of its type."
      ])
  }

  @Test func `enum values differ by more than case`() {
    #expect(
      lint("unique-enum-value-names", "enum E { A B a }")
        == ["1:14 E.a The enum value E.a differs from A only in case."])
  }

  @Test func `missing descriptions are reported`() {
    let sdl = "type Query { a(x: Int): Int } \"\" enum E { X } \"Y.\" input I { y: Int }"
    #expect(
      lint("require-description", sdl) == [
        "1:6 Query The object Query has no description.", "1:14 Query.a The field Query.a has no description.",
        "1:39 E The enum E has no description.",
      ])
    #expect(
      lint("require-description", sdl, ["types": ["false"], "rootFields": ["false"], "arguments": ["true"]]) == [
        "1:16 Query.a(x:) The argument Query.a(x:) has no description."
      ])
  }

  @Test func `description style is enforced`() {
    let sdl = "\"A bird.\"\ntype Bird {\n  \"\"\"\n  Its id.\n  \"\"\"\n  id: ID # \"kept\"\n}\n"
    #expect(lint("description-style", sdl) == ["1:1 This description should be a block string."])
    #expect(fixed("description-style", sdl) == sdl.replacing("\"A bird.\"", with: "\"\"\"A bird.\"\"\""))
    #expect(
      fixed("description-style", sdl, ["style": ["inline"]])
        == "\"A bird.\"\ntype Bird {\n  \"Its id.\"\n  id: ID # \"kept\"\n}\n")
  }

  /// Only descriptions that keep their value are rewritten.
  @Test(arguments: [#""a\nb""#, #""says \"so\"""#, #""""#, #"" x""#, #""ends \\""#])
  func `a description is not rewritten if its value would change`(text: String) {
    let sdl = "\(text) type Bird { id: ID }"
    #expect(lint("description-style", sdl).count == 1)
    #expect(fixed("description-style", sdl) == nil)
  }

  @Test func `comments used as descriptions are reported`() {
    let sdl = "# A bird.\ntype Bird {\n  # Its id.\n  id: ID # behind\n  name: String\n\n  # ---\n\n  x: Int\n}\n"
    #expect(lint("no-hashtag-description", sdl).map { $0.prefix(3) } == ["2:1", "4:3"])
    #expect(lint("no-hashtag-description", "# A.\n\"A bird.\"\ntype Bird { id: ID }") == [])
    #expect(lint("no-hashtag-description", "# A bird.\r\ntype Bird { id: ID }").count == 1)
    for instruction in [
      "# import Nest from 'nest.graphql'", "#import * from \"nest.graphql\"", "# eslint-disable-next-line",
      "# prettier-ignore", "# import \"nest.graphql\"", "# lint-disable no-birds", "# noinspection All", "# -----", "#",
    ] {
      #expect(lint("no-hashtag-description", "\(instruction)\ntype Bird { id: ID }") == [], "\(instruction)")
    }
    #expect(lint("no-hashtag-description", "# imported birds\ntype Bird { id: ID }").count == 1)
  }

  @Test func `deprecations without a reason are reported`() {
    #expect(
      lint(
        "require-deprecation-reason",
        "type A { x: Int @deprecated y: Int @deprecated(reason: \" \") z(a: Int @deprecated): Int @deprecated(reason: \"R\") }"
      ) == [
        "1:17 A.x A.x is deprecated, and no reason is given.", "1:36 A.y A.y is deprecated, and no reason is given.",
        "1:70 A.z(a:) A.z(a:) is deprecated, and no reason is given.",
      ])
  }

  @Test func `unreachable types are reported`() {
    let sdl = """
      type Query { node: Node }
      interface Node { id: ID }
      # Of old.
      type Old { inner: Inner }

      input Inner { a: Int }
      type Bird implements Node { id: ID }
      extend type Old { b: Int }
      """
    #expect(
      lint("no-unreachable-types", sdl) == [
        "4:6 Old No operation can reach the object Old.",
        "6:7 Inner No operation can reach the input object Inner.",
      ])
    #expect(
      fixed("no-unreachable-types", sdl)
        == "type Query { node: Node }\ninterface Node { id: ID }\n# Of old.\ntype Bird implements Node { id: ID }\n")
    // A partial schema has no root types, or marks types as used by others.
    #expect(lint("no-unreachable-types", "type Query { a: Int } type Bird @key(fields: \"id\") { id: ID }") == [])
    #expect(lint("no-unreachable-types", "type Old { a: Int }") == [])
  }

  @Test func `nullable list items are reported`() {
    #expect(
      lint("non-null-list-items", "type A { x: [Int]! y: [[Int]!]! z: [Int!] } type AConnection { edges: [A] }") == [
        "1:10 A.x Items of the list A.x may be null: [Int]!.", "1:20 A.y Items of the list A.y may be null: [[Int]!]!.",
      ])
    #expect(lint("non-null-list-items", "input I { x: [Int] }") == [])
    #expect(lint("non-null-list-items", "input I { x: [Int] }", ["inputs": ["true"]]).count == 1)
  }

  @Test func `candidates for oneOf are reported`() {
    let rule = "oneof-candidate"
    #expect(lint(rule, "input BirdBy { id: ID ring: String }").count == 1)
    #expect(lint(rule, "\"Exactly one of these.\" input Find { id: ID ring: String }").count == 1)
    #expect(lint(rule, "input Find { id: ID ring: String }") == [])
    #expect(lint(rule, "input BirdBy @oneOf { id: ID ring: String }") == [])
    #expect(lint(rule, "input BirdBy { id: ID! ring: String }") == [])
    #expect(lint(rule, "input BirdBy { id: ID ring: String = \"x\" }") == [])
  }

  @Test func `ID fields are checked`() {
    #expect(
      lint("strict-id-in-types", "type Query { a: Int } type Bird { name: String } type BirdEdge { node: Int }") == [
        "1:28 Bird The object Bird should have exactly one field that identifies it: id of type ID!."
      ])
    #expect(lint("strict-id-in-types", "type Bird { id: ID! uid: ID! }", ["names": ["id", "uid"]]).count == 1)
    #expect(lint("strict-id-in-types", "type Bird { name: Int }", ["exceptTypes": ["Bird"]]) == [])
  }

  private static let connection = """
    type Query { birds(first: Int, after: String): BirdConnection node(id: ID!): Node }
    interface Node { id: ID! }
    type Bird implements Node { id: ID! }
    type BirdConnection { edges: [BirdEdge] pageInfo: PageInfo! }
    type BirdEdge { node: Bird cursor: String! }
    type PageInfo { hasPreviousPage: Boolean! hasNextPage: Boolean! startCursor: String endCursor: String }
    """

  @Test(arguments: [
    (
      "relay-connection-types", "edges: [BirdEdge]", "edges: BirdEdge",
      "The connection BirdConnection should have a list of edges."
    ),
    (
      "relay-connection-types", "pageInfo: PageInfo!", "pageInfo: PageInfo",
      "The connection BirdConnection should have pageInfo: PageInfo!."
    ),
    (
      "relay-connection-types", "type BirdConnection", "interface BirdConnection",
      "The connection BirdConnection should be an object."
    ),
    (
      "relay-connection-types", "BirdConnection", "Birds",
      "The object Birds has edges and a page info: its name should end with Connection."
    ),
    ("relay-edge-types", "node: Bird", "node: [Bird]", "The edge BirdEdge should have a node that is not a list."),
    (
      "relay-edge-types", "cursor: String!", "place: Int",
      "The edge BirdEdge should have a cursor, a String or a scalar."
    ),
    ("relay-edge-types", "BirdEdge", "BirdItem", "The name of the edge BirdItem should end with Edge."),
    (
      "relay-arguments", "(first: Int, after: String)", "",
      "The connection Query.birds should take first: Int and after, or last: Int and before."
    ),
    ("relay-page-info", "hasNextPage: Boolean!", "hasNextPage: Boolean", "PageInfo should have hasNextPage: Boolean!."),
    (
      "relay-page-info", "endCursor: String", "endCursor: String!",
      "PageInfo should have endCursor, a String or a scalar that may be null."
    ),
    (
      "relay-global-ids", "node(id: ID!): Node", "node(id: Int): Node",
      "The query root Query should have node(id: ID!): Node, which returns any object by its id."
    ),
    (
      "relay-global-ids", "interface Node { id: ID! }", "interface Node { id: String }",
      "The interface Node should have id: ID!."
    ),
  ])
  func `violations of Relay conventions are reported`(rule: String, was: String, becomes: String, message: String) {
    #expect(lint(rule, Self.connection) == [])
    let found = lintFindings(rule, Schema.load(sdl: Self.connection.replacing(was, with: becomes))).map(\.message)
    #expect(found == [message])
  }

  @Test func `result types of root fields are checked`() {
    #expect(
      lint("no-scalar-result-type-on-mutation", "type Mutation { a: Boolean b: Int! c: B } type B { x: Int }").count
        == 2)
    #expect(
      lint("require-nullable-result-in-root", "type Query { a: B! b: [B!]! c: B } type B { x: Int }").count == 1)
  }

  // MARK: Linter

  @Test(arguments: SchemaLinter.rules.map { $0.name })
  func `every rule reports its example`(rule: String) throws {
    let type = try #require(SchemaLinter.rule(named: rule))
    #expect(lint(rule, type.example).count > 0)
    #expect(type.summary.hasSuffix("."))
  }

  @Test func `diagnostics are in document order with their severity`() {
    let schema = Schema.load(sdl: "type Query { birdS: [Int] } type bird { x: Int @deprecated }")
    let findings = SchemaLinter.lint(
      schema,
      settings: ["require-description": .init(severity: .off), "naming-convention": .init(severity: .warning)])
    #expect(
      findings.map { "\($0.severity) \($0.rule)" } == [
        "warning non-null-list-items", "warning naming-convention", "error no-unreachable-types",
        "error require-deprecation-reason",
      ])
  }

  @Test func `removed definitions are not fixed`() {
    let document = Document(parsing: "type Query { a: Int }\n\"Old.\" type Old { \"x\" a: Int }\n", name: "s")
    let schema = Schema.load(sdl: [document])
    let fixed = SchemaLinter.fixed(document, SchemaLinter.lint(schema))
    #expect(fixed.map { String(decoding: $0, as: UTF8.self) } == "type Query { a: Int }\n")
  }

  @Test func `fixes do not empty a file`() {
    let query = Document(parsing: "type Query { a: Int }\n", name: "query")
    let old = Document(parsing: "# Of old.\n\"Old.\" type Old { a: Int }\n", name: "old")
    let findings = SchemaLinter.lint(Schema.load(sdl: [query, old]))
    #expect(findings.contains { $0.rule == "no-unreachable-types" })
    let fixed = SchemaLinter.fixed(old, findings).map { String(decoding: $0, as: UTF8.self) }
    #expect(fixed == "# Of old.\n\"\"\"Old.\"\"\" type Old { a: Int }\n")
  }

  @Test func `built in types are not linted`() {
    #expect(
      SchemaLinter.lint(Schema.load(sdl: "\"\"\"Q.\"\"\" type Query { \"\"\"A.\"\"\" a: Int }")).map(\.message) == [])
  }
}
