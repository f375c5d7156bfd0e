import ApusGraphQLLanguage

/// A directive of a document with its location.
struct AppliedDirective {
  let node: DirectiveNode
  let ownerID: NodeID
  let location: DirectiveLocation

  /// The node that the directive is applied to.
  var owner: AnyNode { AnyNode(node.document, ownerID) }
  /// The field that the directive is applied to.
  var field: FieldNode? { location == .field ? FieldNode(node.document, ownerID) : nil }
}
