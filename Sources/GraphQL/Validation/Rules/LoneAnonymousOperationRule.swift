/// An anonymous operation must be the only operation. Invalid: `{ bird { name } } query Birds { birds { name } }`.
///
/// Specification: Lone Anonymous Operation.
enum LoneAnonymousOperationRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    var counts: [Int: Int] = [:]
    for operation in context.operations { counts[context.part(of: operation), default: 0] += 1 }
    for operation in context.operations where operation.name == nil {
      guard counts[context.part(of: operation)] != 1 else { continue }
      context.report("This anonymous operation must be the only defined operation.", operation)
    }
  }
}
