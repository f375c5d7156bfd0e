// Operations, fragments, selections.
extension TreeWriter {
  mutating func writeOperation(_ id: NodeID) {
    let end = node(id).next
    let flags = node(id).flags
    var child = writeDescription(id)
    let isQuery = !flags.contains(.isMutation) && !flags.contains(.isSubscription)
    // A query with nothing but selections needs no keyword.
    if isKind(.selectionSet, child, end), isQuery, !flags.contains(.hasDescription) {
      return writeSelectionSet(child)
    }
    output.write(isQuery ? "query" : flags.contains(.isMutation) ? "mutation" : "subscription")
    if isKind(.name, child, end) {
      output.write(" ")
      writeText(child)
      child = node(child).next
    } else if isKind(.variableDefinition, child, end) {
      output.write(" ")
    }
    writeVariableDefinitions(&child, end)
    writeDirectives(&child, end)
    if isKind(.selectionSet, child, end) {
      output.write(" ")
      writeSelectionSet(child)
    }
  }

  mutating func writeFragment(_ id: NodeID) {
    let end = node(id).next
    var child = writeDescription(id)
    output.write("fragment ")
    writeText(child)
    child = node(child).next
    writeVariableDefinitions(&child, end)
    output.write(" on ")
    writeType(child)
    child = node(child).next
    writeDirectives(&child, end)
    if isKind(.selectionSet, child, end) {
      output.write(" ")
      writeSelectionSet(child)
    }
  }

  private mutating func writeVariableDefinitions(_ child: inout NodeID, _ end: NodeID) {
    guard isKind(.variableDefinition, child, end) else { return }
    var last = child
    var isMultiline = false
    while isKind(.variableDefinition, last, end) {
      isMultiline = isMultiline || isMemberMultiline(last)
      last = node(last).next
    }
    let closing = Int(node(last - 1).end)
    isMultiline = isMultiline || comments.any(in: Int(node(child).start), closing)
    output.write("(")
    if isMultiline {
      writeLines(&child, while: { $0 == .variableDefinition }, end: end, closing: closing)
    } else {
      writeInline(&child, while: .variableDefinition, end: end)
    }
    output.write(")")
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

  /// Alias, name and arguments; the arguments on lines of their own if one line were too long.
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
    guard isKind(.argument, child, end) else { return }
    var last = child
    width += 2
    while isKind(.argument, last, end) {
      if width <= Self.maximumLineLength { width += flatWidth(last) + (last == child ? 0 : 2) }
      last = node(last).next
    }
    let closing = Int(node(last - 1).end)
    output.write("(")
    if width > Self.maximumLineLength || comments.any(in: Int(node(child).start), closing) {
      writeLines(&child, while: { $0 == .argument }, end: end, closing: closing)
    } else {
      writeInline(&child, while: .argument, end: end)
    }
    output.write(")")
  }

  mutating func writeNamedValue(_ id: NodeID) {
    writeText(id + 1)
    output.write(": ")
    writeValue(node(id + 1).next)
  }
}
