import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The types of a document's nodes.
enum TypeOfNode {
  /// A written type as the schema's own; nil where it does not have the named one.
  static func reference(_ node: TypeNode, _ schema: Schema?) -> TypeReference? {
    guard let schema, let type = schema.type(named: node.name) else { return nil }
    return TypeReference(schema: schema, packed: PackedType(name: type.nameID, wrappers: wrappers(node)))
  }

  private static func wrappers(_ node: TypeNode) -> UInt32 {
    switch node.kind {
    case .nonNull: node.ofType.map { wrappers($0) | 1 } ?? 1
    case .list: node.ofType.map { wrappers($0) << 2 | 2 } ?? 0
    case .named: 0
    }
  }
}

/// The way from a document's root to a place, with the type that each selection set is of.
struct TypedPath {
  struct Step {
    let node: AnyNode
    /// Of a selection set, and of what is in it up to the next one: the type it selects from.
    let type: TypeDefinition?
    /// Of a field and of what is in it: its definition.
    let field: FieldDefinition?
  }

  private(set) var steps: [Step] = []

  init(to offset: Int, in document: Document, schema: Schema?) {
    var type: TypeDefinition?
    var field: FieldDefinition?
    // What the selection set that comes next is of.
    var next: TypeDefinition?
    for node in document.nodes(containing: offset) {
      switch node.kind {
      case .operationDefinition: next = schema?.rootType(OperationType(node.flags))
      case .fragmentDefinition:
        next = schema?.type(named: FragmentDefinitionNode(document, node.id).typeCondition.name.value)
      case .selectionSet:
        type = next
        field = nil
      case .field:
        field = type?.field(named: FieldNode(document, node.id).name.value)
        next = field?.type.definition
      case .inlineFragment:
        let condition = InlineFragmentNode(document, node.id).typeCondition
        next = condition.map { schema?.type(named: $0.name.value) } ?? type
      default: break
      }
      steps.append(Step(node: node, type: type, field: field))
    }
  }

  func last(_ kinds: SyntaxKind...) -> Step? { steps.last { kinds.contains($0.node.kind) } }

  /// The innermost selection set, and the type it selects from.
  var selectionSet: (set: SelectionSetNode, type: TypeDefinition?)? {
    last(.selectionSet).map { (SelectionSetNode($0.node.document, $0.node.id), $0.type) }
  }

  /// The innermost selection: a field, a spread or an inline fragment.
  var selection: SelectionNode? {
    last(.field, .fragmentSpread, .inlineFragment).flatMap { SelectionNode($0.node.document, $0.node.id) }
  }
}
