package enum ValueKind: Sendable, Equatable {
  case variable, int, float, string, boolean, null, `enum`, list, object
}

/// A value literal or variable: `[1, $a]`. A missing value is a missing `null`.
package struct ValueNode: TypedNode {
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

  /// The value of a string, with escape sequences decoded and block indentation removed; the source text of other
  /// values.
  package var stringValue: String {
    let node = node
    guard node.kind == .stringValue else { return text }
    if node.flags.contains(.isPlain) { return document.source.text(Int(node.start) + 1..<Int(node.end) - 1) }
    return document.source.bytes.withUnsafeBufferPointer { bytes in
      StringDecoder.value(UnsafeBufferPointer(rebasing: bytes[node.range]), isBlock: node.flags.contains(.isBlock))
    }
  }

  package var isBlockString: Bool { node.kind == .stringValue && flags.contains(.isBlock) }
  package var boolValue: Bool { node.kind == .booleanValue && flags.contains(.isTrue) }
  /// The name of a variable without `$`; empty for other values.
  package var variableName: String { node.kind == .variable ? NameNode(document, id + 1).value : "" }
  package var elements: [ValueNode] {
    node.kind == .listValue ? document.children(of: id).map { ValueNode(document, $0) } : []
  }
  package var fields: [ObjectFieldNode] {
    node.kind == .objectValue ? document.children(of: id).map { ObjectFieldNode(document, $0) } : []
  }
}

/// A name with a value: an argument, or a field of an input object literal.
package protocol NamedValueNode: TypedNode {
  var name: NameNode { get }
  var value: ValueNode { get }
}

/// A field of an input object literal.
package struct ObjectFieldNode: NamedValueNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id + 1) }
  package var value: ValueNode { ValueNode(document, id + 2) }
}

/// A type name without wrappers: a type condition, interface or union member.
package struct NamedTypeNode: TypedNode {
  package let document: Document
  package let id: NodeID

  package init(_ document: Document, _ id: NodeID) {
    self.document = document
    self.id = id
  }

  package var name: NameNode { NameNode(document, id) }
}

/// A type reference: a name or a list, either with an optional `!`. `[Bird!]!` is a list with `!` of a name with `!`.
package struct TypeNode: SyntaxView, CustomStringConvertible {
  package enum Kind: Sendable, Equatable { case named, list, nonNull }

  package let document: Document
  package let id: NodeID
  /// Whether the view excludes the `!`.
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

  /// The number of nested lists.
  package var listDepth: Int {
    var inner = id
    while document.nodes[Int(inner)].kind == .listType, inner + 1 < document.nodes[Int(inner)].next { inner += 1 }
    return Int(inner - id)
  }

  /// The node of the innermost type.
  package var namedType: NamedTypeNode {
    NamedTypeNode(document, id + NodeID(listDepth))
  }

  /// The name of the innermost type.
  package var name: String { namedType.name.value }

  /// The type inside the `!` or the list: `[Bird]` for `[Bird]!`, and `Bird` for `[Bird]`. Nil for a name.
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
