// The widths of lists on one line, for a maximum width. Without one nothing overflows.
//
// Source: prettier 3, which breaks a list if the line does not fit up to the next possible break.
extension TreeWriter {
  /// Whether the current line would be too long with more text.
  func overflows(with length: @autoclosure () -> Int) -> Bool {
    guard let width else { return false }
    return column + length() > width
  }

  /// The width of the current line.
  var column: Int {
    let start = output.bytes.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return String(decoding: output.bytes[start...], as: UTF8.self).utf16.count
  }

  /// Returns the width of members in parentheses, separated by commas.
  func flatWidth(ofMembers first: NodeID, while kind: SyntaxKind, _ end: NodeID) -> Int {
    guard width != nil else { return 0 }
    var width = 2
    var child = first
    while isKind(kind, child, end) {
      width += flat(child) + (child == first ? 0 : 2)
      child = node(child).next
    }
    return width
  }

  /// Returns the width of directives and of the brace that follows.
  func flatWidth(ofDirectives first: NodeID, _ end: NodeID) -> Int {
    var width = 0
    var child = first
    while isKind(.directive, child, end) {
      width += 1 + flat(child)
      child = node(child).next
    }
    return child < end ? width + 2 : width
  }

  /// Returns the width of the text after a list in parentheses: up to the directives, which may be on the next line, or
  /// with the brace.
  func restOfLine(_ first: NodeID, _ end: NodeID) -> Int {
    guard width != nil else { return 0 }
    var width = 0
    var child = first
    while child < end {
      switch node(child).kind {
      case .namedType, .listType: width += 2 + flat(child)
      case .directive: return width + 1
      case .selectionSet: return width + 2
      default: width += 3 + flat(child)
      }
      child = node(child).next
    }
    return width
  }

  /// Returns the width of a node on one line.
  private func flat(_ id: NodeID) -> Int {
    var writer = TreeWriter(source, nodes, capacity: node(id).range.count + 16)
    writer.write(id)
    return writer.output.text.utf16.count
  }
}
