/// Formats documents in the layout of the printer, but keeps comments and single blank lines: `{bird{name}}` becomes
/// five lines. Formatting is idempotent. Definitions with syntax errors are kept unchanged.
package enum Formatter {
  /// - Parameter width: The maximum width of a line with its indentation, at which lines are broken as by prettier;
  ///   `nil` for the layout of the printer.
  package static func format(_ document: Document, width: Int? = nil) -> String {
    // An unclosed brace could belong in many places, so the document is kept unchanged.
    if let last = document.diagnostics.last, last.range.lowerBound >= document.source.bytes.count {
      return document.text
    }
    let comments = document.tokens.filter { $0.kind == .comment }
    return document.source.bytes.withUnsafeBufferPointer { bytes in
      document.nodes.withUnsafeBufferPointer { nodes in
        var writer = TreeWriter(bytes, nodes)
        writer.width = width
        writer.comments = CommentCursor(
          comments.map { comment in
            CommentCursor.Comment(
              start: comment.range.lowerBound, end: comment.range.upperBound,
              isOnOwnLine: isFirstOnLine(comment.range.lowerBound, bytes))
          })
        writer.formatDocument(document.diagnostics)
        return writer.output.text
      }
    }
  }

  private static func isFirstOnLine(_ offset: Int, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = offset
    while index > 0 {
      index -= 1
      switch bytes[index] {
      case 0x0A, 0x0D: return true
      case 0x20, 0x09, 0x2C: continue
      // The byte order mark.
      case 0xEF, 0xBB, 0xBF: continue
      default: return false
      }
    }
    return true
  }
}

extension TreeWriter {
  mutating func formatDocument(_ diagnostics: [SyntaxDiagnostic]) {
    var errors = diagnostics.map(\.range.lowerBound)[...]
    var child: NodeID = 1
    var isFirst = true
    var previousEnd = 0
    while child < node(0).next {
      let next = node(child).next
      let end = Int(node(child).end)
      // Errors up to the next definition belong to this one.
      let limit = next < node(0).next ? Int(node(next).start) : source.count
      if let error = errors.first, error < limit || next >= node(0).next {
        keepVerbatim(previousEnd..<limit, isFirst: isFirst)
        comments.skip(to: limit)
        while let error = errors.first, error < limit { errors.removeFirst() }
        previousEnd = limit
      } else {
        openDefinition(child, isFirst: isFirst)
        write(child)
        closeDefinition(after: end)
        previousEnd = max(end, comments.lastEnd)
      }
      isFirst = false
      child = next
    }
    if node(0).next == 1, !diagnostics.isEmpty, source.contains(where: { $0 > 0x20 }), !onlyComments {
      keepVerbatim(0..<source.count, isFirst: true)
      comments.skip(to: .max)
    }
    if let comment = comments.peek(before: .max) {
      if !isFirst { if hasBlankLine(before: comment.start) { output.blankLine() } else { output.newLine() } }
      write(comment)
      writeComments(before: .max, isFirst: false)
    }
    if !output.bytes.isEmpty { output.newLine() }
  }

  /// Whether the source has no tokens.
  private var onlyComments: Bool {
    var lexer = Lexer(source)
    return lexer.next() == .endOfFile && lexer.failure == nil
  }

  private mutating func openDefinition(_ id: NodeID, isFirst: Bool) {
    let start = Int(node(id).start)
    if !isFirst { output.blankLine() }
    guard let comment = comments.peek(before: start) else { return }
    write(comment)
    writeComments(before: start, isFirst: false)
    if hasBlankLine(before: start) { output.blankLine() } else { output.newLine() }
  }

  /// Ends a definition with the comment after it on its line. Comments inside it that are not written yet get
  /// their own lines.
  private mutating func closeDefinition(after end: Int) {
    var isFirst = true
    while let comment = comments.peek(before: end) {
      if isFirst { output.blankLine() } else { output.newLine() }
      isFirst = false
      write(comment)
    }
    if isFirst { closeLine(after: end, before: .max) }
  }

  private mutating func keepVerbatim(_ range: Range<Int>, isFirst: Bool) {
    var range = range
    while !range.isEmpty, source[range.lowerBound] <= 0x20 { range = range.lowerBound + 1..<range.upperBound }
    while !range.isEmpty, source[range.upperBound - 1] <= 0x20 { range = range.lowerBound..<range.upperBound - 1 }
    guard !range.isEmpty else { return }
    if !isFirst { output.blankLine() }
    output.write(source, range)
  }
}
