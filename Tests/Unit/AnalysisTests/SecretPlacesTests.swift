import ApusGraphQLAnalysis
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusSecrets
import Testing

/// The table of coordinates in Docs/Development/MissingSecrets.md.
@Suite struct SecretPlacesTests {
  private static let schema = Schema.load(
    sdl: """
      directive @secret on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
      directive @trace(of: String, code: String @secret) on FIELD | QUERY | VARIABLE_DEFINITION
      scalar JSON
      type Query implements Named {
        a(code: String @secret, note: String, in: Login, list: [Login!], any: JSON): Query
        b(code: String, note: String, in: Plain): Query
        numbers(codes: [Int] @sensitive): Int
        named(code: String @secret): Int
        node: Node
        other: Other
        cat: Cat
        union: Both
        late(code: String): Int
      }
      interface Named { named(code: String): Int }
      interface Node { find(code: String): Int open(code: String): Int }
      type Cat implements Node { find(code: String @confidential): Int open(code: String): Int }
      type Dog implements Node { find(code: String): Int open(code: String): Int }
      type Other { find(code: String): Int }
      union Both = Cat | Other
      type Mutation { set(code: String): Int }
      input Login { code: String @secret name: String next: Login plain: Plain }
      input Plain { code: String name: String }
      extend input Plain { late: [String] @secret }
      input Unused { code: String @secret }
      """)

  private static let values: SecretValues = {
    let values = SecretValues()
    values.setPlaces(for: "a", schema.secretPlaces)
    return values
  }()

  /// A document with the value `hush` at each place that counts, and `open` at each that does not.
  @Test(arguments: [
    #"{ a(code: "hush", note: "open") { b(code: "open") { a(code: "hush") { b { late(code: "open") } } } } }"#,
    #"{ x: a(note: "open", code: "hush") { node { find(code: "hush") open(code: "open") } } }"#,
    #"{ other { find(code: "open") } cat { find(code: "hush") open(code: "open") } }"#,
    #"{ node { ... on Dog { find(code: "open") } ... on Cat { find(code: "hush") } ... { find(code: "hush") } } }"#,
    #"{ union { ... on Other { find(code: "open") } ... on Cat { find(code: "hush") } ... on Node { find(code: "hush") } } }"#,
    #"{ ...F } fragment F on Query { a(code: "hush") { ...G } } fragment G on Query { b(code: "open") }"#,
    #"{ ... on Named { named(code: "hush") } }"#, #"mutation { set(code: "open") }"#,
    #"{ a(in: {code: "hush", name: "open", next: {code: "hush", plain: {code: "open", late: ["hush", "hush"]}}}) }"#,
    #"{ a(list: [{code: "hush"}, {name: "open", next: {code: "hush"}}], in: null) }"#,
    #"{ b(in: {code: "open", late: "hush"}) }"#, #"{ a(any: {code: "open"}, note: "open") }"#,
    #"query ($x: String = "hush", $y: String = "open") { a(code: $x, note: $y) }"#,
    #"query ($x: Login = {code: "hush", name: "open"}, $y: Plain = {code: "open"}) { a(in: $x) b(in: $y) }"#,
    #"query ($x: String = "hush") { a(in: {name: "open", code: $x}) }"#,
    #"query ($code: String = "open") { b(code: $code) }"#,
    #"query @trace(of: "open", code: "hush") { b @trace(code: "hush", of: "open") { late(code: "open") } }"#,
    #"query ($x: Int = 1 @trace(code: "hush")) { b }"#,
    // The schema lacks these, so any of its marked names counts.
    #"{ gone(code: "hush", note: "open") { a(code: "hush", in: {code: "hush", name: "open"}) } }"#,
    #"{ b @gone(code: "hush", note: "open") { late(code: "open") } b(in: {gone: {code: "hush"}}) { late } }"#,
    #"{ ... on Gone { find(code: "hush", note: "open") } }"#,
    // Incomplete text.
    #"{ a(code: "hush", note: "open") { b(code: "open") { late("#, #"{ a(note: "open" code: "hush"#,
    ##"{ a(code: """hush "and" hush""", note: """open""") }"##, #"{ a(code: "hush" "open") }"#,
    "{ b(code: \"open\") # a(code: x)\n }",
  ])
  func `values at marked coordinates are redacted, and no others`(document: String) {
    let shown = Redactor(values: Self.values, document: document).document(document)
    #expect(!shown.contains("hush"), "\(shown)")
    #expect(shown.ranges(of: "open").count == document.ranges(of: "open").count, "\(shown)")
    // The values may be repeated by a server.
    let secrets = SecretValues()
    secrets.setPlaces(for: "a", Self.schema.secretPlaces)
    secrets.add(
      document: document.replacing(#""hush""#, with: #""hush-4711""#).replacing(#""open""#, with: #""open-4711""#))
    #expect(secrets.contains("hush-4711") == document.contains(#""hush""#))
    #expect(!secrets.contains("open-4711"))
  }

  /// A document, and variables with `hush` or 4711 at each place that counts.
  @Test(arguments: [
    ("query ($x: String, $y: String) { a(code: $x, note: $y) }", #"{"x": "hush", "y": "open"}"#),
    ("query ($x: Login) { a(in: $x) }", #"{"x": {"name": "open", "code": "hush", "next": {"code": "hush"}}}"#),
    ("query ($x: [Login!]) { a(list: $x) }", #"{"x": [{"code": "hush"}, {"name": "open", "next": {"code": 4711}}]}"#),
    ("query ($x: Login) { a(in: $x) }", #"{"x": [{"plain": {"code": "open", "late": ["hush", 4711]}}]}"#),
    ("query ($x: Plain) { b(in: $x) }", #"{"x": {"code": "open", "name": "open", "late": "hush"}}"#),
    ("query ($code: String) { b(code: $code) }", #"{"code": "open"}"#),
    ("query ($x: String) { a(in: {code: $x}) }", #"{"x": "hush", "code": "open"}"#),
    ("query ($x: [Int]) { numbers(codes: $x) }", #"{"x": [4711, 4711]}"#),
    ("query ($x: Int) { numbers(codes: [1, $x]) }", #"{"x": 4711}"#),
    ("query ($x: String) { node { find(code: $x) open(code: $x) } }", #"{"x": "hush"}"#),
    ("query ($x: JSON) { a(any: $x) }", #"{"x": {"code": "open"}}"#),
    ("query ($x: String) { b @trace(code: $x) }", #"{"x": "hush"}"#),
    ("query A ($x: String) { a(code: $x) } query B ($x: String) { b(code: $x) }", #"{"x": "hush"}"#),
    ("query ($x: String) { ...F } fragment F on Query { a(code: $x) }", #"{"x": "hush"}"#),
    ("query ($x: Login) { a(in: $x) }", #"{"x": {"name": "open", "co\u0064e": "hush"}}"#),
    ("query ($x: Login) { a(in: $x) }", #"{"x": {"name": "open", "code": "hush""#),
    ("query ($x: Gone) { a(in: $x) }", #"{"x": {"code": "open"}}"#), ("", #"{"x": "open", "code": "open"}"#),
  ])
  func `variables are redacted at marked coordinates`(document: String, variables: String) throws {
    let redactor = Redactor(values: Self.values, document: document)
    let shown = redactor.variables(variables)
    #expect(!shown.contains("hush") && !shown.contains("4711"), "\(shown)")
    #expect(shown.ranges(of: "open").count == variables.ranges(of: "open").count, "\(shown)")
    guard let value = try? JSONDocument(parsing: variables).root else { return }
    let stored = redactor.stored(value)
    #expect(!"\(stored.value)".contains("hush") && "\(stored.value)".contains("open") == variables.contains("open"))
    #expect(
      redactor.text(ofStored: stored.value, references: stored.references).references.count == stored.references.count)
    #expect(redactor.text(ofStored: stored.value, references: nil).references.count == stored.references.count)
    // A response may have members of the same names.
    #expect(
      redactor.json(try JSONDocument(parsing: #"{"x":{"code":"open"},"code":"open"}"#).root).description.contains("•")
        == false)
  }

  @Test func `schemas of several endpoints count together, and the last one of an endpoint counts`() {
    let values = SecretValues()
    func shown(_ document: String) -> String { Redactor(values: values).document(document) }
    let document = #"{ a(code: "x", note: "y") }"#
    let other = Schema.load(
      sdl: "directive @secret on ARGUMENT_DEFINITION\ntype Query { a(note: String @secret): Int }")
    values.setPlaces(for: "1", Self.schema.secretPlaces)
    #expect(shown(document) == #"{ a(code: "•••", note: "y") }"#)
    values.setPlaces(for: "2", other.secretPlaces)
    #expect(shown(document) == #"{ a(code: "•••", note: "•••") }"#)
    values.setPlaces(for: "1", Schema.load(sdl: "type Query { a(code: String): Int }").secretPlaces)
    #expect(shown(document) == #"{ a(code: "x", note: "•••") }"#)
    values.setPlaces(for: "2", nil)
    #expect(shown(document) == document)
  }

  @Test func `a number at a marked coordinate stays a reference to a number`() {
    let document = "{ numbers(codes: [1, 2]) }"
    let draft = Redactor(values: Self.values).draft(document: DraftText(document))
    #expect(draft.text == "{ numbers(codes: [•••, •••]) }" && draft.documentSecrets.map(\.isUnquoted) == [true, true])
    #expect(Redactor(values: Self.values).draft(document: draft) == draft)
    #expect(Document(parsing: draft.parsable).diagnostics.isEmpty)
  }

  @Test func `input objects without a way to a marked field have no places`() throws {
    let find = try #require(Self.schema.secretPlaces)
    let places = find("query ($x: Login, $y: Unused, $z: JSON) { b }")
    #expect(Set(places.inputObjects.keys) == ["Login", "Plain", "Unused"])
    #expect(places.variables["x"]?.inputObject == "Login" && places.variables["z"]?.inputObject == nil)
    #expect(Schema.load(sdl: "type Query { a: Int }").secretPlaces == nil)
  }
}
