import ApusJSON

/// Text of a request in which a reference replaces each secret that was not stored.
///
/// A reference is known by its place, never by its text: `{ a(password: "•••") }` without references contains a string
/// of the user, which is sent. Text with a reference is shown as if it contained `Redactor.mark`.
package struct DraftText: Equatable, Sendable {
  package let text: String
  /// The places of the references, in ascending order, as UTF-8 ranges of the text.
  package let references: [Range<Int>]

  package init(_ text: String = "", references: [Range<Int>] = []) {
    self.text = text
    let count = references.isEmpty ? 0 : text.utf8.count
    // The ranges may come from a damaged file.
    var end = 0
    self.references = references.sorted { $0.lowerBound < $1.lowerBound }.filter { range in
      guard !range.isEmpty, range.lowerBound >= end, range.upperBound <= count else { return false }
      end = range.upperBound
      return true
    }
  }

  package var isEmpty: Bool { text.isEmpty }
  /// Whether no secret is missing.
  package var isComplete: Bool { references.isEmpty }
}

extension DraftText {
  /// The references as stored in a file: `[[26, 35]]`.
  package var json: JSONValue {
    .array(references.map { [JSONValue($0.lowerBound), JSONValue($0.upperBound)] })
  }

  /// Creates stored text with the references of a file.
  package init(_ text: String, json: JSONValue?) {
    let ranges = json?.elements.compactMap { place -> Range<Int>? in
      guard let start = place[0]?.int, let end = place[1]?.int, 0 <= start, start < end else { return nil }
      return start..<end
    }
    self.init(text, references: ranges ?? [])
  }
}

extension DraftText: ExpressibleByStringLiteral {
  package init(stringLiteral text: String) { self.init(text) }
}

// MARK: Storing and restoring

extension Redactor {
  /// Returns a document without secrets, with a reference in place of each.
  package func draft(document: DraftText) -> DraftText { draft(document, self.document) }

  /// Returns the text of variables without secrets, with a reference in place of each.
  package func draft(variables: DraftText) -> DraftText { draft(variables, self.variables) }

  private func draft(_ draft: DraftText, _ redacted: (String) -> String) -> DraftText {
    if draft.isComplete, !draft.text.contains(Self.mark) {
      let shown = redacted(draft.text)
      return shown == draft.text ? draft : DraftText(marksIn: shown, typed: nil)
    }
    // A mark that the user typed is not a reference, so another character represents it meanwhile.
    let typed = DraftText.unusedCharacter(in: draft.text)
    let shown = redacted(draft.replacingMarks(with: typed))
    return DraftText(marksIn: shown, typed: typed)
  }

  /// Reads a stored document that has no list of its references: each mark at a place that counts as secret is one.
  package func stored(document: String) -> DraftText {
    SecretScanner.withReferences(document, self, isJSON: false)
  }

  /// Reads the stored text of variables that has no list of its references.
  package func stored(variables: String) -> DraftText { SecretScanner.withReferences(variables, self, isJSON: true) }
}

extension DraftText {
  /// Returns a private-use character that a text does not contain, to mark places in it.
  package static func unusedCharacter(in text: String) -> Character {
    let used = Set(text.unicodeScalars.lazy.filter { (0xE000...0xF8FF).contains($0.value) })
    let unused = (0xE000...0xF8FF as ClosedRange<UInt32>).lazy.compactMap(Unicode.Scalar.init)
      .first { !used.contains($0) }
    return unused.map(Character.init) ?? "\u{F8FF}"
  }

  /// Creates text in which a character represents each reference.
  package init(_ text: String, placeholder: Character) {
    let parts = text.split(separator: placeholder, omittingEmptySubsequences: false)
    var (result, references): (String, [Range<Int>]) = ("", [])
    for (index, part) in parts.enumerated() {
      if index > 0 {
        let start = result.utf8.count
        result += Redactor.mark
        references.append(start..<result.utf8.count)
      }
      result += part
    }
    self.init(result, references: references)
  }

  /// Returns the text with other text in place of each reference.
  package func replacingReferences(_ replacement: (Range<Int>) -> String) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var start = 0
    for range in references {
      result += bytes[start..<range.lowerBound]
      result += replacement(range).utf8
      start = range.upperBound
    }
    return String(decoding: result + bytes[start...], as: UTF8.self)
  }

  /// Returns the text with a complete mark for each reference, and another character for the marks that are none.
  fileprivate func replacingMarks(with typed: Character) -> String {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var start = 0
    for range in references {
      result += Self.replacingMarks(in: bytes[start..<range.lowerBound], with: typed)
      result += Redactor.mark.utf8
      start = range.upperBound
    }
    return String(decoding: result + Self.replacingMarks(in: bytes[start...], with: typed), as: UTF8.self)
  }

  private static func replacingMarks(in bytes: ArraySlice<UInt8>, with typed: Character) -> [UInt8] {
    let mark = Array(Redactor.mark.utf8)
    var result: [UInt8] = []
    var rest = bytes
    while let byte = rest.first {
      if byte == mark[0], rest.starts(with: mark) {
        result += String(typed).utf8
        rest = rest.dropFirst(mark.count)
      } else {
        result.append(byte)
        rest.removeFirst()
      }
    }
    return result
  }

  /// Creates text in which every mark is a reference, and a character, if any, represents the marks that are none.
  fileprivate init(marksIn text: String, typed: Character?) {
    let mark = Array(Redactor.mark.utf8)
    let typed = typed.map { Array(String($0).utf8) } ?? []
    var result: [UInt8] = []
    var references: [Range<Int>] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.first {
      if byte == mark[0], rest.starts(with: mark) {
        references.append(result.count..<(result.count + mark.count))
        result += mark
        rest = rest.dropFirst(mark.count)
      } else if byte == typed.first, rest.starts(with: typed) {
        result += mark
        rest = rest.dropFirst(typed.count)
      } else {
        result.append(byte)
        rest.removeFirst()
      }
    }
    self.init(String(decoding: result, as: UTF8.self), references: references)
  }
}
