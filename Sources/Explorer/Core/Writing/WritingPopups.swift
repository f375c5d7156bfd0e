/// A line of what is told about the thing under the cursor.
package struct HoverLine: Hashable, Sendable {
  package enum Kind: Hashable, Sendable { case code, text, note }

  package var text: String
  package var kind: Kind

  package init(_ text: String, _ kind: Kind) {
    self.text = text
    self.kind = kind
  }
}

package struct HoverState: Hashable, Sendable {
  package var lines: [HoverLine]
  package var anchor: TextPosition
  package var pane: PaneID
  package var scroll = 0

  package init(lines: [HoverLine], anchor: TextPosition, pane: PaneID) {
    self.lines = lines
    self.anchor = anchor
    self.pane = pane
  }
}

/// A list to choose from, narrowed by typing: problems, operations, code actions.
package struct MenuState: Hashable, Sendable {
  package var title: String
  package var entries: [MenuEntry]
  package var filter = ""
  package var list = ListCursor()

  package init(title: String, entries: [MenuEntry]) {
    self.title = title
    self.entries = entries
  }

  /// The entries that have the letters of the filter in order, the nearest first.
  package var shown: [MenuEntry] {
    let wanted = filter.lowercased().filter { !$0.isWhitespace }
    guard !wanted.isEmpty else { return entries }
    return entries.enumerated()
      .compactMap { index, entry in
        entry.label.lowercased().subsequenceScore(of: wanted).map { (score: $0, index: index, entry: entry) }
      }
      .sorted { ($0.score, $0.index) < ($1.score, $1.index) }
      .map(\.entry)
  }

  package var selected: MenuEntry? {
    let shown = shown
    return shown.indices.contains(list.selected) ? shown[list.selected] : nil
  }
}

package struct MenuEntry: Hashable, Sendable {
  package enum Mark: Hashable, Sendable { case none, error, warning }
  package enum Choice: Hashable, Sendable {
    case place(PaneID, TextPosition)
    case edits([TextReplacement], PaneID, version: Int)
    /// For a row of a form.
    case value(FormRow.Path, String)
  }

  package var label: String
  /// Small words at the right.
  package var detail: String
  package var mark: Mark
  package var choice: Choice

  package init(label: String, detail: String = "", mark: Mark = .none, choice: Choice) {
    self.label = label
    self.detail = detail
    self.mark = mark
    self.choice = choice
  }
}

/// Searching in the focused text, and replacing what is found.
package struct FindState: Hashable, Sendable {
  package var pattern = ""
  package var replacement = ""
  package var isReplacing = false
  package var isInReplacement = false
  package var matches: [Range<TextPosition>] = []
  package var current: Int?
  /// Where the cursor was when the search began.
  package var origin: TextPosition

  package init(origin: TextPosition) { self.origin = origin }

  /// `3 of 12`, or why nothing is found.
  package var status: String {
    if pattern.isEmpty { return "" }
    guard !matches.isEmpty else { return "nothing found" }
    return current.map { "\($0 + 1) of \(matches.count)" } ?? "\(matches.count) found"
  }
}

extension TextBuffer {
  /// All places of a text, which lies in one line; capitals count only where it has one.
  package func matches(of pattern: String) -> [Range<TextPosition>] {
    guard !pattern.isEmpty else { return [] }
    let isExact = pattern.contains(where: \.isUppercase)
    let wanted = Array((isExact ? pattern : pattern.lowercased()).utf8)
    var found: [Range<TextPosition>] = []
    for (index, line) in lines.enumerated() {
      let bytes = Array(line.utf8)
      guard bytes.count >= wanted.count else { continue }
      // Other letters than ASCII's are compared as they are: their small forms may have other lengths.
      let text = isExact ? bytes : bytes.map { $0 &- 0x41 < 26 ? $0 | 0x20 : $0 }
      var column = 0
      while column + wanted.count <= text.count {
        if text[column] == wanted[0], text[column..<column + wanted.count].elementsEqual(wanted) {
          found.append(TextPosition(index, column)..<TextPosition(index, column + wanted.count))
          column += wanted.count
        } else {
          column += 1
        }
      }
    }
    return found
  }
}
