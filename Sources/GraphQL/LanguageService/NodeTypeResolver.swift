import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Resolves the types of a document's nodes.
enum NodeTypeResolver {
  /// Returns the schema's type for a written type; `nil` if the schema does not define it.
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

/// The nodes from the document's root to an offset, with the type of each selection set.
struct TypedPath {
  struct Step {
    let node: AnyNode
    /// The parent type of a selection set, also for the nodes inside it.
    let type: TypeDefinition?
    /// The definition of a field, also for the nodes inside it.
    let field: FieldDefinition?
  }

  private(set) var steps: [Step] = []

  init(to offset: Int, in document: Document, schema: Schema?) {
    var type: TypeDefinition?
    var field: FieldDefinition?
    // The type of the next selection set.
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

  /// The innermost selection set and its parent type.
  var selectionSet: (set: SelectionSetNode, type: TypeDefinition?)? {
    last(.selectionSet).map { (SelectionSetNode($0.node.document, $0.node.id), $0.type) }
  }
}
