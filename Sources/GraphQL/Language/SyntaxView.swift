/// A typed view of a node in the tree of a document.
package protocol SyntaxView: Sendable, Equatable {
  var document: Document { get }
  var id: NodeID { get }
}

/// A view that exists for every node of its kind.
package protocol TypedNode: SyntaxView {
  init(_ document: Document, _ id: NodeID)
}

extension SyntaxView {
  package var node: SyntaxNode { document.nodes[Int(id)] }
  package var kind: SyntaxKind { node.kind }
  package var flags: SyntaxFlags { node.flags }
  /// The range in bytes.
  package var range: Range<Int> { node.range }
  package var text: String { document.source.text(range) }
  /// The start of the node.
  package var location: SourceLocation { document.source.location(at: Int(node.start)) }
  /// Whether the source lacks the node and the parser added it.
  package var isMissing: Bool { flags.contains(.isMissing) }
  package var erased: AnyNode { AnyNode(document, id) }

  package static func == (left: Self, right: Self) -> Bool {
    left.id == right.id && left.document === right.document
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(ObjectIdentifier(document))
  }

  func child(_ kind: SyntaxKind) -> NodeID? {
    for child in document.children(of: id) where document.nodes[Int(child)].kind == kind { return child }
    return nil
  }

  func children(_ kind: SyntaxKind) -> [NodeID] {
    document.children(of: id).filter { document.nodes[Int($0)].kind == kind }
  }

  /// The node of the description, which is the first child.
  var descriptionID: NodeID? { flags.contains(.hasDescription) ? id + 1 : nil }

  /// The first child after the description.
  var bodyID: NodeID { flags.contains(.hasDescription) ? id + 2 : id + 1 }

  func describedText() -> String? {
    descriptionID.map { ValueNode(document, $0).stringValue }
  }

  var directiveNodes: [DirectiveNode] { children(.directive).map { DirectiveNode(document, $0) } }

  /// Returns the first directive with a name that is applied to the node.
  package func directive(named name: String) -> DirectiveNode? {
    for child in document.children(of: id) where document.nodes[Int(child)].kind == .directive {
      let directive = DirectiveNode(document, child)
      if directive.name.hasValue(name) { return directive }
    }
    return nil
  }
}

/// A node of any kind.
package struct AnyNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var children: [AnyNode] { document.children(of: id).map { AnyNode(document, $0) } }
}

package struct NameNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  /// The name; empty if it is missing.
  package var value: String { text }

  /// Whether the name begins with two underscores, which are reserved for introspection.
  package var isReserved: Bool { document.source.bytes[range].starts(with: "__".utf8) }

  /// Compares the name without creating a string.
  package func hasValue(_ name: String) -> Bool {
    let range = range
    var name = name
    return name.withUTF8 { requested in
      requested.count == range.count
        && document.source.bytes.withUnsafeBufferPointer { bytes in
          bytes[range].elementsEqual(requested)
        }
    }
  }
}
