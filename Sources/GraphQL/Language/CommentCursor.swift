import ApusAlgorithms

/// The comments of a document that are still to be written, in order. Without any, the writer prints.
struct CommentCursor {
  struct Comment {
    var start: Int
    var end: Int
    /// Nothing but white space stands before it on its line.
    var isOnOwnLine: Bool
  }

  private(set) var comments: [Comment] = []
  private(set) var next = 0
  /// Blank lines between members stay.
  var keepsBlankLines = false

  init() {}

  /// Nothing is left to be written.
  var isEmpty: Bool { next >= comments.count }

  init(_ comments: [Comment]) {
    self.comments = comments
    keepsBlankLines = true
  }

  /// Whether a comment that is still to be written stands between two offsets.
  func any(in start: Int, _ end: Int) -> Bool {
    guard next < comments.count else { return false }
    let index = comments[next...].partitioningIndex { $0.start >= start }
    return index < comments.count && comments[index].start < end
  }

  func peek(before offset: Int) -> Comment? {
    next < comments.count && comments[next].start < offset ? comments[next] : nil
  }

  /// Where the last comment that was written ended.
  var lastEnd: Int { next > 0 ? comments[next - 1].end : 0 }

  mutating func take() { next += 1 }

  mutating func skip(to offset: Int) {
    while next < comments.count, comments[next].start < offset { next += 1 }
  }
}

extension TreeWriter {
  /// Begins the line of a list's member: comments that stood before it, and a blank line if there was one.
  mutating func openLine(before id: NodeID, isFirst: Bool) {
    let start = Int(node(id).start)
    writeComments(before: start, isFirst: isFirst)
    if hasBlankLine(before: start), !(isFirst && output.endsInOpening) { output.bareNewLine() }
    output.newLine()
  }

  /// Comments that stood before an offset, on lines of their own.
  mutating func writeComments(before offset: Int, isFirst: Bool) {
    var isFirst = isFirst
    while let comment = comments.peek(before: offset) {
      if hasBlankLine(before: comment.start), !isFirst { output.bareNewLine() }
      isFirst = false
      output.newLine()
      write(comment)
    }
  }

  /// Ends the line of a member with the comments that stood in it or behind it on its line; only one fits there, the
  /// others get lines of their own.
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

  /// The next offset that holds neither white space nor a comment: where a list is opened or closed.
  func tokenStart(from offset: Int) -> Int {
    var lexer = Lexer(source, from: offset)
    _ = lexer.next()
    return lexer.start
  }

  mutating func write(_ comment: CommentCursor.Comment) {
    var end = comment.end
    while end > comment.start, source[end - 1] == 0x20 || source[end - 1] == 0x09 { end -= 1 }
    output.write(source, comment.start..<end)
    comments.take()
  }

  /// Whether the comment is the next thing behind an offset, on the same line.
  private func isBehind(_ end: Int, _ comment: CommentCursor.Comment) -> Bool {
    guard !comment.isOnOwnLine, !source[end..<comment.start].contains(where: { $0 == 0x0A || $0 == 0x0D }) else {
      return false
    }
    return tokenStart(from: end) > comment.start
  }

  /// Whether the line before the one that the offset is on is blank.
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
