/// The target of a motion, and the range that an operator applies to.
struct VimMotion: Equatable, Sendable {
  enum Reach: Equatable, Sendable {
    /// An operator excludes the target, includes it, or applies to entire lines.
    case exclusive, inclusive, lines
  }

  var target: TextPosition
  var reach = Reach.exclusive
}

extension VimState {
  /// Returns the motion of a key; `nil` if there is no target, so that nothing happens.
  mutating func motion(_ key: VimMotionKey, _ character: Character?, in editor: Editor, rows: Int) -> VimMotion? {
    let buffer = editor.buffer
    let from = editor.cursor
    let times = fullCount ?? 1
    func exclusive(_ step: (TextPosition) -> TextPosition) -> VimMotion {
      var position = from
      for _ in 0..<times { position = step(position) }
      return VimMotion(target: position)
    }
    func line(_ index: Int) -> TextPosition {
      let index = min(max(0, index), buffer.lineCount - 1)
      return TextPosition(index, buffer.indentation(of: index))
    }
    let lineEnd = { (index: Int) in TextPosition(index, buffer.line(index).utf8.count) }
    switch key {
    case .left: return exclusive { $0.column == 0 ? $0 : buffer.position(before: $0) }
    case .right: return exclusive { $0 == lineEnd($0.line) ? $0 : buffer.position(after: $0) }
    case .up, .down:
      let index = from.line + (key == .up ? -times : times)
      guard operation == nil || (0..<buffer.lineCount).contains(index) else { return nil }
      var probe = editor
      probe.move(key == .up ? .up(times) : .down(times))
      return VimMotion(target: from.line == probe.cursor.line ? from : probe.cursor, reach: .lines)
    case .lineBelow: return VimMotion(target: line(from.line + times), reach: .lines)
    case .lineAbove: return VimMotion(target: line(from.line - times), reach: .lines)
    case .wordForward, .bigWordForward:
      let motion = exclusive { buffer.vimWordForward(from: $0, big: key == .bigWordForward) }
      // An operator on the last word of a line does not include the line terminator.
      if operation != nil, motion.target.line > from.line,
        motion.target.column <= buffer.indentation(of: motion.target.line)
      {
        return VimMotion(target: lineEnd(motion.target.line - 1))
      }
      return motion
    case .wordEnd, .bigWordEnd:
      var motion = exclusive { buffer.vimWordEnd(from: $0, big: key == .bigWordEnd) }
      motion.reach = .inclusive
      return motion
    case .wordBackward, .bigWordBackward:
      return exclusive { buffer.vimWordBackward(from: $0, big: key == .bigWordBackward) }
    case .wordEndBackward:
      var motion = exclusive { buffer.vimWordEndBackward(from: $0, big: false) }
      motion.reach = .inclusive
      return motion
    case .lineStart: return VimMotion(target: TextPosition(from.line, 0))
    case .lineText: return VimMotion(target: line(from.line))
    case .lineEnd: return VimMotion(target: lineEnd(min(buffer.lineCount - 1, from.line + times - 1)))
    case .documentStart: return VimMotion(target: line((fullCount ?? 1) - 1), reach: .lines)
    case .documentEnd: return VimMotion(target: line((fullCount ?? buffer.lineCount) - 1), reach: .lines)
    case .paragraphForward, .paragraphBackward:
      let step = key == .paragraphForward ? 1 : -1
      var index = from.line
      for _ in 0..<times {
        while buffer.lines.indices.contains(index), buffer.line(index).isEmpty { index += step }
        while buffer.lines.indices.contains(index), !buffer.line(index).isEmpty { index += step }
      }
      return VimMotion(
        target: index < 0 ? .start : index >= buffer.lineCount ? buffer.end : TextPosition(index, 0))
    case .matchingBracket: return buffer.vimMatchingBracket(from: from).map { VimMotion(target: $0, reach: .inclusive) }
    case .findForward, .findBackward, .tillForward, .tillBackward:
      guard let character else { return nil }
      find = Find(key: key, character: character)
      return found(key, character, times, from, buffer)
    case .findAgain: return find.flatMap { found($0.key, $0.character, times, from, buffer, again: true) }
    case .findAgainBackward:
      return find.flatMap { found($0.key.reversed, $0.character, times, from, buffer, again: true) }
    case .searchNext, .searchPrevious, .searchForward, .searchBackward:
      guard let search else { return nil }
      let forward = search.isBackward == (key == .searchPrevious)
      return found(search.text, times, from, buffer, forward: forward)
    case .searchWord, .searchWordBackward:
      let word = buffer.text(in: buffer.vimWord(at: from, big: false, around: false))
      guard word.contains(where: { !$0.isWhitespace }) else { return nil }
      search = Search(text: word, isBackward: key == .searchWordBackward)
      return found(word, times, from, buffer, forward: key == .searchWord)
    case .screenTop: return VimMotion(target: line(editor.scroll.line + times - 1), reach: .lines)
    case .screenMiddle: return VimMotion(target: line(editor.scroll.line + rows / 2), reach: .lines)
    case .screenBottom: return VimMotion(target: line(editor.scroll.line + rows - times), reach: .lines)
    case .goToMarkLine:
      return character.flatMap { marks[$0] }.map { VimMotion(target: line(buffer.clamp($0).line), reach: .lines) }
    case .goToMark: return character.flatMap { marks[$0] }.map { VimMotion(target: buffer.clamp($0)) }
    }
  }

  private func found(
    _ text: String, _ times: Int, _ from: TextPosition, _ buffer: TextBuffer, forward: Bool
  ) -> VimMotion? {
    var position = from
    for _ in 0..<min(times, 1000) {
      guard let next = buffer.position(of: text, from: position, forward: forward) else { return nil }
      position = next
    }
    return VimMotion(target: position)
  }

  private func found(
    _ key: VimMotionKey, _ character: Character, _ times: Int, _ from: TextPosition, _ buffer: TextBuffer,
    again: Bool = false
  ) -> VimMotion? {
    let forward = key == .findForward || key == .tillForward
    let isTill = key == .tillForward || key == .tillBackward
    var position = from
    var left = times
    var isFirst = true
    while left > 0 {
      let next = forward ? buffer.position(after: position) : buffer.position(before: position)
      guard next.line == from.line, next != position, let found = buffer.character(at: next) else { return nil }
      position = next
      // Otherwise a repeated `t` would find the same character again.
      if found == character, !(again && isTill && isFirst && left == times) { left -= 1 }
      isFirst = false
    }
    if isTill { position = forward ? buffer.position(before: position) : buffer.position(after: position) }
    return VimMotion(target: position, reach: forward ? .inclusive : .exclusive)
  }

  /// Returns the range of a text object, and whether it consists of lines.
  func stretch(of key: VimObject, in editor: Editor) -> (range: Range<TextPosition>, isLines: Bool)? {
    let (buffer, cursor) = (editor.buffer, editor.cursor)
    func inline(_ range: Range<TextPosition>?) -> (range: Range<TextPosition>, isLines: Bool)? {
      range.map { ($0, false) }
    }
    switch key {
    case .innerWord: return inline(buffer.vimWord(at: cursor, big: false, around: false))
    case .aroundWord: return inline(buffer.vimWord(at: cursor, big: false, around: true))
    case .innerBigWord: return inline(buffer.vimWord(at: cursor, big: true, around: false))
    case .aroundBigWord: return inline(buffer.vimWord(at: cursor, big: true, around: true))
    case .innerQuotes: return inline(buffer.vimQuotes(at: cursor, around: false))
    case .aroundQuotes: return inline(buffer.vimQuotes(at: cursor, around: true))
    case .innerParentheses: return brackets("(", ")", around: false, buffer, cursor)
    case .aroundParentheses: return brackets("(", ")", around: true, buffer, cursor)
    case .innerBraces: return brackets("{", "}", around: false, buffer, cursor)
    case .aroundBraces: return brackets("{", "}", around: true, buffer, cursor)
    case .innerBrackets: return brackets("[", "]", around: false, buffer, cursor)
    case .aroundBrackets: return brackets("[", "]", around: true, buffer, cursor)
    case .innerParagraph, .aroundParagraph:
      let isEmpty = buffer.line(cursor.line).isEmpty
      var (first, last) = (cursor.line, cursor.line)
      while first > 0, buffer.line(first - 1).isEmpty == isEmpty { first -= 1 }
      while last + 1 < buffer.lineCount, buffer.line(last + 1).isEmpty == isEmpty { last += 1 }
      if key == .aroundParagraph {
        while last + 1 < buffer.lineCount, buffer.line(last + 1).isEmpty != isEmpty { last += 1 }
      }
      return (TextPosition(first, 0)..<TextPosition(last, buffer.line(last).utf8.count), true)
    }
  }

  private func brackets(
    _ open: Character, _ close: Character, around: Bool, _ buffer: TextBuffer, _ cursor: TextPosition
  ) -> (range: Range<TextPosition>, isLines: Bool)? {
    guard let range = buffer.vimBrackets(open, close, at: cursor, around: around) else { return nil }
    let holdsLines = !around && range.lowerBound.column == 0 && range.upperBound.line > range.lowerBound.line
    let isOneLine =
      !around && range.lowerBound.column == 0
      && buffer.line(range.lowerBound.line).utf8.count
        == range.upperBound.column
      && range.lowerBound.line == range.upperBound.line && range.lowerBound.line > 0
    return (range, holdsLines || isOneLine)
  }
}

extension VimMotionKey {
  /// The search in the opposite direction; other motions are unchanged.
  fileprivate var reversed: VimMotionKey { Self.reversedSearches[self] ?? self }

  private static let reversedSearches: [VimMotionKey: VimMotionKey] = [
    .findForward: .findBackward, .findBackward: .findForward, .tillForward: .tillBackward, .tillBackward: .tillForward,
  ]
}
