/// What is wrong with a GraphQL text, and where.
public struct DocumentProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// The rule that is broken, by its name in the reference implementation (`FieldsOnCorrectTypeRule`), or `SyntaxError`.
  public let rule: String
  /// What is wrong, in one sentence.
  public let message: String
  /// The name of the text that it is in, where it was given one.
  public let source: String
  /// What is at fault; the first of several places.
  public let range: Range<DocumentPosition>

  /// Counted from 1.
  public var line: Int { range.lowerBound.line }
  /// Counted from 1, in UTF-16 units, as editors count.
  public var column: Int { range.lowerBound.column }

  package init(rule: String, message: String, source: String, range: Range<DocumentPosition>) {
    self.rule = rule
    self.message = message
    self.source = source
    self.range = range
  }

  package init(_ diagnostic: SyntaxDiagnostic, in document: Document) {
    self.init(
      rule: "SyntaxError", message: diagnostic.message,
      source: document.source.name(at: diagnostic.range.lowerBound),
      range: document.source.positions(of: diagnostic.range))
  }

  /// `2:5: Cannot query field "nmae" on type "Bird".`
  public var description: String { "\(line):\(column): \(message)" }
}

/// A place in a text, as editors count.
public struct DocumentPosition: Sendable, Hashable, Comparable {
  /// Counted from 1; a line ends with LF, CR or CRLF.
  public var line: Int
  /// Counted from 1, in UTF-16 units.
  public var column: Int

  /// A place by its line and column. One past the end of its line is the line's end, one past the text's last line its end.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// The order of the text.
  public static func < (left: DocumentPosition, right: DocumentPosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

extension Source {
  package func position(at offset: Int) -> DocumentPosition {
    let place = location(at: offset)
    return DocumentPosition(line: place.line, column: place.column)
  }

  package func positions(of range: Range<Int>) -> Range<DocumentPosition> {
    let start = position(at: range.lowerBound)
    // What ends with a text that others were joined to ends there, and not in the next one.
    return start..<max(start, range.isEmpty ? start : position(at: range.upperBound))
  }

  package func offset(at position: DocumentPosition) -> Int { offset(line: position.line, column: position.column) }
}
