import GraphQLLanguage

/// What changes the world, or listens to it, cannot be put off at its root.
///
/// Specification: Defer And Stream Directives Are Used On Valid Root Field.
enum DeferStreamDirectiveOnRootFieldRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for set in context.selectionSets where context.meaning[Int(set)] >= 0 {
      let type = UInt32(context.meaning[Int(set)])
      let operation: String
      if context.storage.rootTypes[1] == type {
        operation = "mutation"
      } else if context.storage.rootTypes[2] == type {
        operation = "subscription"
      } else {
        continue
      }
      for selection in context.document.children(of: set) {
        for directive in context.document.children(of: selection) where context.kind(directive) == .directive {
          let title: String
          // Where they may stand at all is another rule's matter.
          switch context.name(directive + 1) {
          case "defer" where context.kind(selection) != .field: title = "Defer"
          case "stream" where context.kind(selection) == .field: title = "Stream"
          default: continue
          }
          context.report(
            "\(title) directive cannot be used on root \(operation) type \"\(context.typeName(type))\".", directive)
        }
      }
    }
  }
}
