import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A fragment with `@refetchable` must have a type that can be refetched and a unique query name.
///
/// Source: the Relay compiler's refetchable-fragment transform.
enum RelayRefetchableFragmentsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, schema.has(.relay) else { return }
    var names: [String: any SyntaxView] = [:]
    for operation in context.operations {
      if let name = operation.name { names[name.value] = operation }
    }
    for fragment in context.fragments {
      guard let query = context.refetchQuery(of: fragment) else { continue }
      let title = "The query of @refetchable on \"\(fragment.name.value)\""
      let name = query.stringValue
      if !Document.isName(name) {
        context.report("\(title) is called \"\(name)\", which is not a name.", query)
      } else if let other = names[name] {
        context.report("\(title) is called \"\(name)\", like another operation.", query, other)
      } else {
        names[name] = fragment
      }
      checkType(of: fragment, schema, context)
    }
  }

  private static func checkType(of fragment: FragmentDefinitionNode, _ schema: Schema, _ context: ValidationContext) {
    guard let type = context.fragmentType(of: fragment) else { return }
    if type == schema.queryType || type.name == "Viewer" || isFetchable(type) { return }
    let title = "@refetchable on \"\(fragment.name.value)\""
    guard isNode(type, context) else {
      return context.report(
        "\(title) needs a type that can be fetched: the query root, \"Viewer\" or one that implements \"Node\", but \"\(type.name)\" is none of them.",
        fragment.typeCondition)
    }
    if schema.queryType?.field(named: "node")?.argument(named: "id") == nil {
      context.report(
        "\(title) fetches a \"Node\", but the query root has no field \"node(id:)\".",
        fragment.typeCondition)
    }
  }

  private static func isFetchable(_ type: TypeDefinition) -> Bool {
    type.nodes.contains { $0.directives.contains { $0.name.hasValue("fetchable") } }
  }

  private static func isNode(_ type: TypeDefinition, _ context: ValidationContext) -> Bool {
    if type.name == "Node" || type.interfaces.contains(where: { $0.name == "Node" }) { return true }
    let possibleTypes = type.possibleTypes
    guard type.isAbstract, !possibleTypes.isEmpty, context.spend(possibleTypes.count * 10) else { return false }
    return possibleTypes.allSatisfy { $0.interfaces.contains { $0.name == "Node" } }
  }
}

extension ValidationContext {
  /// Returns the name of the query that Relay generates for a fragment.
  func refetchQuery(of fragment: FragmentDefinitionNode) -> ValueNode? {
    guard schema?.has(.relay) == true,
      let value = fragment.directive(named: "refetchable")?.argument(named: "queryName")?.value, value.kind == .string
    else { return nil }
    return value
  }
}
