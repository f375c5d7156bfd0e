/// Writes a tree in canonical layout. With comments it is the formatter: each comment moves to the nearest start or end
/// of a line, and single blank lines between members are kept. `{bird(id:1){name}}` becomes:
///
///     {
///       bird(id: 1) {
///         name
///       }
///     }
///
/// The pointers are valid because the writer exists only inside `withUnsafeBufferPointer`.
struct TreeWriter {
  let source: UnsafeBufferPointer<UInt8>
  let nodes: UnsafeBufferPointer<SyntaxNode>
  var output: SyntaxWriter
  var comments = CommentCursor()
  /// The maximum width of a line with its indentation, in UTF-16 units; `nil` for the layout of the printer, which breaks
  /// only arguments and values.
  var width: Int?

  /// The maximum length of a line that is not broken, in UTF-16 units. Without a width it does not include the indentation.
  var lineLimit: Int { width ?? 80 }

  init(_ source: UnsafeBufferPointer<UInt8>, _ nodes: UnsafeBufferPointer<SyntaxNode>, capacity: Int? = nil) {
    self.source = source
    self.nodes = nodes
    output = SyntaxWriter(capacity: capacity ?? source.count + source.count / 4)
  }

  @inline(__always)
  func node(_ id: NodeID) -> SyntaxNode { nodes[Int(id)] }

  /// Whether the child at `position` exists and has the kind.
  @inline(__always)
  func isKind(_ kind: SyntaxKind, _ position: NodeID, _ end: NodeID) -> Bool {
    position < end && node(position).kind == kind
  }

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
  // Not inlined: copies in every caller took the compiler seven seconds.

  /// Writes members in braces, one per line. Moves `child` past the last one.
  @inline(never)
  mutating func writeBlock(_ child: inout NodeID, while kinds: (SyntaxKind) -> Bool, end: NodeID, closing: Int) {
    output.write("{")
    writeLines(&child, while: kinds, end: end, closing: closing)
    output.write("}")
  }

  /// Writes members one per line, indented, up to the closing token.
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

  /// Writes members on one line, separated by commas.
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

  /// Writes the definitions of variables or arguments, if there are any, after the node that ends at `open`.
  ///
  /// - Parameter keywords: The width of the keywords after them that have no node.
  mutating func writeDefinitions(
    of kind: SyntaxKind, _ child: inout NodeID, _ end: NodeID, after open: UInt32, keywords: Int = 0
  ) {
    guard isKind(kind, child, end) else { return }
    var last = child
    var isMultiline = false
    while isKind(kind, last, end) {
      isMultiline = isMultiline || isMemberMultiline(last)
      last = node(last).next
    }
    isMultiline =
      isMultiline
      || overflows(
        with: flatWidth(ofMembers: child, while: kind, end) + restOfLine(last, end)
          + (isKind(.directive, last, end) ? 0 : keywords))
    writeParenthesized(&child, while: kind, end: end, after: open, isMultiline: isMultiline)
  }

  /// Writes members in parentheses after the node that ends at `open`, one per line if required or if there are
  /// comments between them.
  @inline(never)
  mutating func writeParenthesized(
    _ child: inout NodeID, while kind: SyntaxKind, end: NodeID, after open: UInt32, isMultiline: Bool
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

  /// - Parameter isIndented: Whether directives are indented if each has a line.
  @inline(never)
  mutating func writeDirectives(_ child: inout NodeID, _ end: NodeID, isIndented: Bool = true) {
    let isMultiline = isKind(.directive, child, end) && overflows(with: flatWidth(ofDirectives: child, end))
    if isMultiline, isIndented { output.indent += 1 }
    while child < end, node(child).kind == .directive {
      if isMultiline { output.newLine() } else { output.write(" ") }
      let next = node(child).next
      // The brace after the last directive is on its line.
      writeDirective(child, rest: next < end && node(next).kind != .directive ? 2 : 0)
      child = next
    }
    if isMultiline, isIndented { output.indent -= 1 }
  }

  /// - Parameter rest: The width of the text that follows on the line.
  @inline(never)
  mutating func writeDirective(_ id: NodeID, rest: Int = 0) {
    output.write("@")
    writeText(id + 1)
    var child = node(id + 1).next
    let end = node(id).next
    guard child < end else { return }
    if overflows(with: flatWidth(ofMembers: child, while: .argument, end) + rest) {
      return writeParenthesized(&child, while: .argument, end: end, after: node(id + 1).end, isMultiline: true)
    }
    output.write("(")
    writeInline(&child, while: .argument, end: end)
    output.write(")")
  }

  /// Writes the description, if any, on its own lines; returns the node after it.
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
