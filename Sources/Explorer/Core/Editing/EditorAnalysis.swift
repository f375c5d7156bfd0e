import ApusExplorerText

/// An error or warning at a location, with the message to show when the cursor is on it.
package struct EditorDiagnostic: Equatable, Sendable {
  package enum Severity: Int, Equatable, Sendable { case error, warning }

  package var range: Range<TextPosition>
  package var message: String
  package var severity: Severity

  package init(range: Range<TextPosition>, message: String, severity: Severity = .error) {
    self.range = range
    self.message = message
    self.severity = severity
  }
}

/// The analysis of an editor's text, computed in the background and valid for one version of the text.
package struct EditorAnalysis: Equatable, Sendable {
  package struct Operation: Equatable, Sendable {
    package var name: String?
    package var kind: String
    package var lines: ClosedRange<Int>
    /// The first root field, which names an operation without a name.
    package var firstField: String?

    package init(name: String?, kind: String, lines: ClosedRange<Int>, firstField: String? = nil) {
      self.name = name
      self.kind = kind
      self.lines = lines
      self.firstField = firstField
    }
  }

  package var version: Int
  package var diagnostics: [EditorDiagnostic]
  package var operations: [Operation]

  package init(version: Int = 0, diagnostics: [EditorDiagnostic] = [], operations: [Operation] = []) {
    self.version = version
    self.diagnostics = diagnostics
    self.operations = operations
  }

  /// Returns the operation to run for a cursor line: the one that contains the line, otherwise the last one before it,
  /// otherwise the first one.
  package func operation(at line: Int) -> Operation? {
    operations.first { $0.lines.contains(line) } ?? operations.last { $0.lines.upperBound < line } ?? operations.first
  }

  /// Returns the first diagnostic at a position, or else the first one on its line.
  package func diagnostic(at position: TextPosition) -> EditorDiagnostic? {
    diagnostics.first { $0.range.lowerBound <= position && position <= $0.range.upperBound }
      ?? diagnostics.first { $0.range.lowerBound.line <= position.line && position.line <= $0.range.upperBound.line }
  }

  /// Keeps the diagnostics on their lines until a newer analysis is available.
  mutating func shiftLines(after line: Int, by distance: Int) {
    guard distance != 0 else { return }
    for index in diagnostics.indices where diagnostics[index].range.lowerBound.line > line {
      let range = diagnostics[index].range
      let lower = max(0, range.lowerBound.line + distance)
      let upper = max(lower, range.upperBound.line + distance)
      diagnostics[index].range =
        TextPosition(
          lower, range.lowerBound.column)..<TextPosition(
          upper, max(range.upperBound.column, lower == upper ? range.lowerBound.column : 0))
    }
  }
}

/// A completion at the cursor.
package struct Completion: Equatable, Sendable {
  package var label: String
  package var kind: String
  package var type: String?
  package var documentation: String?
  package var insertText: String
  /// Placeholders, as character offsets in the inserted text: the cursor goes to the first one, and Tab to the
  /// next. If there are none, the cursor goes to the end.
  package var stops: [Int]
  package var isDeprecated: Bool
  package var replaces: Range<TextPosition>

  package init(
    label: String, kind: String, type: String? = nil, documentation: String? = nil, insertText: String? = nil,
    stops: [Int] = [], isDeprecated: Bool = false, replaces: Range<TextPosition>
  ) {
    self.label = label
    self.kind = kind
    self.type = type
    self.documentation = documentation
    self.insertText = insertText ?? label
    self.stops = stops
    self.isDeprecated = isDeprecated
    self.replaces = replaces
  }
}
