import ApusGraphQLLanguage

/// Every fragment must be used by an operation.
///
/// Specification: Fragments Must Be Used.
enum NoUnusedFragmentsRule: ValidationRule {
  static var needsSchema: Bool { false }

  static func check(_ context: ValidationContext) {
    // One search covers all operations. Fragments with the same name count as used together.
    var used = Set<UInt32>()
    var pending = context.operations
    while let definition = pending.popLast() {
      for spread in context.within(definition, context.spreads) {
        let name = context.nameID(of: spread)
        if let fragment = context.fragment(of: spread), used.insert(name).inserted { pending.append(fragment) }
      }
    }
    for fragment in context.fragments
    where context.refetchQuery(of: fragment) == nil && !context.isLocalCacheMutation(fragment) {
      let name = context.bodyID(fragment)
      if context.nameOf[name] != ValidationContext.none, !used.contains(context.nameOf[name]) {
        context.report("Fragment \"\(context.name(NodeID(name)))\" is never used.", fragment)
      }
    }
  }
}
