import ApusGraphQLLanguage

/// Only lists can be streamed.
///
/// Specification: Stream Directives Are Used On List Fields.
enum StreamDirectiveOnListFieldRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for set in context.selectionSets where context.meaning[Int(set)] >= 0 {
      for field in context.document.children(of: set)
      where context.kind(field) == .field && context.meaning[Int(field)] >= 0 {
        let record = context.storage.fields[Int(context.meaning[Int(field)])]
        guard !record.type.isList else { continue }
        for directive in context.document.children(of: field)
        where context.kind(directive) == .directive && context.name(directive + 1) == "stream" {
          context.report(
            "Stream directive cannot be used on non-list field \"\(context.storage.names[record.name])\" on type \"\(context.typeName(UInt32(context.meaning[Int(set)])))\".",
            directive)
        }
      }
    }
  }
}
