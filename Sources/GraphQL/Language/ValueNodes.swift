/// What a literal value is.
package enum ValueKind: Sendable, Equatable {
  case variable, int, float, string, boolean, null, `enum`, list, object
}

/// A literal value or a variable where a value stands. A missing value is a missing `null`.
package struct ValueNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var kind: ValueKind {
    switch node.kind {
    case .variable: .variable
    case .intValue: .int
    case .floatValue: .float
    case .stringValue: .string
    case .booleanValue: .boolean
    case .enumValue: .enum
    case .listValue: .list
    case .objectValue: .object
    default: .null
    }
  }

  /// A string's value, with its escape sequences and its block indentation resolved; of other values the text.
  package var stringValue: String {
    let node = node
    guard node.kind == .stringValue else { return text }
    if node.flags.contains(.isPlain) { return document.source.text(Int(node.start) + 1..<Int(node.end) - 1) }
    return document.source.bytes.withUnsafeBufferPointer { bytes in
      StringDecoder.value(UnsafeBufferPointer(rebasing: bytes[node.range]), isBlock: node.flags.contains(.isBlock))
    }
  }

  /// A string in triple quotes.
  package var isBlockString: Bool { node.kind == .stringValue && flags.contains(.isBlock) }
  package var boolValue: Bool { node.kind == .booleanValue && flags.contains(.isTrue) }
  /// A variable's name without its `$`; empty for other values.
  package var variableName: String { node.kind == .variable ? NameNode(document, id + 1).value : "" }
  package var elements: [ValueNode] {
    node.kind == .listValue ? document.children(of: id).map { ValueNode(document, $0) } : []
  }
  package var fields: [ObjectFieldNode] {
    node.kind == .objectValue ? document.children(of: id).map { ObjectFieldNode(document, $0) } : []
  }
}

/// A field of an input object's literal.
package struct ObjectFieldNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id + 1) }
  package var value: ValueNode { ValueNode(document, id + 2) }
}

/// A type's name where it is meant without wrappers: a type condition, an interface, a union's member.
package struct NamedTypeNode: SyntaxView {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id) }
}

/// A type reference: a name, a list of one, or either with a `!`.
package struct TypeNode: SyntaxView, CustomStringConvertible {
  package enum Kind: Sendable, Equatable { case named, list, nonNull }

  package let document: Document
  package let id: NodeID
  /// The view is on what stands before the `!`.
  private let isStripped: Bool

  package init(_ document: Document, _ id: NodeID, isStripped: Bool = false) {
    self.document = document
    self.id = id
    self.isStripped = isStripped
  }

  package var isNonNull: Bool { !isStripped && flags.contains(.isNonNull) }

  package var kind: Kind {
    isNonNull ? .nonNull : node.kind == .listType ? .list : .named
  }

  /// The innermost type's node.
  package var namedType: NamedTypeNode {
    var id = id
    while document.nodes[Int(id)].kind == .listType, id + 1 < document.nodes[Int(id)].next { id += 1 }
    return NamedTypeNode(document, id)
  }

  /// The innermost type's name.
  package var name: String { namedType.name.value }

  /// What the `!` or the list is of.
  package var ofType: TypeNode? {
    switch kind {
    case .nonNull: TypeNode(document, id, isStripped: true)
    case .list: id + 1 < node.next ? TypeNode(document, id + 1) : nil
    case .named: nil
    }
  }

  package var description: String {
    let inner = node.kind == .listType ? "[\(TypeNode(document, id + 1).description)]" : NameNode(document, id).value
    return isNonNull ? inner + "!" : inner
  }

  package static func == (left: TypeNode, right: TypeNode) -> Bool {
    left.id == right.id && left.document === right.document && left.isNonNull == right.isNonNull
  }
}
