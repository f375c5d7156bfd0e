// Schemas, types and directives.
extension TreeWriter {
  private mutating func writeExtend(_ id: NodeID) {
    if node(id).flags.contains(.isExtension) { output.write("extend ") }
  }

  mutating func writeSchema(_ id: NodeID) {
    let end = node(id).next
    var child = writeDescription(id)
    writeExtend(id)
    output.write("schema")
    writeDirectives(&child, end)
    if child < end {
      output.write(" ")
      writeBlock(&child, while: { $0 == .rootOperationTypeDefinition }, end: end, closing: Int(node(id).end))
    }
  }

  mutating func writeRootOperationType(_ id: NodeID) {
    let flags = node(id).flags
    output.write(
      flags.contains(.isMutation)
        ? "mutation: " : flags.contains(.isSubscription) ? "subscription: " : "query: ")
    writeText(id + 1)
  }

  mutating func writeTypeDefinition(_ id: NodeID, _ keyword: StaticString) {
    let end = node(id).next
    let isUnion = node(id).kind == .unionTypeDefinition
    var child = writeDescription(id)
    writeExtend(id)
    output.write(keyword)
    output.write(" ")
    writeText(child)
    child = node(child).next
    if !isUnion, isKind(.namedType, child, end) {
      output.write(" implements ")
      writeInterfaces(&child, end)
    }
    writeDirectives(&child, end)
    guard child < end else { return }
    if isUnion {
      // Two parentheses are as wide as the spaces around the equals sign, and `|` takes one more than a comma.
      let count = (child..<end).count
      if overflows(with: flatWidth(ofMembers: child, while: .namedType, end) + count) {
        output.write(" =")
        output.indent += 1
        while isKind(.namedType, child, end) {
          output.newLine()
          output.write("| ")
          write(child)
          child = node(child).next
        }
        output.indent -= 1
        return
      }
      output.write(" = ")
      writeInline(&child, while: .namedType, end: end, separator: " | ")
    } else {
      output.write(" ")
      writeBlock(&child, while: { _ in true }, end: end, closing: Int(node(id).end))
    }
  }

  private mutating func writeInterfaces(_ child: inout NodeID, _ end: NodeID) {
    var last = child
    var count = 0
    while isKind(.namedType, last, end) {
      count += 1
      last = node(last).next
    }
    // Parentheses are not written, and ` & ` takes one more than a comma. A directive may be on the next line.
    let rest = last < end ? (node(last).kind == .directive ? 1 : 2) : 0
    guard overflows(with: flatWidth(ofMembers: child, while: .namedType, end) - 2 + count - 1 + rest) else {
      return writeInline(&child, while: .namedType, end: end, separator: " & ")
    }
    output.indent += 1
    while isKind(.namedType, child, end) {
      write(child)
      child = node(child).next
      guard isKind(.namedType, child, end) else { break }
      output.write(" &")
      output.newLine()
    }
    output.indent -= 1
  }

  /// Writes a field, an input value or an enum value.
  mutating func writeMember(_ id: NodeID) {
    let end = node(id).next
    var child = writeDescription(id)
    writeText(child)
    child = node(child).next
    writeDefinitions(of: .inputValueDefinition, &child, end, after: node(child - 1).end)
    if isKind(.namedType, child, end) || isKind(.listType, child, end) {
      output.write(": ")
      writeType(child)
      child = node(child).next
    }
    if child < end, node(child).kind != .directive {
      output.write(" = ")
      writeValue(child)
      child = node(child).next
    }
    writeDirectives(&child, end)
  }

  mutating func writeDirectiveDefinition(_ id: NodeID) {
    let end = node(id).next
    var child = writeDescription(id)
    writeExtend(id)
    output.write("directive @")
    writeText(child)
    child = node(child).next
    // ` on` is one wider than ` |`.
    let keywords = node(id).flags.contains(.isRepeatable) ? " repeatable".utf8.count + 1 : 1
    writeDefinitions(of: .inputValueDefinition, &child, end, after: node(child - 1).end, keywords: keywords)
    writeDirectives(&child, end)
    guard !node(id).flags.contains(.isExtension) else { return }
    if node(id).flags.contains(.isRepeatable) { output.write(" repeatable") }
    output.write(" on ")
    writeInline(&child, while: .directiveLocation, end: end, separator: " | ")
  }
}
