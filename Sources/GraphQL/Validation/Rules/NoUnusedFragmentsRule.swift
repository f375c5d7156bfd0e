import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Every fragment must be used by an operation. Invalid: `{ bird { name } } fragment Card on Bird { name }`.
///
/// Specification: Fragments Must Be Used.
package enum NoUnusedFragmentsRule: ValidationRule {
  package static var needsSchema: Bool { false }

  /// Whether a client uses the fragment in generated code, so that no operation needs to.
  package static func isUsedByClient(_ fragment: FragmentDefinitionNode, _ schema: Schema?) -> Bool {
    schema?.has(.relay) == true && fragment.directive(named: "refetchable") != nil
      || schema?.has(.apollo) == true && fragment.directive(named: "apollo_client_ios_localCacheMutation") != nil
  }

  package static func check(_ context: ValidationContext) {
    // One search covers all operations. Fragments with the same name count as used together.
    var used = Set<NameID>()
    var pending = context.operations.map { context.spreads.within($0) }
    while let spreads = pending.popLast() {
      for spread in spreads {
        guard let fragment = context.fragment(of: spread), used.insert(context.nameID(of: spread)).inserted else {
          continue
        }
        pending.append(context.spreads.within(fragment))
      }
    }
    for fragment in context.fragments where !isUsedByClient(fragment, context.schema) {
      let name = context.nameID(of: fragment.name)
      if name != ValidationContext.none, !used.contains(name) {
        context.report("Fragment \"\(fragment.name.value)\" is never used.", fragment)
      }
    }
  }
}
