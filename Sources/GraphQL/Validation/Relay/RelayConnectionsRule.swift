import ApusGraphQLLanguage
import ApusGraphQLSchema

/// A field with `@connection` must be a connection, have a page argument, and have a key that ends with its name.
///
/// Source: the Relay compiler's connection transform; Relay's cursor connections specification.
enum RelayConnectionsRule: ValidationRule {
  static func check(_ context: ValidationContext) {
    guard let schema = context.schema, schema.has(.relay) else { return }
    for (directive, owner) in zip(context.directives, context.directiveOwners) where owner.location == .field {
      let name = context.name(directive + 1)
      guard name == "connection" || name == "stream_connection",
        schema.directive(named: name)?.isImplied == true
      else { continue }
      checkKey(DirectiveNode(context.document, directive), FieldNode(context.document, owner.node), context)
      checkField(owner.node, directive, context)
    }
  }

  private static func checkKey(_ directive: DirectiveNode, _ field: FieldNode, _ context: ValidationContext) {
    guard let key = directive.argument(named: "key")?.value, key.kind != .null else { return }
    let title = "The key of @\(directive.name.value)"
    guard key.kind == .string else { return context.report("\(title) must be written in the document.", key.id) }
    let ending = "_\(field.responseKey)"
    if !key.stringValue.hasSuffix(ending) || key.stringValue == ending {
      context.report(
        "\(title) must be a name followed by \"\(ending)\", such as \"List\(ending)\".", key.id)
    }
  }

  private static func checkField(_ field: NodeID, _ directive: NodeID, _ context: ValidationContext) {
    let title = "@\(context.name(directive + 1)) is on \"\(context.name(context.fieldName(field)))\""
    let names = context.arguments(of: field).map { context.name($0 + 1) }
    if !names.contains("first"), !names.contains("last") {
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
    guard let set = context.selectionSet(of: field), !selectsEdges(set, context) else { return }
    context.report("\(title), which must select \"edges\".", field)
  }

  /// Whether a selection set selects `edges`, directly or in inline fragments. The parser limits their depth.
  private static func selectsEdges(_ set: NodeID, _ context: ValidationContext) -> Bool {
    context.document.children(of: set).contains { selection in
      switch context.kind(selection) {
      case .field: context.name(context.fieldName(selection)) == "edges"
      case .inlineFragment: context.selectionSet(of: selection).map { selectsEdges($0, context) } ?? false
      default: false
      }
    }
  }
}
