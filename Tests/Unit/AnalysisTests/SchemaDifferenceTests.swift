import ApusGraphQLAnalysis
import ApusGraphQLSchema
import ApusJSON
import Testing

/// Changes between two versions of a schema, one per line.
struct SchemaDifferenceTests {
  private func changes(
    _ old: String, _ new: String, root: String = "type Query { a: Int b: Float c: ID }", appliedDirectives: Bool = false
  ) -> [String] {
    SchemaDiff(
      from: Schema.load(sdl: root + "\n" + old), to: Schema.load(sdl: root + "\n" + new),
      comparesAppliedDirectives: appliedDirectives
    ).changes.map { change in
      "\(change.criticality) \(change.kind.rawValue) \(change.coordinate.map { "\($0)" } ?? "-"): \(change.message)"
    }
  }

  @Test func `equal schemas have no changes`() {
    let sdl = "\"A bird.\" type Bird { id: ID! mates(first: Int = 3): [Bird!]! @deprecated } enum Sex { MALE FEMALE }"
    #expect(changes(sdl, sdl) == [])
    #expect(changes("enum A { X } enum B { Y }", "enum B { Y } enum A { X }") == [])
  }

  @Test func `added and removed types are reported`() {
    #expect(
      changes("type Bird { id: ID }", "type Fish { id: ID }") == [
        "breaking TYPE_REMOVED Bird: Bird was removed.", "safe TYPE_ADDED Fish: Fish was added.",
      ])
    #expect(
      changes("type Bird { id: ID }", "interface Bird { id: ID }") == [
        "breaking TYPE_CHANGED_KIND Bird: Bird changed from an Object type to an Interface type."
      ])
  }

  @Test func `an unreferenced built in scalar counts as removed`() {
    #expect(
      changes("type Bird { old: Float }", "type Bird { old: Float @deprecated }", root: "type Query { a: Float }").count
        == 1)
    #expect(
      changes("type Bird { old: Float }", "type Bird { id: ID }", root: "type Query { a: ID }").first
        == "breaking TYPE_REMOVED Float: Standard scalar Float was removed because it is not referenced anymore.")
  }

  @Test(arguments: [
    ("[Int]", "[Int!]!", "safe FIELD_CHANGED_KIND_SAFE"), ("Int!", "Int", "breaking FIELD_CHANGED_KIND"),
    ("[Int!]", "[Int]", "breaking FIELD_CHANGED_KIND"), ("Int", "[Int]", "breaking FIELD_CHANGED_KIND"),
    ("Int", "Float", "breaking FIELD_CHANGED_KIND"),
  ])
  func `a field type may become stricter but not looser`(old: String, new: String, verdict: String) {
    #expect(
      changes("type Bird { a: \(old) }", "type Bird { a: \(new) }")
        == ["\(verdict) Bird.a: Field Bird.a changed type from \(old) to \(new)."])
  }

  @Test(arguments: [
    ("Int!", "Int", "safe ARG_CHANGED_KIND_SAFE"), ("[Int!]!", "[Int]", "safe ARG_CHANGED_KIND_SAFE"),
    ("Int", "Int!", "breaking ARG_CHANGED_KIND"), ("Int", "[Int]", "breaking ARG_CHANGED_KIND"),
  ])
  func `an argument type may become looser but not stricter`(old: String, new: String, verdict: String) {
    #expect(
      changes("type Bird { a(x: \(old)): Int }", "type Bird { a(x: \(new)): Int }")
        == ["\(verdict) Bird.a(x:): Argument Bird.a(x:) has changed type from \(old) to \(new)."])
  }

  @Test func `default values are compared by meaning`() {
    let input = "input I { a: Int b: [Int] }"
    func bird(_ value: String) -> String { "\(input) type Bird { a(x: I = \(value)): Int }" }
    #expect(changes(bird("{ a: 1, b: [1, 2] }"), bird("{b:[1 2] a:1}")) == [])
    #expect(
      changes(bird("{ a: 1 }"), bird("{ a: 2 }")) == [
        "dangerous ARG_DEFAULT_VALUE_CHANGE Bird.a(x:): "
          + "Bird.a(x:) has changed defaultValue from { a: 1 } to { a: 2 }."
      ])
  }

  @Test(arguments: [
    ("[Int]", "1", "[1]"), ("[[Int]]", "1", "[[1]]"), ("Float", "1", "1.0"), ("Float", "10", "1e1"),
    ("ID", "7", "\"7\""), ("String", "\"x\"", "\"\"\"x\"\"\""), ("String", "\"\\u0041\"", "\"A\""),
    ("[I]", "{ b: 1, a: 2 }", "[{ a: 2.0, b: [1] }]"), ("Int", "1", "1"),
  ])
  func `two notations of one default value are equal`(_ type: String, _ old: String, _ new: String) {
    func bird(_ value: String) -> String { "input I { a: Float b: [Int] } type Bird { a(x: \(type) = \(value)): Int }" }
    #expect(changes(bird(old), bird(new)) == [])
    #expect(changes(bird(new), bird(old)) == [])
  }

  @Test(arguments: [
    ("[Int]", "1", "[1, 1]"), ("Float", "1", "1.5"), ("ID", "7", "\"07\""), ("String", "\"1\"", "\"1 \""),
    ("Any", "1", "\"1\""), ("String", "null", "\"null\""), ("[String]", "\"a,b\"", "[\"a\", \"b\"]"),
    ("[Int]", "null", "[null]"),
  ])
  func `different default values differ`(_ type: String, _ old: String, _ new: String) {
    func bird(_ value: String) -> String { "scalar Any type Bird { a(x: \(type) = \(value)): Int }" }
    #expect(changes(bird(old), bird(new)).count == 1)
  }

  /// Unlike the reference implementation, which calls the change of the default dangerous although requests without the
  /// argument fail.
  @Test func `removing the default of a required argument is breaking`() {
    #expect(
      changes("type Bird { a(x: Int! = 1): Int }", "type Bird { a(x: Int!): Int }") == [
        "breaking ARG_MADE_REQUIRED Bird.a(x:): Bird.a(x:) is now required: it no longer has a default value.",
        "dangerous ARG_DEFAULT_VALUE_CHANGE Bird.a(x:): Bird.a(x:) defaultValue was removed.",
      ])
    #expect(
      changes("input I { x: Int! = 1 }", "input I { x: Int! }").first
        == "breaking INPUT_FIELD_MADE_REQUIRED I.x: I.x is now required: it no longer has a default value.")
  }

  @Test func `added arguments and input fields are reported`() {
    #expect(
      changes(
        "input I { a: Int } type B { f: Int }", "input I { a: Int b: Int! c: Int } type B { f(x: Int! y: Int): Int }")
        == [
          "breaking REQUIRED_INPUT_FIELD_ADDED I.b: A required field I.b was added.",
          "breaking REQUIRED_ARG_ADDED B.f(x:): A required argument B.f(x:) was added.",
          "dangerous OPTIONAL_INPUT_FIELD_ADDED I.c: An optional field I.c was added.",
          "dangerous OPTIONAL_ARG_ADDED B.f(y:): An optional argument B.f(y:) was added.",
        ])
    #expect(
      changes("input I { a: Int b: Int }", "input I @oneOf { a: Int b: Int }") == [
        "breaking ONE_OF_ADDED I: I now takes exactly one of its fields (@oneOf)."
      ])
  }

  @Test func `changes of enum values unions and interfaces are reported`() {
    #expect(
      changes(
        "enum E { A B } type T { a: Int } type U { a: Int } union V = T",
        "enum E { B C } type T { a: Int } type U { a: Int } union V = U") == [
          "breaking VALUE_REMOVED_FROM_ENUM E.A: Enum value E.A was removed.",
          "breaking TYPE_REMOVED_FROM_UNION V: T was removed from union type V.",
          "dangerous VALUE_ADDED_TO_ENUM E.C: Enum value E.C was added.",
          "dangerous TYPE_ADDED_TO_UNION V: U was added to union type V.",
        ])
    #expect(
      changes("interface N { a: Int } type T { a: Int }", "interface N { a: Int } type T implements N { a: Int }") == [
        "dangerous IMPLEMENTED_INTERFACE_ADDED T: N added to interfaces implemented by T."
      ])
    #expect(
      changes("interface N { a: Int }", "interface N { a: Int } type T implements N { a: Int }") == [
        "dangerous TYPE_ADDED_TO_INTERFACE N: T was added to interface type N.", "safe TYPE_ADDED T: T was added.",
      ])
  }

  @Test func `directive changes are reported`() {
    #expect(
      changes(
        "directive @a(x: Int) repeatable on FIELD | QUERY directive @b on FIELD",
        "directive @a(y: Int!) on FIELD | MUTATION directive @c on FIELD") == [
          "breaking REQUIRED_DIRECTIVE_ARG_ADDED @a(y:): A required argument @a(y:) was added.",
          "breaking DIRECTIVE_ARG_REMOVED @a(x:): Argument @a(x:) was removed.",
          "breaking DIRECTIVE_REPEATABLE_REMOVED @a: Repeatable flag was removed from @a.",
          "breaking DIRECTIVE_LOCATION_REMOVED @a: QUERY was removed from @a.",
          "breaking DIRECTIVE_REMOVED @b: Directive @b was removed.",
          "safe DIRECTIVE_LOCATION_ADDED @a: MUTATION was added to @a.",
          "safe DIRECTIVE_ADDED @c: Directive @c was added.",
        ])
  }

  /// Servers of an earlier edition do not support `@oneOf`, and files need not define it.
  @Test func `built in directives need not be defined`() throws {
    let file = Schema.load(sdl: "type Query { a: Int }")
    let text =
      #"{"__schema":{"queryType":{"name":"Query"},"types":[{"kind":"OBJECT","name":"Query","fields":"#
      + #"[{"name":"a","args":[],"type":{"kind":"SCALAR","name":"Int"}}]}],"directives":[]}}"#
    let server = try Schema.load(introspection: JSONDocument(parsing: text).root)
    #expect(SchemaDiff(from: file, to: server).changes == [])
    #expect(SchemaDiff(from: server, to: file).changes == [])
  }

  @Test func `root type changes are reported`() {
    #expect(
      changes("schema { query: Query mutation: M } type M { a: Int }", "schema { query: M } type M { a: Int }") == [
        "breaking ROOT_TYPE_CHANGED Query: The query root type changed from Query to M.",
        "breaking ROOT_TYPE_REMOVED M: The schema has no mutation root type anymore.",
      ])
  }

  @Test func `description and deprecation changes are reported`() {
    #expect(
      changes(
        "\"A bird.\" type Bird { a: Int b: Int @deprecated(reason: \"Old.\") }",
        "\"One bird.\" type Bird { a: Int @deprecated(reason: \"Use b.\") b: Int }") == [
          "safe DESCRIPTION_CHANGED Bird: Description of Bird has changed to \"One bird.\".",
          "safe DEPRECATION_ADDED Bird.a: Bird.a is deprecated: Use b.",
          "safe DEPRECATION_REMOVED Bird.b: Bird.b is no longer deprecated.",
        ])
    #expect(
      changes("scalar Date @specifiedBy(url: \"https://a\")", "scalar Date @specifiedBy(url: \"https://b\")") == [
        "dangerous SPECIFIED_BY_URL_CHANGED Date: Scalar Date is specified by https://b and no longer by https://a."
      ])
  }

  @Test func `applied directives are compared if both schemas have them`() {
    let (old, new) = ("type Bird @tag(name: \"x\") { a: Int }", "type Bird { a: Int @cost(weight: 2) }")
    #expect(changes(old, new) == [])
    #expect(
      changes(old, new, appliedDirectives: true) == [
        "safe APPLIED_DIRECTIVE_ADDED Bird.a: @cost(weight: 2) was added to Bird.a.",
        "safe APPLIED_DIRECTIVE_REMOVED Bird: @tag(name: \"x\") was removed from Bird.",
      ])
  }

  @Test func `directives are compared by their arguments' values, and each time they are repeated`() {
    let definition = "directive @tag(name: String, weights: [Int]) repeatable on OBJECT"
    func bird(_ directives: String) -> String { "\(definition) type Bird \(directives) { a: Int }" }
    #expect(
      changes(
        bird("@tag(name: \"x\", weights: 1)"), bird("@tag(weights: [1], name: \"\"\"x\"\"\")"), appliedDirectives: true)
        == [])
    #expect(
      changes(bird("@tag(name: \"x\") @tag(name: \"x\")"), bird("@tag(name: \"x\")"), appliedDirectives: true) == [
        "safe APPLIED_DIRECTIVE_REMOVED Bird: @tag(name: \"x\") was removed from Bird."
      ])
  }

  @Test func `directives of the schema itself are compared`() {
    let link = "extend schema @link(url: \"https://specs.example.com/federation/v2.3\")"
    let newer = "extend schema @link(url: \"https://specs.example.com/federation/v2.5\")"
    #expect(
      changes(link, newer, appliedDirectives: true) == [
        "safe APPLIED_DIRECTIVE_REMOVED -: @link(url: \"https://specs.example.com/federation/v2.3\") was removed from the schema.",
        "safe APPLIED_DIRECTIVE_ADDED -: @link(url: \"https://specs.example.com/federation/v2.5\") was added to the schema.",
      ])
  }

  @Test func `every change kind has a severity and a unique name`() {
    #expect(Set(SchemaChangeKind.allCases.map(\.rawValue)).count == SchemaChangeKind.allCases.count)
    for kind in SchemaChangeKind.allCases { #expect(kind.rawValue.allSatisfy { $0.isUppercase || $0 == "_" }) }
  }
}
