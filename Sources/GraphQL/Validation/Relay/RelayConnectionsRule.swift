import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A field with `@connection` must be a connection, have a page argument, and have a key that ends with its name.
///
/// Source: the Relay compiler's connection transform; Relay's cursor connections specification.
enum RelayConnectionsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, schema.has(.relay) else { return }
    for directive in context.directives {
      guard let field = directive.field else { continue }
      let name = directive.node.name.value
      guard name == "connection" || name == "stream_connection",
        schema.directive(named: name)?.isImplied == true
      else { continue }
      checkKey(directive.node, field, context)
      checkField(field, directive.node, context)
    }
  }

  private static func checkKey(_ directive: DirectiveNode, _ field: FieldNode, _ context: ValidationContext) {
    guard let key = directive.argument(named: "key")?.value, key.kind != .null else { return }
    let title = "The key of @\(directive.name.value)"
    guard key.kind == .string else { return context.report("\(title) must be written in the document.", key) }
    let ending = "_\(field.responseKey)"
    if !key.stringValue.hasSuffix(ending) || key.stringValue == ending {
      context.report(
        "\(title) must be a name followed by \"\(ending)\", such as \"List\(ending)\".", key)
    }
  }

  private static func checkField(_ field: FieldNode, _ directive: DirectiveNode, _ context: ValidationContext) {
    let title = "@\(directive.name.value) is on \"\(field.name.value)\""
    if field.argument(named: "first") == nil, field.argument(named: "last") == nil {
      context.report("\(title), which has neither the argument \"first\" nor \"last\".", field)
    }
    guard let type = context.fieldDefinition(of: field)?.type else { return }
    guard let connection = type.definition, !type.isList, connection.isComposite else {
      return context.report("\(title), whose type \"\(type)\" is not a connection.", directive)
    }
    let edge = connection.field(named: "edges")?.type.definition
    let needed = [
      ("edges", connection.field(named: "edges")), ("pageInfo", connection.field(named: "pageInfo")),
      ("edges.node", edge?.field(named: "node")), ("edges.cursor", edge?.field(named: "cursor")),
    ]
    if let missing = needed.first(where: { $0.1 == nil }) {
      return context.report(
        "\(title), whose type \"\(connection.name)\" is not a connection: it has no field \"\(missing.0)\".", directive)
    }
    guard let set = field.selectionSet, !selectsEdges(set) else { return }
    context.report("\(title), which must select \"edges\".", field)
  }

  /// Whether a selection set selects `edges`, directly or in inline fragments. The parser limits their depth.
  private static func selectsEdges(_ set: SelectionSetNode) -> Bool {
    set.selections.contains { selection in
      switch selection {
      case .field(let field): field.name.hasValue("edges")
      case .inlineFragment(let fragment): selectsEdges(fragment.selectionSet)
      case .fragmentSpread: false
      }
    }
  }
}
