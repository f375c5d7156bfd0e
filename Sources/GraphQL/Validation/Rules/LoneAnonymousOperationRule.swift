/// An operation without a name is the only one.
///
/// Specification: Lone Anonymous Operation.
enum LoneAnonymousOperationRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    guard context.operations.count > 1 else { return }
    for operation in context.operations where context.child(operation, .name) == nil {
      context.report("This anonymous operation must be the only defined operation.", operation)
    }
  }
}
