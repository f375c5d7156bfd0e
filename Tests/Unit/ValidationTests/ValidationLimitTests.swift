import ApusGraphQLLanguage
import ApusGraphQLSchema
import Testing

@testable import ApusGraphQLValidation

/// Validation that would take quadratic time ends with an error. `Tests/Stress/Steps` counts the steps of other input.
struct ValidationLimitTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    var schema: @Sendable (Int) -> String = { _ in ValidationLimitTests.schema }
    let document: @Sendable (Int) -> String

    var testDescription: String { name }
  }

  static let schema = "type Query { a(x: Int, y: String): Query b: Int } type Subscription { b: Int }"

  /// Returns the concatenated text for each number.
  static func each(_ count: Int, _ text: (Int) -> String) -> String {
    (0..<count).map(text).joined(separator: " ")
  }

  @Test func `too many errors end validation with an error`() {
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

  /// Inputs with a quadratic number of steps.
  static let branching: [Case] = [
    Case(name: "operations at each place of a chain of fragments with variables") { n in
      "\(each(n) { "query A\($0)($v: Int) { ...F\($0) }" })"
        + " \(each(n) { "fragment F\($0) on Query { k\($0): a(x: $v) { b } ...F\($0 + 1) }" })"
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
  func `too many steps end validation with an error`(_ large: Case) {
    let document = Document(parsing: large.document(300))
    let schema = Schema.load(sdl: large.schema(300))
    func messages(steps: Int) -> [String] {
      Validator.validate(document, schema: schema, budget: ValidationBudget(steps: steps)).map(\.message)
    }
    let stop = "Too many paths through the document's fragments and values. Validation stopped."
    #expect(messages(steps: 50_000).contains(stop))
    #expect(!messages(steps: 10_000_000).contains(stop))
  }

  @Test func `too many steps through default values end validation with an error`() {
    let schema = Schema.load(
      sdl: "type Query { a(x: I): Int }"
        + " input I { \(Self.each(300) { "f\($0): I = {}" }) l: [I] = [\(Self.each(300) { _ in "{}" })] }")
    let errors = Validator.validate(
      schema.documents[0], schema: schema, rules: [NoDefaultValueCyclesRule.self],
      budget: ValidationBudget(steps: 50_000))
    #expect(errors.contains { $0.message.hasPrefix("Too many paths") })
  }

  @Test func `each of many undefined variables is reported`() {
    let document = Document(parsing: "query (\(Self.each(60_000) { "$v\($0): Int" })) { b }")
    #expect(Validator.validate(document, schema: nil).count == 60_000)
  }
}
