import ApusAlgorithms

/// The comments of a document that have not been written yet, in order. The printer has none, the formatter all.
struct CommentCursor {
  struct Comment {
    var start: Int
    var end: Int
    /// Whether only white space precedes the comment on its line.
    var isOnOwnLine: Bool
  }

  private(set) var comments: [Comment] = []
  private(set) var next = 0
  /// Whether blank lines between members are kept.
  var keepsBlankLines = false

  init() {}

  var isEmpty: Bool { next >= comments.count }

  init(_ comments: [Comment]) {
    self.comments = comments
    keepsBlankLines = true
  }

  /// Whether an unwritten comment is between two offsets.
  func any(in start: Int, _ end: Int) -> Bool {
    guard next < comments.count else { return false }
    let index = comments[next...].partitioningIndex { $0.start >= start }
    return index < comments.count && comments[index].start < end
  }

  func peek(before offset: Int) -> Comment? {
    next < comments.count && comments[next].start < offset ? comments[next] : nil
  }

  /// The end of the last comment that was written.
  var lastEnd: Int { next > 0 ? comments[next - 1].end : 0 }

  mutating func advance() { next += 1 }

  mutating func skip(to offset: Int) {
    while next < comments.count, comments[next].start < offset { next += 1 }
  }
}

extension TreeWriter {
  /// Starts the line of a list member: first the comments before it, and a blank line if the source has one.
  mutating func openLine(before id: NodeID, isFirst: Bool) {
    let start = Int(node(id).start)
    writeComments(before: start, isFirst: isFirst)
    if hasBlankLine(before: start), !(isFirst && output.endsInOpening) { output.bareNewLine() }
    output.newLine()
  }

  /// Writes the comments before an offset, each on its own line.
  mutating func writeComments(before offset: Int, isFirst: Bool) {
    var isFirst = isFirst
    while let comment = comments.peek(before: offset) {
      if hasBlankLine(before: comment.start), !isFirst { output.bareNewLine() }
      isFirst = false
      output.newLine()
      write(comment)
    }
  }

  /// Ends the line of a member with a comment from inside it or after it on its line. Only one fits; further ones get
  /// their own lines.
  mutating func closeLine(after end: Int, before limit: Int) {
    var isTaken = false
    while let comment = comments.peek(before: limit) {
      let isInside = comment.start < end
      guard isInside || !isTaken && isBehind(end, comment) else { return }
      if isTaken { output.newLine() } else { output.write(" ") }
      isTaken = true
      write(comment)
    }
  }

  /// Returns the offset of the next token, skipping white space and comments.
  func tokenStart(from offset: Int) -> Int {
    var lexer = Lexer(source, from: offset)
    _ = lexer.next()
    return lexer.start
  }

  mutating func write(_ comment: CommentCursor.Comment) {
    var end = comment.end
    while end > comment.start, source[end - 1] == 0x20 || source[end - 1] == 0x09 { end -= 1 }
    output.write(source, comment.start..<end)
    comments.advance()
  }

  /// Whether the comment directly follows an offset on the same line.
  private func isBehind(_ end: Int, _ comment: CommentCursor.Comment) -> Bool {
    guard !comment.isOnOwnLine, !source[end..<comment.start].contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
      return false
    }
    return tokenStart(from: end) > comment.start
  }

  /// Whether the line before the one at the offset is blank.
  func hasBlankLine(before offset: Int) -> Bool {
    guard comments.keepsBlankLines else { return false }
    var index = offset
    var lineEnds = 0
    while index > 0 {
      index -= 1
      switch source[index] {
      case 0x0A: lineEnds += 1
      case 0x0D: if index + 1 >= source.count || source[index + 1] != 0x0A { lineEnds += 1 }
      case 0x20, 0x09, 0x2C: break
      default: return lineEnds > 1
      }
    }
    return false
  }
}
