import ApusGraphQLLanguage

/// Arguments that are given exist.
///
/// Specification: Argument Names.
enum KnownArgumentNamesRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    KnownArgumentNamesOnDirectivesRule.check(context)
    for set in context.selectionSets {
      for field in context.document.children(of: set)
      where context.kind(field) == .field && context.meaning[Int(field)] >= 0 {
        let record = context.storage.fields[Int(context.meaning[Int(field)])]
        for argument in context.unknownArguments(of: field) {
          let parent = context.typeName(UInt32(context.meaning[Int(set)]))
          let name = context.name(argument + 1)
          let near = context.near(name, amongMembersOf: record.arguments)
          context.report(
            "Unknown argument \"\(name)\" on field \"\(parent).\(context.storage.names[record.name])\"."
              + Suggestions.didYouMean(near), argument,
            suggesting: context.suggestion(near, for: argument + 1))
        }
      }
    }
    checkFragmentArguments(context)
  }

  private static func checkFragmentArguments(_ context: ValidationContext) {
    for spread in context.spreadsWithArguments where context.fragment(of: spread) != nil {
      let variables = context.fragmentVariables[context.nameOf[Int(spread) + 1]]
      for argument in context.fragmentArguments(of: spread) where !context.isMissing(argument + 1) {
        guard variables?[context.nameOf[Int(argument) + 1]] == nil else { continue }
        let known = variables?.all ?? []
        let near = context.near(context.name(argument + 1), among: known.count) {
          known.filter { $0.name != ValidationContext.none }.map { context.names[$0.name] }
        }
        context.report(
          "Unknown argument \"\(context.name(argument + 1))\" on fragment \"\(context.name(spread + 1))\"."
            + Suggestions.didYouMean(near), argument,
          suggesting: context.suggestion(near, for: argument + 1))
      }
    }
  }
}
