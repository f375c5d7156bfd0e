/// One rule of the specification: it looks through the tables of a context and reports what it finds.
package protocol ValidationRule: Sendable {
  /// The rule can judge nothing without a schema.
  static var needsSchema: Bool { get }
  static func check(_ context: ValidationContext)
}

extension ValidationRule {
  /// The rule's name in the reference implementation.
  package static var name: String { "\(Self.self)" }
  package static var needsSchema: Bool { true }
}
