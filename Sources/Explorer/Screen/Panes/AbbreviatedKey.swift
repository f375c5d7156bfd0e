import ApusExplorerTerminal
import ApusJSON

/// A cache key shortened to a number of cells. Arguments distinguish the pages of a list, so they are abbreviated
/// first, then truncated, and finally omitted.
package struct AbbreviatedKey {
  private enum Piece {
    case text(String)
    /// The text between parentheses.
    case arguments(String)
  }

  private let key: String
  private let pieces: [Piece]

  package init(_ key: String) {
    self.key = key
    var pieces: [Piece] = []
    var rest = key[...]
    while let open = rest.firstIndex(of: "("), let close = Self.end(of: rest[open...]) {
      pieces.append(.text(String(rest[..<open])))
      pieces.append(.arguments(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    self.pieces = pieces + [.text(String(rest))]
  }

  /// Returns the index of the parenthesis that closes the first one, ignoring parentheses in strings.
  private static func end(of text: Substring) -> String.Index? {
    var (depth, isInString, isEscaped) = (0, false, false)
    for index in text.indices {
      let character = text[index]
      if isInString {
        if character == "\"", !isEscaped { isInString = false }
        isEscaped = character == "\\" && !isEscaped
      } else if character == "\"" {
        isInString = true
      } else if character == "(" {
        depth += 1
      } else if character == ")" {
        depth -= 1
        if depth == 0 { return index }
      }
    }
    return nil
  }

  package func text(in width: Int, ellipsis: Character) -> String {
    guard TextWidth.width(of: key) > width, width > 1 else { return key }
    let short = joined { Self.short($0) }
    if TextWidth.width(of: short) <= width { return short }
    let bare = joined { _ in String(ellipsis) }
    // The remaining space goes to the first arguments, which belong to the field nearest to the root.
    let room = width - TextWidth.width(of: bare)
    if room >= 3 {
      var isFirst = true
      return joined { arguments in
        defer { isFirst = false }
        return isFirst
          ? TextWidth.truncated(Self.short(arguments), to: room + 1, ellipsis: ellipsis) : String(ellipsis)
      }
    }
    return room >= 0 ? bare : String(ellipsis) + String(bare.suffix(width - 1))
  }

  private func joined(_ arguments: (String) -> String) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .arguments(let text): "(\(arguments(text)))"
      }
    }.joined()
  }

  /// Returns arguments in short form: `{"after":"c5","first":5,"sort":null}` becomes `after:"c5",first:5`.
  private static func short(_ arguments: String) -> String {
    guard let object = try? JSONDocument(parsing: arguments).root, object.kind == .object else { return arguments }
    return object.members.filter { !$0.value.isNull }.map { "\($0.key):\(JSONWriter.compact($0.value))" }
      .joined(separator: ",")
  }
}
