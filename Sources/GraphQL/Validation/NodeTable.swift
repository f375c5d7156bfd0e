import ApusGraphQLLanguage

/// Direct access to the nodes of a document by ID, without a view per node: for the walk that fills the context and for the
/// search for overlapping fields, which visit each selection many times. Rules use the views.
struct NodeTable {
  let document: Document
  private let nodes: ContiguousArray<SyntaxNode>

  init(_ document: Document) {
    self.document = document
    nodes = document.nodes
  }

  var count: Int { nodes.count }

  subscript(id: NodeID) -> SyntaxNode { nodes[Int(id)] }

  func kind(_ id: NodeID) -> SyntaxKind { nodes[Int(id)].kind }
  func next(_ id: NodeID) -> NodeID { nodes[Int(id)].next }
  func has(_ flag: SyntaxFlags, _ id: NodeID) -> Bool { nodes[Int(id)].flags.contains(flag) }
  func children(of id: NodeID) -> SyntaxChildren { document.children(of: id) }

  /// Returns the name node of a field, which follows its alias.
  func fieldName(_ id: NodeID) -> NodeID { has(.hasAlias, id) ? id + 2 : id + 1 }

  /// Returns the arguments of a field, which follow its name.
  func arguments(of field: NodeID) -> [NodeID] {
    var arguments: [NodeID] = []
    var child = fieldName(field) + 1
    while child < next(field), kind(child) == .argument {
      arguments.append(child)
      child = next(child)
    }
    return arguments
  }
}
