/// Walks a tree and writes it in the canonical layout. With comments it is the formatter: each comment goes to the
/// line start or line end nearest to where it stood, and single blank lines between the members of a list stay.
///
/// Bytes and nodes are valid for the life of the writer because it lives only inside `withUnsafeBufferPointer`.
struct TreeWriter {
  let source: UnsafeBufferPointer<UInt8>
  let nodes: UnsafeBufferPointer<SyntaxNode>
  var output: SyntaxWriter
  var comments = CommentCursor()

  /// Lines up to this length, in UTF-16 units and without indentation, are not broken.
  static let maximumLineLength = 80

  init(_ source: UnsafeBufferPointer<UInt8>, _ nodes: UnsafeBufferPointer<SyntaxNode>, capacity: Int? = nil) {
    self.source = source
    self.nodes = nodes
    output = SyntaxWriter(capacity: capacity ?? source.count + source.count / 4)
  }

  @inline(__always)
  func node(_ id: NodeID) -> SyntaxNode { nodes[Int(id)] }

  /// The first child of the kind at or behind `position`, without leaving the parent.
  @inline(__always)
  func isKind(_ kind: SyntaxKind, _ position: NodeID, _ end: NodeID) -> Bool {
    position < end && node(position).kind == kind
  }

  /// The text of a leaf.
  @inline(__always)
  mutating func writeText(_ id: NodeID) { output.write(source, node(id).range) }

  mutating func write(_ id: NodeID) {
    switch node(id).kind {
    case .document: writeDocument(id)
    case .operationDefinition: writeOperation(id)
    case .fragmentDefinition: writeFragment(id)
    case .variableDefinition: writeVariableDefinition(id)
    case .selectionSet: writeSelectionSet(id)
    case .field, .fragmentSpread, .inlineFragment: writeSelection(id)
    case .argument, .objectField: writeNamedValue(id)
    case .directive: writeDirective(id)
    case .namedType, .listType: writeType(id)
    case .schemaDefinition: writeSchema(id)
    case .rootOperationTypeDefinition: writeRootOperationType(id)
    case .scalarTypeDefinition: writeTypeDefinition(id, "scalar")
    case .objectTypeDefinition: writeTypeDefinition(id, "type")
    case .interfaceTypeDefinition: writeTypeDefinition(id, "interface")
    case .unionTypeDefinition: writeTypeDefinition(id, "union")
    case .enumTypeDefinition: writeTypeDefinition(id, "enum")
    case .inputObjectTypeDefinition: writeTypeDefinition(id, "input")
    case .fieldDefinition, .inputValueDefinition, .enumValueDefinition: writeMember(id)
    case .directiveDefinition: writeDirectiveDefinition(id)
    case .name, .directiveLocation: writeText(id)
    default: writeValue(id)
    }
  }

  private mutating func writeDocument(_ id: NodeID) {
    var child = id + 1
    let end = node(id).next
    var isFirst = true
    while child < end {
      if !isFirst { output.blankLine() }
      isFirst = false
      write(child)
      child = node(child).next
    }
  }

  // MARK: Lists
  //
  // Not inlined: copies of these in all that call them took the compiler seven seconds.

  /// Members between braces, each on lines of its own; `child` is behind the last one afterwards.
  @inline(never)
  mutating func writeBlock(_ child: inout NodeID, while kinds: (SyntaxKind) -> Bool, end: NodeID, closing: Int) {
    output.write("{")
    writeLines(&child, while: kinds, end: end, closing: closing)
    output.write("}")
  }

  /// Members on lines of their own, one level in, up to what closes them.
  @inline(never)
  mutating func writeLines(_ child: inout NodeID, while kinds: (SyntaxKind) -> Bool, end: NodeID, closing: Int) {
    output.indent += 1
    var isFirst = true
    while child < end, kinds(node(child).kind) {
      openLine(before: child, isFirst: isFirst)
      isFirst = false
      write(child)
      let lastEnd = Int(node(child).end)
      child = node(child).next
      closeLine(after: lastEnd, before: closing)
    }
    writeComments(before: closing, isFirst: isFirst)
    output.indent -= 1
    output.newLine()
  }

  /// Members on one line, with commas.
  @inline(never)
  mutating func writeInline(_ child: inout NodeID, while kind: SyntaxKind, end: NodeID, separator: StaticString = ", ")
  {
    var isFirst = true
    while child < end, node(child).kind == kind {
      if !isFirst { output.write(separator) }
      isFirst = false
      write(child)
      child = node(child).next
    }
  }

  /// Members in parentheses behind the node that ends at `open`; on lines of their own where they must or where comments
  /// stand between them.
  @inline(never)
  mutating func writeParenthesized(
    _ child: inout NodeID, while kind: SyntaxKind, end: NodeID, behind open: UInt32, isMultiline: Bool
  ) {
    var last = child
    var lastEnd = 0
    while isKind(kind, last, end) {
      lastEnd = Int(node(last).end)
      last = node(last).next
    }
    output.write("(")
    let closing = comments.isEmpty ? lastEnd : tokenStart(from: lastEnd)
    if isMultiline || !comments.isEmpty && comments.any(in: tokenStart(from: Int(open)), closing) {
      writeLines(&child, while: { $0 == kind }, end: end, closing: closing)
    } else {
      writeInline(&child, while: kind, end: end)
    }
    output.write(")")
  }

  @inline(never)
  mutating func writeDirectives(_ child: inout NodeID, _ end: NodeID) {
    while child < end, node(child).kind == .directive {
      output.write(" ")
      writeDirective(child)
      child = node(child).next
    }
  }

  @inline(never)
  mutating func writeDirective(_ id: NodeID) {
    output.write("@")
    writeText(id + 1)
    var child = node(id + 1).next
    let end = node(id).next
    guard child < end else { return }
    output.write("(")
    writeInline(&child, while: .argument, end: end)
    output.write(")")
  }

  /// The description on lines of its own, if the node has one; gives the node behind it.
  @inline(never)
  mutating func writeDescription(_ id: NodeID) -> NodeID {
    guard node(id).flags.contains(.hasDescription) else { return id + 1 }
    writeString(id + 1)
    output.newLine()
    return id + 2
  }

  @inline(never)
  mutating func writeType(_ id: NodeID) {
    let node = node(id)
    if node.kind == .listType {
      output.write("[")
      if id + 1 < node.next { writeType(id + 1) }
      output.write("]")
    } else {
      writeText(id)
    }
    if node.flags.contains(.isNonNull) { output.write("!") }
  }
}
