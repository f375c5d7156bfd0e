import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON
import ApusTestSupport
import Testing

/// Compares this implementation with the reference for all inputs of its tests: the same verdicts, and errors at the
/// same locations.
@Suite(.enabled(if: ReferenceRecord.isThere, Comment(rawValue: ReferenceRecord.absence)))
struct ReferenceTests {
  @Test func `syntax errors match the reference`() throws {
    try compare("parse") { question in
      // Limits that do not exist here.
      let limits = ["max_lexical_tokens", "max_comments", "max_source_length"]
      if limits.contains(where: { question.options?[$0].map { !$0.isNull } ?? false }) { return nil }
      // The reference also counts comments and has another nesting limit.
      if question.options?["max_tokens"]?.int != nil, question.text.contains("#") { return nil }
      if question.errors.first?.message.contains("nested too deeply") == true { return nil }
      let document = Document(
        parsing: question.text,
        limits: ParserLimits(
          tokens: question.options?["max_tokens"]?.int ?? .max,
          allowsFragmentVariables: question.options?["experimental_fragment_arguments"]?.bool ?? false))
      // A draft later than the supported edition allows `{ }`.
      if question.errors.isEmpty, hasEmptySelectionSet(document) { return nil }
      return document.diagnostics.prefix(1).map {
        Complaint($0.message, [document.source.location(at: $0.range.lowerBound)])
      }
    }
  }

  @Test func `schema coordinates match the reference`() throws {
    try compare("coordinate") { question in
      guard question.options?.members.allSatisfy({ $0.value.isNull }) ?? true else { return nil }
      // Tests of the reference's nesting limit.
      if question.errors.first?.message.contains("nested too deeply") == true { return nil }
      do throws(SyntaxDiagnostic) {
        _ = try SchemaCoordinate(question.text)
        return []
      } catch {
        let source = Source(bytes: Array(question.text.utf8), name: "coordinate")
        return [Complaint(error.message, [source.location(at: error.range.lowerBound)])]
      }
    }
  }

  @Test func `errors of executable documents match the reference`() throws {
    var schemas: [String: Schema] = [:]
    try compare("validate") { question in
      let sdl = question.schema ?? ""
      let schema = schemas[sdl] ?? Schema.load(sdl: [Document(parsing: sdl)])
      schemas[sdl] = schema
      // Documents that exceed the reference's cost limit. The limits here are different.
      if question.errors.contains(where: { $0.message.hasPrefix("Validation aborted") }) { return nil }
      let document = Document(parsing: question.text, limits: ParserLimits(allowsFragmentVariables: false))
      // Fragment arguments, whose conflicts are not checked, and syntax that only the draft allows.
      if document.hasErrors { return nil }
      guard let rules = rules(question.rules, Validator.specifiedRules + Validator.lints) else { return nil }
      return Validator.validate(document, schema: schema, rules: rules).map { Complaint($0.message, $0.locations) }
    }
  }

  @Test func `errors of schema documents match the reference`() throws {
    try compare("sdl") { question in
      guard let rules = rules(question.rules, Validator.specifiedSDLRules) else { return nil }
      let document = Document(parsing: question.text)
      if document.hasErrors { return nil }
      return Validator.validate(schema: Schema.load(sdl: [document]), rules: rules).map {
        Complaint($0.message, $0.locations)
      }
    }
  }

  @Test func `errors of schemas match the reference`() throws {
    try compare("types") { question in
      // Schemas that were modified in memory after parsing.
      if question.errors.contains(where: \.places.isEmpty), !question.errors[0].message.hasPrefix("Query root") {
        return nil
      }
      return Validator.validate(schema: Schema.load(sdl: question.text), rules: Validator.typeValidationRules).map {
        Complaint($0.message, $0.locations)
      }
    }
  }

  private func hasEmptySelectionSet(_ document: Document) -> Bool {
    document.diagnostics.first.map { diagnostic in
      document.text.utf8.prefix(diagnostic.range.lowerBound).reversed().first { $0 > 0x20 } == UInt8(ascii: "{")
    } ?? false
  }

  /// Returns the rules with these names; nil if any does not exist here.
  private func rules(
    _ names: [String]?, _ rules: [any ValidationRule.Type]
  ) -> [any ValidationRule.Type]? {
    guard let names else { return rules.filter { rule in !Validator.lints.contains { $0 == rule } } }
    let found = names.compactMap { name in rules.first { $0.name == name || $0.name == name + "Rule" } }
    return found.count == names.count ? found : nil
  }

  /// Cases in which this implementation follows the edition of the specification, or reports more.
  private static let deviations: [(text: String, reason: String)] = [
    ("query ($id: ID, $float: Float, $int: Int)", "scalars that a schema does not use are known all the same"),
    ("late: child { child { child {", "all places of a conflict are given, however many"),
    ("child { child { child { child { child { child {", "the same"),
    ("second: __type(name: \"Query\") { ...Inner }", "a depth that is reached by way of a cycle is reached"),
    ("fragment First on First { value }", "both places of a conflict are given, where the reference gives one twice"),
    ("@onFragmentVariableDefinition", "a location of an experiment"),
  ]

  private func compare(
    _ kind: String, _ answer: (ReferenceRecord.Question) throws -> [Complaint]?
  ) throws {
    let questions = try ReferenceRecord.questions(kind)
    var differences: [String] = []
    var compared = 0
    for question in questions where !Self.deviations.contains(where: { question.text.contains($0.text) }) {
      guard let own = try answer(question) else { continue }
      compared += 1
      if own.map(\.places).sorted(by: order) != question.errors.map(\.places).sorted(by: order) {
        differences.append(
          """
          \(question.rules?.joined(separator: ", ") ?? "")
          \(question.text.prefix(1000))
            reference: \(question.errors.sorted())
            ours:      \(own.sorted())

          """)
      }
    }
    print("\(kind): \(compared) of \(questions.count) compared, \(differences.count) differ")
    #expect(compared > questions.count / 2)
    #expect(differences.joined(separator: "\n") == "")
  }

  private func order(_ left: [String], _ right: [String]) -> Bool { left.lexicographicallyPrecedes(right) }
}
