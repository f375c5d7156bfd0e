import ApusGraphQLLanguage

/// Arguments that must be given are given.
///
/// Specification: Required Arguments.
enum ProvidedRequiredArgumentsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    ProvidedRequiredArgumentsOnDirectivesRule.check(context)
    for set in context.selectionSets {
      for field in context.document.children(of: set)
      where context.kind(field) == .field && context.meaning[Int(field)] >= 0 {
        let record = context.storage.fields[Int(context.meaning[Int(field)])]
        context.reportMissingArguments(of: field, record.arguments) {
          let isMeta = context.storage.names[record.name].hasPrefix("__")
          let parent = isMeta ? "<meta>" : context.typeName(UInt32(context.meaning[Int(set)]))
          return "\(parent).\(context.storage.names[record.name])"
        }
      }
    }
  }
}
