// Values, and their width on one line.
extension TreeWriter {
  mutating func writeValue(_ id: NodeID) {
    let node = node(id)
    switch node.kind {
    case .variable:
      output.write("$")
      writeText(id + 1)
    case .stringValue:
      writeString(id)
    case .listValue:
      var child = id + 1
      guard isBroken(id) else {
        output.write("[")
        var isFirst = true
        while child < node.next {
          if !isFirst { output.write(", ") }
          isFirst = false
          writeValue(child)
          child = self.node(child).next
        }
        return output.write("]")
      }
      output.write("[")
      writeLines(&child, while: { _ in true }, end: node.next, closing: Int(node.end))
      output.write("]")
    case .objectValue:
      var child = id + 1
      guard child < node.next || comments.any(in: Int(node.start), Int(node.end)) else { return output.write("{}") }
      if isBroken(id) {
        writeBlock(&child, while: { _ in true }, end: node.next, closing: Int(node.end))
      } else {
        output.write("{ ")
        writeInline(&child, while: .objectField, end: node.next)
        output.write(" }")
      }
    default:
      if node.flags.contains(.isMissing) { output.write("null") } else { writeText(id) }
    }
  }

  private func isBroken(_ id: NodeID) -> Bool {
    flatWidth(id) > lineLimit || overflows(with: flatWidth(id)) || width != nil && hasBlockString(id)
      || comments.any(in: Int(node(id).start), Int(node(id).end))
  }

  /// Whether a block string is in a value. With a width it always takes several lines.
  private func hasBlockString(_ id: NodeID) -> Bool {
    (id..<node(id).next).contains { node($0).kind == .stringValue && node($0).flags.contains(.isBlock) }
  }

  /// Returns the width of a value or named value on one line. Counting stops beyond the maximum line length.
  func flatWidth(_ id: NodeID) -> Int {
    var width = 0
    addWidth(id, to: &width)
    return width
  }

  private func addWidth(_ id: NodeID, to width: inout Int) {
    guard width <= lineLimit else { return }
    let node = node(id)
    switch node.kind {
    case .argument, .objectField:
      width += self.node(id + 1).range.count + 2
      addWidth(self.node(id + 1).next, to: &width)
    case .variable:
      width += 1 + self.node(id + 1).range.count
    case .listValue, .objectValue:
      width += node.kind == .listValue ? 2 : 4
      var child = id + 1
      while child < node.next, width <= lineLimit {
        if child > id + 1 { width += 2 }
        addWidth(child, to: &width)
        child = self.node(child).next
      }
    case .stringValue where !node.flags.contains(.isPlain):
      var writer = TreeWriter(source, nodes, capacity: node.range.count)
      writer.width = width
      writer.writeString(id)
      width += writer.output.text.utf16.count
    default:
      width += String(decoding: UnsafeBufferPointer(rebasing: source[node.range]), as: UTF8.self).utf16.count
    }
  }

  func isValueMultiline(_ id: NodeID) -> Bool {
    let node = node(id)
    switch node.kind {
    case .stringValue:
      guard node.flags.contains(.isBlock) else { return false }
      var writer = TreeWriter(source, nodes, capacity: node.range.count)
      writer.width = width
      writer.writeString(id)
      return writer.output.bytes.contains(0x0A)
    case .listValue, .objectValue:
      if isBroken(id) { return true }
      var child = id + 1
      while child < node.next {
        if isValueMultiline(child) { return true }
        child = self.node(child).next
      }
      return false
    case .argument, .objectField:
      return isValueMultiline(self.node(id + 1).next)
    default:
      return false
    }
  }

  /// Whether an argument or variable definition needs several lines.
  func isMemberMultiline(_ id: NodeID) -> Bool {
    if node(id).flags.contains(.hasDescription) { return true }
    var child = id + 1
    while child < node(id).next {
      switch node(child).kind {
      case .directive:
        var argument = child + 2
        while argument < node(child).next {
          if isValueMultiline(argument) { return true }
          argument = node(argument).next
        }
      case .stringValue, .listValue, .objectValue:
        if isValueMultiline(child) { return true }
      default: break
      }
      child = node(child).next
    }
    return false
  }

  // MARK: Strings

  mutating func writeString(_ id: NodeID) {
    let node = node(id)
    let literal = UnsafeBufferPointer(rebasing: source[node.range])
    if node.flags.contains(.isBlock) {
      return writeBlockString(Array(StringDecoder.value(literal, isBlock: true).utf8))
    }
    if node.flags.contains(.isPlain), !literal.contains(where: { $0 < 0x20 || $0 == 0x7F || $0 == 0xC2 }) {
      output.write(source, node.range)
    } else {
      writeQuoted(StringDecoder.value(literal, isBlock: false))
    }
  }

  private mutating func writeQuoted(_ value: String) { output.write(StringEncoder.quoted(value)) }

  /// Writes a block string. Indenting each line does not change the value, because common indentation is removed when
  /// it is read.
  private mutating func writeBlockString(_ value: [UInt8]) {
    let quote = UInt8(ascii: "\"")
    let lines = value.split(separator: 0x0A, omittingEmptySubsequences: false)
    let isSingle = lines.count == 1
    let startsIndented = lines.count > 1 && lines.dropFirst().allSatisfy { $0.first.map(Self.isBlank) ?? true }
    let endsInTripleQuotes = value.suffix(3).elementsEqual([quote, quote, quote])
    let endsInQuote = value.last == quote && !endsInTripleQuotes
    let mustBreakAfter = endsInQuote || value.last == UInt8(ascii: "\\")
    let isLong = value.count > 70 && String(decoding: value, as: UTF8.self).utf16.count > 70
    // With a width, as prettier writes it.
    if width != nil, value.isEmpty {
      output.write("\"\"\"")
      output.newLine()
      return output.write("\"\"\"")
    }
    let isBlock = width != nil
    let isBroken = !isSingle || isLong || mustBreakAfter || endsInTripleQuotes || isBlock
    let staysOnLine = isSingle && value.first.map(Self.isBlank) == true

    output.write("\"\"\"")
    if isBroken && !staysOnLine || startsIndented { output.newLine() }
    for (index, line) in lines.enumerated() {
      if index > 0 { if line.isEmpty { output.bareNewLine() } else { output.newLine() } }
      writeEscapingTripleQuotes(line)
    }
    if isBroken { output.newLine() }
    output.write("\"\"\"")
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

  private mutating func writeEscapingTripleQuotes(_ line: ArraySlice<UInt8>) {
    let quote = UInt8(ascii: "\"")
    guard line.contains(quote) else { return output.write(bytes: line) }
    var index = line.startIndex
    while index < line.endIndex {
      if line[index...].starts(with: [quote, quote, quote]) {
        output.write("\\\"\"\"")
        index += 3
      } else {
        output.write(bytes: line[index...index])
        index += 1
      }
    }
  }
}
