import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Lists nest no deeper than a schema can hold.
///
/// This is a limit of this implementation, far beyond what schemas have.
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
