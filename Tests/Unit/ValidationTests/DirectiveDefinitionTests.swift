import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

private func problems(_ sdl: String) -> [String] {
  Validator.validate(schema: Schema.load(sdl: "type Query { a: Int }\n" + sdl)).map(\.message)
}

@Suite struct DirectiveDefinitionTests {
  @Test(arguments: [
    ("directive @a on FIELD extend directive @a @deprecated(reason: \"x\")", [String]()),
    ("extend directive @deprecated @a directive @a on DIRECTIVE_DEFINITION", []),
    ("extend directive @gone @deprecated", ["Cannot extend directive \"@gone\" because it is not defined."]),
    (
      "directive @birds on FIELD extend directive @bird @deprecated",
      ["Cannot extend directive \"@bird\" because it is not defined. Did you mean \"@birds\"?"]
    ),
  ])
  func `an extended directive is defined`(_ sdl: String, _ expected: [String]) {
    #expect(problems(sdl) == expected)
  }

  private static func itself(_ name: String, _ through: String = "") -> String {
    "Directive \"@\(name)\" must not refer to itself\(through.isEmpty ? "" : " through \(through)")."
  }

  @Test(arguments: [
    // Directly: on an argument, on the definition, on an extension.
    ("directive @a(x: Int @a) on ARGUMENT_DEFINITION", [itself("a")]),
    ("directive @a @a on DIRECTIVE_DEFINITION", [itself("a")]),
    ("directive @a on DIRECTIVE_DEFINITION extend directive @a @a", [itself("a")]),
    // Through another directive.
    (
      "directive @a(x: Int @b) on ARGUMENT_DEFINITION directive @b(y: Int @a) on ARGUMENT_DEFINITION",
      [itself("a", "\"@b\""), itself("b", "\"@a\"")]
    ),
    // Through types of arguments.
    ("directive @a(x: E) on ENUM enum E @a { X }", [itself("a", "\"E\"")]),
    ("directive @a(x: E) on ENUM_VALUE enum E { X @a }", [itself("a", "\"E\"")]),
    ("directive @a(x: E) on ENUM enum E { X } extend enum E @a", [itself("a", "\"E\"")]),
    ("directive @a(x: [[S!]!]) on SCALAR scalar S @a", [itself("a", "\"S\"")]),
    ("directive @a(x: S) on SCALAR scalar S extend scalar S @a", [itself("a", "\"S\"")]),
    ("directive @a(x: I) on INPUT_OBJECT input I @a { y: Int }", [itself("a", "\"I\"")]),
    ("directive @a(x: I) on INPUT_FIELD_DEFINITION input I { y: Int @a }", [itself("a", "\"I\"")]),
    (
      "directive @a(x: I) on INPUT_FIELD_DEFINITION input I { y: Int } extend input I { z: Int @a }",
      [itself("a", "\"I\"")]
    ),
    (
      "directive @a(x: I) on SCALAR input I { y: J } input J { s: S } scalar S @a", [itself("a", "\"I\", \"J\", \"S\"")]
    ),
    // A cycle of types, with a directive beside it and inside it.
    ("directive @a(x: I) on FIELD input I { y: J } input J { z: I }", []),
    (
      "directive @e(x: I) on FIELD directive @d(x: J) on INPUT_OBJECT input I @d { y: J } input J { z: I }",
      [itself("d", "\"J\", \"I\"")]
    ),
    // No cycle.
    ("directive @a(x: Int @b) on FIELD directive @b on ARGUMENT_DEFINITION", []),
    ("directive @a(x: E) on OBJECT enum E { X } type T @a { y: T @deprecated z(e: E): E }", []),
  ])
  func `a directive does not refer to itself`(_ sdl: String, _ expected: [String]) {
    #expect(problems(sdl) == expected)
  }

  @Test(.timeLimit(.minutes(1)))
  func `references of many directives take limited work`() {
    let sdl = (0..<2000).map { "directive @d\($0)(x: Int @d\($0 + 1)) on ARGUMENT_DEFINITION" }.joined(separator: "\n")
    _ = problems(sdl + "\ndirective @d2000 on ARGUMENT_DEFINITION")
  }
}
