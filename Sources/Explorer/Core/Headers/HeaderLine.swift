import ApusClientRequests
import ApusExplorerText
import ApusSecrets

/// A line of the headers pane: `Name: value`, with `$NAME` and `$(command)` in the value; `#` begins a comment.
///
///     Authorization: Bearer $TOKEN
///     # X-Team: birds
package struct HeaderLine: Hashable, Sendable {
  package var name: String
  package var value: String
  /// The offset of the value in the line, in UTF-8 bytes.
  package var valueColumn: Int

  /// Parses a line; returns nil for an empty line, a comment, or anything that is not a header.
  package init?(_ line: String) {
    // Unicode scalars, because a colon or space followed by a combining mark is a different character.
    let text = line.unicodeScalars.drop { $0.properties.isWhitespace }
    guard let first = text.first, first != "#", let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
      return nil
    }
    name = String(text[..<colon])
    guard name.unicodeScalars.allSatisfy(Self.isNameCharacter) else { return nil }
    let trimmed = text[colon...].dropFirst().drop { $0 == " " || $0 == "\t" }
    value = String(trimmed)
    while let last = value.unicodeScalars.last, last == " " || last == "\t" { value.unicodeScalars.removeLast() }
    valueColumn = line.utf8.distance(from: line.startIndex, to: trimmed.startIndex)
  }

  /// Whether a character is allowed in a field name (RFC 9110, section 5.6.2).
  private static func isNameCharacter(_ scalar: Unicode.Scalar) -> Bool {
    (0x21...0x7E).contains(scalar.value) && !"()<>@,;:\\\"/[]?={}".unicodeScalars.contains(scalar)
  }

  /// Parses a header that is commented out, whose value is as secret as before. Returns `nil` for any other line.
  package init?(commentedOut line: String) {
    let text = line.unicodeScalars.drop { $0.properties.isWhitespace }
    guard text.first == "#" else { return nil }
    let rest = text.drop { $0 == "#" || $0.properties.isWhitespace }
    self.init(String(rest))
    valueColumn += line.utf8.distance(from: line.startIndex, to: rest.startIndex)
  }

  /// The value of a secret header in sessions without references.
  package static let notSavedInOlderFiles = "the typed secret was not saved; use $NAME or $(command)"

  /// Whether a line is neither empty, nor a comment, nor a header.
  package static func isWrong(_ line: String) -> Bool {
    guard let first = line.unicodeScalars.first(where: { !$0.properties.isWhitespace }), first != "#" else {
      return false
    }
    return HeaderLine(line) == nil
  }

  /// Returns the name at the start of a line without a colon, if it is that of a secret header with a value: `Authorization`
  /// of `Authorization Bearer abc`.
  package static func secretName(inWrong line: String) -> String? {
    guard isWrong(line) else { return nil }
    let text = line.unicodeScalars.drop { $0.properties.isWhitespace }
    let name = text.prefix(while: isNameCharacter)
    let hasValue = text[name.endIndex...].contains { !$0.properties.isWhitespace && $0 != "=" }
    return hasValue && SecretNames.contains(String(name), in: .header) ? String(name) : nil
  }

  /// The parsed value; nil if a `$` in it is invalid.
  package var text: SecretText? { try? SecretText(value) }

  /// The UTF-8 ranges of references to the environment or to commands.
  package var liveRanges: [(range: Range<Int>, isCommand: Bool)] {
    SecretText.liveRanges(in: value).map {
      ($0.range.lowerBound + valueColumn..<$0.range.upperBound + valueColumn, $0.isCommand)
    }
  }

  /// Whether the value may be a secret because of the header's name or the value's format. References to the
  /// environment or a command are not secret.
  package var isSecret: Bool {
    if value.isEmpty { return false }
    if Redactor().text(value) != value { return true }
    guard SecretNames.contains(name, in: .header) else { return false }
    guard let text else { return true }
    // `Bearer $TOKEN` and `sid=$SID` contain no secret.
    return text.parts.contains { part in
      guard case .text(let plain) = part else { return false }
      // Neither does `Bearer {{token}}`.
      let texts = TemplateText.parts(of: plain) { _ in true }.compactMap { piece -> String? in
        switch piece {
        case .text(let text): text
        case .reference: nil
        }
      }
      return texts.joined(separator: " ").split(whereSeparator: \.isWhitespace).contains { word in
        word.last != "=" && word.last != ":" && word != ";" && !SecretNames.schemes.contains(word.lowercased())
      }
    }
  }
}
