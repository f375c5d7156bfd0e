import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// How much a lint's finding matters. What is off is not looked for.
package enum LintSeverity: String, Sendable, Equatable, CaseIterable {
  case off, warning, error
}

/// Something that a rule can be told: a name, what it is without being told, and what it may be, if that can be listed.
package struct LintOption: Sendable, Equatable {
  package let name: String
  package let defaultValues: [String]
  package let choices: [String]
  package let takesList: Bool
}

extension LintOption {
  static func choice(_ name: String, _ value: String, of choices: [String]) -> LintOption {
    LintOption(name: name, defaultValues: [value], choices: choices, takesList: false)
  }

  static func flag(_ name: String, _ value: Bool) -> LintOption {
    LintOption(name: name, defaultValues: ["\(value)"], choices: ["true", "false"], takesList: false)
  }

  static func list(_ name: String, _ values: [String]) -> LintOption {
    LintOption(name: name, defaultValues: values, choices: [], takesList: true)
  }
}

/// One thing that a schema should be like, beyond being valid. Its name is graphql-eslint's where that has such a rule.
package protocol SchemaLintRule: Sendable {
  static var name: String { get }
  /// One sentence that says what is right.
  static var summary: String { get }
  static var severity: LintSeverity { get }
  static var options: [LintOption] { get }
  static var canFix: Bool { get }
  /// What it has something against, as SDL.
  static var example: String { get }
  static func check(_ context: inout LintContext)
}

extension SchemaLintRule {
  package static var severity: LintSeverity { .error }
  package static var options: [LintOption] { [] }
  package static var canFix: Bool { false }
}

/// What a rule has against a schema, and where.
package struct LintFinding: Sendable, Equatable {
  package let rule: String
  package let severity: LintSeverity
  package let message: String
  package let coordinate: SchemaCoordinate?
  /// The document's name and the place in it.
  package let source: String
  package let location: SourceLocation
  /// What would put it right, where that is certain; empty elsewhere.
  package let fix: [TextEdit]
}

/// What a rule works on: the schema's own definitions, what the rule was told, and where it reports.
package struct LintContext {
  package let schema: Schema
  /// Those that the schema defines itself.
  let types: [TypeDefinition]
  let directives: [DirectiveDefinition]
  var rule: any SchemaLintRule.Type
  var severity = LintSeverity.error
  var given: [String: [String]] = [:]
  private(set) var findings: [LintFinding] = []

  init(_ schema: Schema, _ rule: any SchemaLintRule.Type) {
    self.schema = schema
    self.rule = rule
    types = schema.types.filter { !$0.isBuiltIn && !$0.nodes.isEmpty }
    directives = schema.directives.filter { !$0.isImplied && !$0.isSpecified }
  }

  // MARK: Options

  /// What an option was set to, or is without that.
  func values(_ option: String) -> [String] {
    given[option] ?? rule.options.first { $0.name == option }?.defaultValues ?? []
  }

  func value(_ option: String) -> String { values(option).first ?? "" }
  func isOn(_ option: String) -> Bool { value(option) == "true" }

  // MARK: Reports

  mutating func report(
    _ message: String, _ coordinate: SchemaCoordinate?, at node: some SyntaxView, fix: [TextEdit] = []
  ) {
    let start = node.range.lowerBound
    findings.append(
      LintFinding(
        rule: rule.name, severity: severity, message: message, coordinate: coordinate,
        source: node.document.source.name(at: start), location: node.document.source.location(at: start), fix: fix))
  }

  // MARK: What several rules ask

  /// The object that a query, a mutation or a subscription begins with.
  func isRoot(_ type: TypeDefinition) -> Bool {
    OperationType.allCases.contains { schema.rootType($0) == type }
  }

  /// The objects and interfaces.
  var fieldOwners: [TypeDefinition] { types.filter { $0.kind == .object || $0.kind == .interface } }

  /// The types that are connections by their names.
  var connections: [TypeDefinition] { types.filter { $0.name.hasSuffix("Connection") && $0.name != "Connection" } }
}

extension TypeDefinition {
  var coordinate: SchemaCoordinate { .type(name) }
  /// The name where the type is defined.
  var nameNode: NameNode? { nodes.first?.name }
}

extension FieldDefinition {
  var coordinate: SchemaCoordinate { .member(name, of: parentType.name) }
}
