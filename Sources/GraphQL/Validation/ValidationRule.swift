/// A validation rule, which iterates over the tables of a context and reports errors.
package protocol ValidationRule: Sendable {
  /// Whether the rule is skipped without a schema.
  static var needsSchema: Bool { get }
  static func check(_ context: ValidationContext)
}

extension ValidationRule {
  /// The name of the rule in the reference implementation.
  package static var name: String { "\(Self.self)" }
  package static var needsSchema: Bool { true }
}
