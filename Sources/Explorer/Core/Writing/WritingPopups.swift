import ExplorerText

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

/// Searching in the focused text, and replacing what is found.
package struct FindState: Hashable, Sendable {
  package var patternInput = LineEditor()
  package var replacementInput = LineEditor()
  package var isReplacing = false
  package var isInReplacement = false
  package var matches: [Range<TextPosition>] = []
  package var current: Int?
  /// Where the cursor was when the search began.
  package var origin: TextPosition

  package init(origin: TextPosition) { self.origin = origin }

  package var pattern: String { patternInput.text }
  package var replacement: String { replacementInput.text }

  /// `3 of 12`, or why nothing is found.
  package var status: String {
    if pattern.isEmpty { return "" }
    guard !matches.isEmpty else { return "nothing found" }
    return current.map { "\($0 + 1) of \(matches.count)" } ?? "\(matches.count) found"
  }
}
