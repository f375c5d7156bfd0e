// Operations, fragments and selections.
extension TreeWriter {
  mutating func writeOperation(_ id: NodeID) {
    let end = node(id).next
    let flags = node(id).flags
    var child = writeDescription(id)
    let isQuery = !flags.contains(.isMutation) && !flags.contains(.isSubscription)
    // A query with only a selection set needs no keyword.
    if isKind(.selectionSet, child, end), isQuery, !flags.contains(.hasDescription) {
      return writeSelectionSet(child)
    }
    output.write(isQuery ? "query" : flags.contains(.isMutation) ? "mutation" : "subscription")
    // Without a name, the list opens after the keyword.
    let keyword = flags.contains(.hasDescription) ? Int(node(id + 1).end) : Int(node(id).start)
    var open = UInt32(keywordEnd(from: keyword))
    if isKind(.name, child, end) {
      output.write(" ")
      writeText(child)
      open = node(child).end
      child = node(child).next
    } else if isKind(.variableDefinition, child, end) {
      output.write(" ")
    }
    writeDefinitions(of: .variableDefinition, &child, end, after: open)
    writeDirectives(&child, end, isIndented: false)
    if isKind(.selectionSet, child, end) {
      output.write(" ")
      writeSelectionSet(child)
    }
  }

  private func keywordEnd(from offset: Int) -> Int {
    var lexer = Lexer(source, from: offset)
    _ = lexer.next()
    return lexer.position
  }

  mutating func writeFragment(_ id: NodeID) {
    let end = node(id).next
    var child = writeDescription(id)
    output.write("fragment ")
    writeText(child)
    let open = node(child).end
    child = node(child).next
    writeDefinitions(of: .variableDefinition, &child, end, after: open)
    output.write(" on ")
    writeType(child)
    child = node(child).next
    writeDirectives(&child, end, isIndented: false)
    if isKind(.selectionSet, child, end) {
      output.write(" ")
      writeSelectionSet(child)
    }
  }

  mutating func writeVariableDefinition(_ id: NodeID) {
    let end = node(id).next
    var child = writeDescription(id)
    output.write("$")
    writeText(child + 1)
    output.write(": ")
    child = node(child).next
    writeType(child)
    child = node(child).next
    if child < end, node(child).kind != .directive {
      output.write(" = ")
      writeValue(child)
      child = node(child).next
    }
    writeDirectives(&child, end)
  }

  mutating func writeSelectionSet(_ id: NodeID) {
    guard !node(id).flags.contains(.isMissing) else { return }
    var child = id + 1
    writeBlock(&child, while: { _ in true }, end: node(id).next, closing: Int(node(id).end))
  }

  mutating func writeSelection(_ id: NodeID) {
    let end = node(id).next
    var child = id + 1
    switch node(id).kind {
    case .field:
      writeFieldHead(id, &child, end)
    case .fragmentSpread:
      output.write("...")
      writeText(child)
      child = node(child).next
      writeArguments(&child, end, width: 3 + node(id + 1).range.count)
    default:
      output.write("...")
      if isKind(.namedType, child, end) {
        output.write(" on ")
        writeText(child)
        child = node(child).next
      }
    }
    writeDirectives(&child, end)
    if isKind(.selectionSet, child, end) {
      output.write(" ")
      writeSelectionSet(child)
    }
  }

  private mutating func writeFieldHead(_ id: NodeID, _ child: inout NodeID, _ end: NodeID) {
    var width = node(child).range.count
    writeText(child)
    child = node(child).next
    if node(id).flags.contains(.hasAlias) {
      output.write(": ")
      width += 2 + node(child).range.count
      writeText(child)
      child = node(child).next
    }
    writeArguments(&child, end, width: width)
  }

  /// Writes arguments after a name of the given width, one per line if a single line would be too long.
  private mutating func writeArguments(_ child: inout NodeID, _ end: NodeID, width: Int) {
    guard isKind(.argument, child, end) else { return }
    let open = node(child - 1).end
    var last = child
    var width = width + 2
    var hasLines = false
    while isKind(.argument, last, end) {
      hasLines = hasLines || self.width != nil && isValueMultiline(last)
      if width <= lineLimit { width += flatWidth(last) + (last == child ? 0 : 2) }
      last = node(last).next
    }
    let isMultiline =
      self.width == nil
      ? width > lineLimit
      : hasLines || overflows(with: flatWidth(ofMembers: child, while: .argument, end) + restOfLine(last, end))
    writeParenthesized(&child, while: .argument, end: end, after: open, isMultiline: isMultiline)
  }

  mutating func writeNamedValue(_ id: NodeID) {
    writeText(id + 1)
    output.write(": ")
    writeValue(node(id + 1).next)
  }
}
