import ApusASCII

/// A reference in the text of a request, with the name that the user knows the secret by.
package struct SecretReference: Equatable, Sendable {
  /// The UTF-8 range of the reference.
  package let range: Range<Int>
  /// The range of the literal around it, with its quotes.
  package let literal: Range<Int>
  /// The argument or variable, or the members that lead to the value: `password`, `input.password`.
  package let path: [String]
  /// Whether it is in a comment, so that it is not a value.
  package let isInComment: Bool

  /// Whether it has no quotes, because it takes the place of a number.
  package var isUnquoted: Bool { literal == range && !isInComment }

  package var name: String { path.isEmpty ? "a secret" : path.joined(separator: ".") }
}

extension DraftText {
  /// A number of the length of a mark, so that all offsets stay the same.
  static let numberForMark = "100000000"

  /// The text with a number in place of each reference to a number, so that it can be parsed.
  package var parsable: String {
    references.isEmpty ? text : SecretScanner.replacingMarks(in: text, with: Self.numberForMark)
  }

  /// References of a document with their names.
  package var documentSecrets: [SecretReference] { secrets(isJSON: false) }
  /// References of variables or extensions with their paths.
  package var memberSecrets: [SecretReference] { secrets(isJSON: true) }

  /// Returns the literals of an earlier text with the same tokens that the references replaced; nil where that is
  /// unknown.
  package func originals(of references: [SecretReference], in text: String) -> [String?] {
    SecretScanner.originals(of: references, in: self, text)
  }

  private func secrets(isJSON: Bool) -> [SecretReference] {
    references.isEmpty ? [] : SecretScanner.references(self, isJSON: isJSON)
  }
}

extension SecretScanner {
  /// Names the references of a text by the name before the colon, and in JSON by the members around it.
  static func references(_ draft: DraftText, isJSON: Bool) -> [SecretReference] {
    let bytes = Array(draft.text.utf8)
    var found: [SecretReference] = []
    var rest = draft.references[...]
    /// Names of the enclosing values, and the name of the next value.
    var outer: [String?] = []
    var name: String?
    var word = ""
    var index = 0
    while index < bytes.count, let next = rest.first {
      let start = index
      index = endOfWord(in: bytes, from: start)
      // Text that is redacted outside of a literal is its own literal.
      let isLiteral = bytes[start] == UInt8(ascii: "\"") || bytes[start] == UInt8(ascii: "#")
      if next.lowerBound < index {
        let names = (outer + [name]).compactMap(\.self)
        let path = isJSON ? names : names.suffix(1)
        while let range = rest.first, range.lowerBound < index {
          found.append(
            SecretReference(
              range: range, literal: isLiteral ? start..<max(index, range.upperBound) : range, path: Array(path),
              isInComment: bytes[start] == UInt8(ascii: "#")))
          rest.removeFirst()
        }
      }
      switch bytes[start] {
      case UInt8(ascii: "\""):
        word = String(decoding: bytes[start..<index].dropFirst().dropLast(), as: UTF8.self)
      case UInt8(ascii: ":"): name = word
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
        outer.append(name)
        name = nil
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
        name = outer.popLast() ?? nil
      case UInt8(ascii: ",") where isJSON: name = nil
      case _ where bytes[start].isNameByte: word = String(decoding: bytes[start..<index], as: UTF8.self)
      default: break
      }
    }
    return found
  }

  /// Returns the original text of the literals around references, if the two texts have the same tokens.
  static func originals(of references: [SecretReference], in draft: DraftText, _ original: String) -> [String?] {
    func tokens(_ text: String) -> [Range<Int>] {
      let bytes = Array(text.utf8)
      var tokens: [Range<Int>] = []
      var index = 0
      while index < bytes.count {
        let end = endOfWord(in: bytes, from: index)
        if bytes[index] > 0x20 { tokens.append(index..<end) }
        index = end
      }
      return tokens
    }
    let (before, after) = (tokens(original), tokens(draft.text))
    guard before.count == after.count else { return references.map { _ in nil } }
    let bytes = Array(original.utf8)
    let places = Dictionary(zip(after.map(\.lowerBound), before), uniquingKeysWith: { first, _ in first })
    return references.map { reference in
      places[reference.literal.lowerBound].map { String(decoding: bytes[$0], as: UTF8.self) }
    }
  }

  /// Returns stored text with a reference at each place that counts as secret and has the mark.
  static func withReferences(_ text: String, _ redactor: Redactor, isJSON: Bool) -> DraftText {
    guard text.contains(Redactor.mark) else { return DraftText(text) }
    let bytes = Array(text.utf8)
    let mark = Array("\"\(Redactor.mark)\"".utf8)
    let marked = hiddenLiterals(in: text, redactor, isJSON: isJSON).filter { bytes[$0].elementsEqual(mark) }
    return DraftText(text, references: marked.map { $0.lowerBound + 1..<$0.upperBound - 1 })
  }
}
