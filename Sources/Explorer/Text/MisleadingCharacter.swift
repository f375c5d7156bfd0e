import ApusSecrets

/// A character in a request that looks like another one by mistake: a typographic quote, a space of another kind, or a
/// character without width.
package struct MisleadingCharacter: Equatable, Sendable {
  package let range: Range<TextPosition>
  package let scalar: Unicode.Scalar
  /// Whether it is part of a string, which may contain it.
  package let isInString: Bool
  /// The text to write instead; empty to remove the character.
  package let replacement: String
  private let kind: Kind

  private enum Kind {
    case space, quote, withoutWidth
    /// An invisible character that some scripts and emoji need.
    case joiner
  }

  /// A description for the line below the text.
  package var message: String {
    let code = String(scalar.value, radix: 16, uppercase: true)
    let name = "U+\(String(repeating: "0", count: max(0, 4 - code.count)))\(code)"
    let words = scalar.properties.name.map { "\(name) (\($0.lowercased()))" } ?? name
    return switch kind {
    case .withoutWidth, .joiner: "\(words) is invisible. Alt-Enter removes it."
    case .space: "\(words) only looks like a space. Alt-Enter replaces it."
    case .quote: "\(words) only looks like a quote. Alt-Enter replaces it with \(replacement)."
    }
  }

  /// The title of the action that replaces the character.
  package var fixTitle: String {
    switch kind {
    case .withoutWidth, .joiner: "Remove the invisible character"
    case .space: "Replace the special space with a space"
    case .quote: "Replace \(scalar) with \(replacement)"
    }
  }

  /// Returns the misleading characters of a text in order, at most `limit`. In strings only invisible ones count, and in
  /// comments none.
  package static func all(in text: TextBuffer, language: Editor.Language, limit: Int = 1000) -> [MisleadingCharacter] {
    guard text.lines.contains(where: hasCandidates) else { return [] }
    let syntax = SyntaxLines(text.lines, language: language)
    var found: [MisleadingCharacter] = []
    for (index, line) in text.lines.enumerated() where hasCandidates(line) {
      if found.count >= limit { break }
      if language == .plain, line.drop(while: \.isWhitespace).first == "#" { continue }
      let context = LineContext(line, syntax.spans(of: line, at: index))
      var column = 0
      for (scalar, isHiddenTag) in scalars(of: line) {
        let width = scalar.utf8.count
        defer { column += width }
        guard let kind = isHiddenTag ? .withoutWidth : kind(of: scalar), let isInString = context.isInString(column),
          kind == .withoutWidth || !isInString
        else { continue }
        found.append(
          MisleadingCharacter(
            range: TextPosition(index, column)..<TextPosition(index, column + width), scalar: scalar,
            isInString: isInString, replacement: replacement(of: kind, scalar, language), kind: kind))
      }
    }
    return Array(found.prefix(limit))
  }

  /// Returns the scalars of a line, and whether each is a tag character outside a flag.
  private static func scalars(of line: String) -> [(scalar: Unicode.Scalar, isHiddenTag: Bool)] {
    line.flatMap { character in
      let hasHidden = TagCharacter.isHidden(in: character.unicodeScalars)
      return character.unicodeScalars.map { ($0, hasHidden && TagCharacter.contains($0)) }
    }
  }

  private static func hasCandidates(_ line: String) -> Bool { !line.utf8.allSatisfy { $0 < 0x80 } }

  private static let spaces: [ClosedRange<UInt32>] = [
    0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000,
  ]
  private static let singleQuotes: [ClosedRange<UInt32>] = [
    0x2018...0x201B, 0x2032...0x2032, 0x2039...0x203A, 0xFF07...0xFF07,
  ]
  private static let doubleQuotes: [ClosedRange<UInt32>] = [
    0xAB...0xAB, 0xBB...0xBB, 0x201C...0x201F, 0x2033...0x2033, 0xFF02...0xFF02,
  ]
  private static let joiners: [ClosedRange<UInt32>] = [0x061C...0x061C, 0x200C...0x200F]
  private static let withoutWidth: [ClosedRange<UInt32>] = [
    0xAD...0xAD, 0x180E...0x180E, 0x200B...0x200B, 0x202A...0x202E, 0x2060...0x2064, 0x2066...0x2069, 0xFEFF...0xFEFF,
  ]

  private static func kind(of scalar: Unicode.Scalar) -> Kind? {
    guard !scalar.isASCII else { return nil }
    let isIn = { (ranges: [ClosedRange<UInt32>]) in ranges.contains { $0.contains(scalar.value) } }
    if isIn(spaces) { return .space }
    if isIn(singleQuotes) || isIn(doubleQuotes) { return .quote }
    if isIn(withoutWidth) { return .withoutWidth }
    return isIn(joiners) ? .joiner : nil
  }

  /// GraphQL and JSON have double quotes alone.
  private static func replacement(of kind: Kind, _ scalar: Unicode.Scalar, _ language: Editor.Language) -> String {
    switch kind {
    case .space: return " "
    case .withoutWidth, .joiner: return ""
    case .quote:
      let isSingle = singleQuotes.contains { $0.contains(scalar.value) }
      return language == .plain && isSingle ? "'" : "\""
    }
  }

  /// The strings and comments of a line.
  private struct LineContext {
    private let spans: [StyledSpan]
    private let bytes: [UInt8]

    init(_ line: String, _ spans: [StyledSpan]) {
      self.spans = spans
      bytes = Array(line.utf8)
    }

    /// Whether a column is within a string; nil within a comment.
    func isInString(_ column: Int) -> Bool? {
      guard let span = spans.first(where: { $0.columns.contains(column) }) else { return false }
      if span.kind == .comment { return nil }
      let quote = UInt8(ascii: "\"")
      let isName = bytes[span.columns.lowerBound] == quote
      guard span.kind == .string || isName else { return false }
      // A string without its closing quote may end with a typographic one.
      let isBlock = !isName || bytes[span.columns.lowerBound...].starts(with: [quote, quote, quote])
      return isBlock || span.columns.count > 1 && bytes[span.columns.upperBound - 1] == quote
    }
  }
}
