import ApusGraphQLLanguage

/// Returns the content of a tree without its layout: kinds, flags, and the text of leaves, with strings by value.
func meaning(_ document: Document) -> [String] {
  document.nodes.indices.map { index in
    let node = document.nodes[index]
    var text = ""
    if node.kind == .stringValue {
      text = ValueNode(document, NodeID(index)).stringValue
    } else if Int(node.next) == index + 1, node.kind != .document {
      text = document.source.text(node.range)
    }
    // The notation of a string or an operation is layout.
    var flags = node.flags
    if node.kind == .stringValue { flags.remove(.isPlain) }
    if node.kind == .operationDefinition { flags.remove(.isShorthand) }
    return "\(node.kind) \(flags.rawValue) \(text)"
  }
}
