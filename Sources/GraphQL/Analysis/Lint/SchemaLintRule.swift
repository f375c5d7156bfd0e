import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema

/// The severity of a lint rule. Rules that are off do not run.
package enum LintSeverity: String, Sendable, Equatable, CaseIterable {
  case off, warning, error
}

/// An option of a rule, with its default value and its choices, if there are fixed ones.
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

/// A lint rule for schemas. If graphql-eslint has the rule, the names are equal.
package protocol SchemaLintRule: Sendable {
  static var name: String { get }
  /// One sentence that describes a correct schema.
  static var summary: String { get }
  static var severity: LintSeverity { get }
  static var options: [LintOption] { get }
  static var canFix: Bool { get }
  /// An SDL document that violates the rule.
  static var example: String { get }
  static func check(_ context: inout LintContext)
}

extension SchemaLintRule {
  package static var severity: LintSeverity { .error }
  package static var options: [LintOption] { [] }
  package static var canFix: Bool { false }
}

/// A violation of a rule, with its location: `The field Bird.Name should be in camelCase.`
package struct LintDiagnostic: Sendable, Equatable {
  package let rule: String
  package let severity: LintSeverity
  package let message: String
  package let coordinate: SchemaCoordinate?
  /// The name of the document.
  package let source: String
  package let location: SourceLocation
  /// Edits that certainly fix it; empty if there are none.
  package let fix: [TextEdit]
}

/// The input of a rule: the schema, the rule's options, and the report.
package struct LintContext {
  package let schema: Schema
  /// Types that the schema itself defines.
  let types: [TypeDefinition]
  let directives: [DirectiveDefinition]
  var rule: any SchemaLintRule.Type
  var severity = LintSeverity.error
  var given: [String: [String]] = [:]
  private(set) var findings: [LintDiagnostic] = []

  init(_ schema: Schema, _ rule: any SchemaLintRule.Type) {
    self.schema = schema
    self.rule = rule
    types = schema.types.filter { !$0.isBuiltIn && !$0.nodes.isEmpty }
    directives = schema.directives.filter { !$0.isImplied && !$0.isSpecified }
  }

  // MARK: Options

  /// Returns the values of an option, or its default.
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
      LintDiagnostic(
        rule: rule.name, severity: severity, message: message, coordinate: coordinate,
        source: node.document.source.name(at: start), location: node.document.source.location(at: start), fix: fix))
  }

  // MARK: Helpers

  /// Whether the type is a root operation type.
  func isRoot(_ type: TypeDefinition) -> Bool {
    OperationType.allCases.contains { schema.rootType($0) == type }
  }

  /// Objects and interfaces.
  var fieldOwners: [TypeDefinition] { types.filter { $0.kind == .object || $0.kind == .interface } }

  var connections: [TypeDefinition] { types.filter { $0.name.hasSuffix("Connection") && $0.name != "Connection" } }
}

extension TypeDefinition {
  var coordinate: SchemaCoordinate { .type(name) }
  /// The name in the definition.
  var nameNode: NameNode? { nodes.first?.name }
}

extension FieldDefinition {
  var coordinate: SchemaCoordinate { .member(name, of: parentType.name) }
}
