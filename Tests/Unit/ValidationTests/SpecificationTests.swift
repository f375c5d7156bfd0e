import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusTestSupport
import Foundation
import Testing

/// The examples and counterexamples of the specification by section, from `Tests/Conformance/Specification`.
@Suite struct SpecificationTests {
  struct Example: Sendable, CustomTestStringConvertible {
    let section: String
    let line: Int
    /// The subject of the example: a rule, `syntax` or `schema`.
    let subject: String
    let isRight: Bool
    let text: String

    var testDescription: String { "\(section), line \(line)" }
  }

  private static let folder = Checkout.root + "/Tests/Conformance/Specification"

  static let examples: [Example] = {
    let sections = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return sections.filter { $0.hasSuffix(".graphql") && !$0.hasSuffix(".schema.graphql") }.sorted().flatMap(read)
  }()

  private static func read(_ section: String) -> [Example] {
    guard let text = try? String(contentsOfFile: "\(folder)/\(section)", encoding: .utf8) else { return [] }
    var examples: [Example] = []
    var subject = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if line.hasPrefix("#= ") {
        subject = String(line.dropFirst(3))
      } else if line == "#+" || line == "#-" {
        examples.append(
          Example(section: section, line: index + 1, subject: subject, isRight: line == "#+", text: ""))
      } else if let last = examples.popLast() {
        examples.append(
          Example(
            section: last.section, line: last.line, subject: last.subject, isRight: last.isRight,
            text: last.text + line + "\n"))
      }
    }
    return examples
  }

  private static let schema: Schema = {
    let text = (try? String(contentsOfFile: "\(folder)/5.schema.graphql", encoding: .utf8)) ?? ""
    return Schema.load(sdl: text)
  }()

  @Test func `the schema of the examples is valid`() {
    #expect(Validator.validate(schema: Self.schema) == [])
    #expect(Self.examples.count > 150)
  }

  /// A new rule needs a counterexample, unless the specification has none.
  @Test func `every specified rule has a counterexample`() {
    let withoutExample: Set = ["KnownOperationTypesRule", "MaxIntrospectionDepthRule"]
    let shown = Set(Self.examples.filter { !$0.isRight }.map(\.subject))
    #expect(Set(Validator.specifiedRules.map { $0.name }).subtracting(withoutExample).subtracting(shown) == [])
  }

  @Test(arguments: examples)
  func `examples are valid and counterexamples are not`(example: Example) throws {
    let document = Document(parsing: example.text)
    let complaints: [String]
    switch example.subject {
    case "syntax":
      complaints = document.diagnostics.map(\.message)
      if example.isRight { #expect(Document(parsing: Printer.print(document)).diagnostics == []) }
    case "schema":
      complaints = Validator.validate(schema: Schema.load(sdl: [document])).map(\.description)
    default:
      #expect(document.diagnostics == [])
      let rule = try #require(Validator.specifiedRules.first { $0.name == example.subject })
      complaints = Validator.validate(document, schema: Self.schema, rules: [rule]).map(\.description)
    }
    #expect(complaints.isEmpty == example.isRight, "\(complaints)")
  }
}
