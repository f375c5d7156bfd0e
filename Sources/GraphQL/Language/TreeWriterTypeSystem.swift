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
      writeInline(&child, while: .namedType, end: end, separator: " & ")
    }
    writeDirectives(&child, end)
    guard child < end else { return }
    if isUnion {
      output.write(" = ")
      writeInline(&child, while: .namedType, end: end, separator: " | ")
    } else {
      output.write(" ")
      writeBlock(&child, while: { _ in true }, end: end, closing: Int(node(id).end))
    }
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
    writeDefinitions(of: .inputValueDefinition, &child, end, after: node(child - 1).end)
    writeDirectives(&child, end)
    guard !node(id).flags.contains(.isExtension) else { return }
    if node(id).flags.contains(.isRepeatable) { output.write(" repeatable") }
    output.write(" on ")
    writeInline(&child, while: .directiveLocation, end: end, separator: " | ")
  }
}
