import GraphQLLanguage

/// Arguments that are given exist.
///
/// Specification: Argument Names.
enum KnownArgumentNamesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    for set in context.selectionSets {
      for field in context.document.children(of: set)
      where context.kind(field) == .field && context.meaning[Int(field)] >= 0 {
        let record = context.storage.fields[Int(context.meaning[Int(field)])]
        for argument in unknownArguments(field, context) {
          let parent = context.typeName(UInt32(context.meaning[Int(set)]))
          let name = context.name(argument + 1)
          let known = record.arguments.indices.map { context.storage.names[context.storage.inputValues[$0].name] }
          context.report(
            "Unknown argument \"\(name)\" on field \"\(parent).\(context.storage.names[record.name])\"."
              + Suggestions.didYouMean(Suggestions.near(name, known)), argument)
        }
      }
    }
    for directive in context.directives where context.meaning[Int(directive)] >= 0 {
      let record = context.storage.directives[Int(context.meaning[Int(directive)])]
      for argument in unknownArguments(directive, context) {
        let name = context.name(argument + 1)
        let known = record.arguments.indices.map { context.storage.names[context.storage.inputValues[$0].name] }
        context.report(
          "Unknown argument \"\(name)\" on directive \"@\(context.storage.names[record.name])\"."
            + Suggestions.didYouMean(Suggestions.near(name, known)), argument)
      }
    }
  }

  private static func unknownArguments(_ node: NodeID, _ context: ValidationContext) -> [NodeID] {
    var unknown: [NodeID] = []
    for child in context.document.children(of: node)
    where context.kind(child) == .argument && context.meaning[Int(child)] < 0 && !context.isMissing(child + 1) {
      unknown.append(child)
    }
    return unknown
  }
}
