import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusTestSupport
import Testing

@testable import ApusGraphQLValidation

/// Validation takes time in proportion to what it validates, or ends with an error that says so.
struct LargeDocumentTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var schema: @Sendable (Int) -> String = { _ in LargeDocumentTests.schema }
    let document: @Sendable (Int) -> String

    var testDescription: String { name }
  }

  static let schema = "type Query { a(x: Int, y: String): Query b: Int } type Subscription { b: Int }"

  /// A text for each number, in a row.
  static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: " ")
  }

  /// Less than by default, so that a debug build is not busy for long.
  static let budget = ValidationBudget(comparisons: 10_000, reportSize: 1 << 20)

  static let cases: [Case] = [
    Case(name: "variables of an anonymous operation that nothing uses") { n in
      "query (\(each(n) { "$v\($0): Int" })) { b }"
    },
    Case(name: "one variable declared many times") { n in "query (\(each(n) { _ in "$v: Int" })) { b }" },
    Case(name: "variables that are not declared") { n in
      "query (\(each(n) { "$w\($0): Int" })) { \(each(n) { "a\($0): a(x: $v\($0)) { b }" }) }"
    },
    Case(
      name: "fields with names close to those of the type",
      schema: { n in "type Query { \(each(n) { "field\($0): Int" }) }" }
    ) { n in "{ \(each(n) { "fielx\($0)" }) }" },
    Case(
      name: "arguments of one field", schema: { n in "type Query { a(\(each(n) { "x\($0): Int!" })): Int }" }
    ) { n in "{ a(\(each(n) { "x\($0): 1" })) }" },
    Case(
      name: "required arguments that every field lacks",
      schema: { n in "type Query { a(\(each(n) { "x\($0): Int!" })): Int }" }
    ) { n in "{ \(each(n) { "k\($0): a" }) }" },
    Case(name: "a field with many arguments beside fields without any") { n in
      "{ a(\(each(n) { "x\($0): 1" })) { b } \(each(n) { _ in "a { b }" }) }"
    },
    Case(name: "a field with many directives beside fields without any") { n in
      "{ a \(each(n) { "@d\($0)" }) { b } \(each(n) { _ in "a { b }" }) }"
    },
    Case(
      name: "directives",
      schema: { n in "\(schema) \(each(n) { "directive @d\($0) on FIELD" })" }
    ) { n in "{ \(each(n) { "f\($0): b @d\($0) @e\($0)" }) }" },
    Case(name: "fragments that lead to one another in many circles") { n in
      "{ ...F0 } \(each(n) { "fragment F\($0) on Query { b ...F\(($0 + 1) % n) ...F0 }" })"
    },
    Case(name: "a deferred fragment at the end of each way of a subscription") { n in
      "subscription { ...F0 } \(each(n) { "fragment F\($0) on Subscription { ... @defer { b } ...F\($0 + 1) }" })"
        + " fragment F\(n) on Subscription { b }"
    },
    Case(
      name: "types that are not known",
      schema: { n in "\(schema) \(each(n) { "type Type\($0) { a: Int }" })" }
    ) { n in "{ b } \(each(n) { "fragment F\($0) on Typx\($0) { a }" })" },
    Case(
      name: "fields of an input object",
      schema: { n in "type Query { a(x: I): Int } input I { \(each(n) { "f\($0): Int" }) }" }
    ) { n in "{ a(x: { \(each(n) { "f\($0): 1" }) }) }" },
    Case(
      name: "unknown fields of an input object", schema: { _ in "type Query { a(x: I): Int } input I { a: Int }" }
    ) { n in "{ a(x: { \(each(n) { "f\($0): 1" }) }) }" },
    Case(
      name: "empty objects for an input object of many fields",
      schema: { n in "type Query { a(x: [I]): Int } input I { \(each(n) { "f\($0): Int" }) }" }
    ) { n in "{ a(x: [\(each(n) { _ in "{}" })]) }" },
    Case(
      name: "values of an enum",
      schema: { n in "type Query { a(x: [E]): Int } enum E { \(each(n) { "E\($0)" }) }" }
    ) { n in "{ a(x: [\(each(n) { "E\($0) X\($0)" })]) }" },
    Case(
      name: "variables of a one-of input object",
      schema: { n in
        "type Query { a(x: I): Int } \(each(n) { "type T\($0) { a: Int }" }) input I @oneOf { a: Int }"
      }
    ) { n in "query (\(each(n) { "$v\($0): Int" })) { \(each(n) { "k\($0): a(x: { a: $v\($0) })" }) }" },
    Case(
      name: "one long name beside another",
      schema: { n in "type Query { \(String(repeating: "b", count: n * 8)): Int }" }
    ) { n in "{ \(String(repeating: "a", count: n * 8)) }" },
    Case(
      name: "spreads that can never apply",
      schema: { n in
        "type Query { u: U i: I } interface I { a: Int } union U = \(each(n) { "| T\($0)" })"
          + each(n) { " type T\($0) { a: Int } type S\($0) implements I { a: Int }" }
      }
    ) { n in "{ u { \(each(n) { _ in "...F" }) } } fragment F on I { a }" },
  ]

  @Test(arguments: cases)
  func aDocument(_ large: Case) {
    let isLinear = Growth.isLinear(from: 400) { n in
      (Document(parsing: large.document(n)), Schema.load(sdl: large.schema(n)))
    } work: { document, schema in
      _ = Validator.validate(document, schema: schema, budget: Self.budget)
    }
    #expect(isLinear)
  }

  static let schemas: [Case] = [
    Case(name: "directives and their uses") { n in
      "type Query { a: Int \(each(n) { "@d\($0)" }) } \(each(n) { "directive @d\($0) on FIELD_DEFINITION" })"
    },
    Case(name: "arguments of a directive") { n in
      "type Query { a: Int @d(\(each(n) { "x\($0): 1" })) }"
        + " directive @d(\(each(n) { "x\($0): Int!" })) on FIELD_DEFINITION"
    },
    Case(name: "one interface implemented many times") { n in
      "type Query implements \(each(n) { _ in "& I" }) { a: Int } interface I { a: Int }"
    },
    Case(name: "types that lack the interfaces of their interface") { n in
      "type Query { a: Int } \(each(n) { "type T\($0) implements I { a: Int }" })"
        + " interface I implements \(each(n) { "& J\($0)" }) { a: Int } \(each(n) { "interface J\($0) { a: Int }" })"
    },
    Case(name: "types whose interface implements unknown ones") { n in
      "type Query { a: Int } \(each(n) { "type T\($0) implements I { a: Int }" })"
        + " interface I implements \(each(n) { "& J\($0)" }) { a: Int }"
    },
    Case(name: "fields whose type implements many interfaces") { n in
      "type Query implements J { \(each(n) { "f\($0): T" }) } interface J { \(each(n) { "f\($0): I\(n - 1)" }) }"
        + " type T implements \(each(n) { "& I\($0)" }) { a: Int } \(each(n) { "interface I\($0) { a: Int }" })"
    },
    Case(name: "one member of a union many times") { n in
      "type Query { a: U } union U = \(each(n) { _ in "| T" }) type T { a: Int }"
    },
    Case(name: "input objects in many circles") { n in
      "type Query { a(x: I0): Int } \(each(n) { "input I\($0) { f: I\(($0 + 1) % n)! g: I0! }" })"
    },
    Case(name: "unknown types beside types with names close to them") { n in
      "type Query { \(each(n) { "f\($0): Typx\($0)" }) } \(each(n) { "type Type\($0) { a: Int }" })"
    },
    Case(name: "extensions of unknown types") { n in
      "type Query { a: Int } \(each(n) { "extend type Typx\($0) { a: Int } type Type\($0) { a: Int }" })"
    },
  ]

  @Test(arguments: schemas)
  func aSchema(_ large: Case) {
    let isLinear = Growth.isLinear(from: 400) { n in
      Document(parsing: large.document(n))
    } work: { document in
      _ = Validator.validate(
        document, schema: Schema.load(sdl: [document]),
        rules: Validator.specifiedSDLRules + Validator.typeValidationRules, budget: Self.budget)
    }
    #expect(isLinear)
  }

  @Test func errorsBeyondAllUseEndValidationWithAnError() {
    let schema = Schema.load(sdl: "type Query { a(\(Self.each(2000) { "x\($0): Int!" })): Int }")
    let document = Document(parsing: "{ \(Self.each(2000) { "k\($0): a" }) }")
    let errors = Validator.validate(document, schema: schema)
    #expect(errors.first?.message == "Too many errors. Validation stopped.")
    #expect((10_000..<200_000).contains(errors.count))
  }

  @Test func `types that lack many fields of their interface end validation with an error`() {
    let text =
      "type Query { a: Int } \(Self.each(2000) { "type T\($0) implements I { a: Int }" })"
      + " interface I { \(Self.each(2000) { "f\($0): Int" }) }"
    let document = Document(parsing: text)
    let errors = Validator.validate(
      document, schema: Schema.load(sdl: [document]),
      rules: Validator.specifiedSDLRules + Validator.typeValidationRules)
    #expect(errors.first?.message == "Too many errors. Validation stopped.")
    #expect(errors.count < 200_000)
  }

  /// Steps that can be as many as the square of the input are counted.
  static let branching: [Case] = [
    Case(name: "operations that share a chain of fragments") { n in
      "\(each(n) { "query A\($0)($v: Int) { ...F0 }" }) \(each(n) { "fragment F\($0) on Query { b ...F\($0 + 1) }" })"
        + " fragment F\(n) on Query { b }"
    },
    Case(name: "operations that share a fragment with many variables") { n in
      "\(each(n) { "query A\($0)($v: Int) { ...F }" }) fragment F on Query { \(each(n) { "k\($0): a(x: $v) { b }" }) }"
    },
    Case(name: "introspection through one fragment") { n in
      "{ \(each(n) { "k\($0): __schema { ...F }" }) } fragment F on __Schema { \(each(n) { "k\($0): types { fields { name } }" }) }"
    },
    Case(
      name: "fields that only the types of an interface have",
      schema: { n in
        "type Query { i: I } interface I { a: Int } \(each(n) { "type T\($0) implements I { a: Int f\($0): Int }" })"
      }
    ) { n in "{ i { \(each(n) { "f\($0)" }) } }" },
  ]

  @Test(arguments: branching)
  func tooManyStepsEndValidationWithAnError(_ large: Case) {
    let document = Document(parsing: large.document(300))
    let schema = Schema.load(sdl: large.schema(300))
    func messages(steps: Int) -> [String] {
      Validator.validate(document, schema: schema, budget: ValidationBudget(steps: steps)).map(\.message)
    }
    let stop = "Too many ways through the document's fragments and values. Validation stopped."
    #expect(messages(steps: 50_000).contains(stop))
    #expect(!messages(steps: 10_000_000).contains(stop))
  }

  @Test func tooManyStepsThroughDefaultValuesEndValidationWithAnError() {
    let schema = Schema.load(
      sdl: "type Query { a(x: I): Int }"
        + " input I { \(Self.each(300) { "f\($0): I = {}" }) l: [I] = [\(Self.each(300) { _ in "{}" })] }")
    let errors = Validator.validate(
      schema.documents[0], schema: schema, rules: [NoDefaultValueCyclesRule.self],
      budget: ValidationBudget(steps: 50_000))
    #expect(errors.contains { $0.message.hasPrefix("Too many ways") })
  }

  @Test func everyVariableOfManyIsReported() {
    let document = Document(parsing: "query (\(Self.each(60_000) { "$v\($0): Int" })) { b }")
    #expect(Validator.validate(document, schema: nil).count == 60_000)
  }
}
