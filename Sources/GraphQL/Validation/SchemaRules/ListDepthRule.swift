import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Lists must not nest deeper than the schema representation allows.
///
/// This is a limit of this implementation that real schemas do not reach.
enum ListDepthRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    let fields = context.typeDefinitions.flatMap { context.children($0, .fieldDefinition) }
    for member in fields + context.inputValueDefinitions.map(\.node) {
      guard let reference = context.typeReference(member) else { continue }
      var depth = 0
      var inner = reference
      while context.kind(inner) == .listType, inner + 1 < context.next(inner) {
        depth += 1
        inner += 1
      }
      if depth > PackedType.maximumListDepth {
        context.report("Lists nest deeper than \(PackedType.maximumListDepth) levels.", reference)
      }
    }
  }
}
