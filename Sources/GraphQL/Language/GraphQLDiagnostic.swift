/// An error in a GraphQL document, with its location.
public struct GraphQLDiagnostic: Error, Sendable, Hashable, CustomStringConvertible {
  /// The violated rule by its name in the reference implementation (`FieldsOnCorrectTypeRule`), or `SyntaxError`.
  public let rule: String
  /// The message, one sentence.
  public let message: String
  /// The name of the source.
  public let source: String
  /// The range of the error; the first one if there are several.
  public let range: Range<DocumentPosition>

  /// The line, from 1.
  public var line: Int { range.lowerBound.line }
  /// The column in UTF-16 units, from 1.
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

  /// The form `2:5: Cannot query field "nmae" on type "Bird".`
  public var description: String { "\(line):\(column): \(message)" }
}

/// A position in a text as editors count it.
public struct DocumentPosition: Sendable, Hashable, Comparable {
  /// The line, from 1. A line ends with LF, CR or CRLF.
  public var line: Int
  /// The column in UTF-16 units, from 1.
  public var column: Int

  /// Creates a position from a line and a column. A column past the end of its line is the end of the line; a line past
  /// the end of the text is the end of the text.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  /// Compares positions by line and column.
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
    // In joined sources, the end of a range must not move to the start of the next source.
    return start..<max(start, range.isEmpty ? start : position(at: range.upperBound))
  }

  package func offset(at position: DocumentPosition) -> Int { offset(line: position.line, column: position.column) }
}
