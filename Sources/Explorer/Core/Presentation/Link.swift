/// Finds links in text.
package enum Link {
  private static let schemes = ["https://", "http://", "mailto:"]

  /// Returns the first link in a string, up to the first character that a link cannot contain: `https://birds.example`
  /// in "see https://birds.example.".
  package static func first(in text: String) -> String? {
    let starts = schemes.compactMap { text.firstRange(of: $0)?.lowerBound }
    guard let start = starts.min() else { return nil }
    var link = text[start...].prefix { character in
      !"\"<>`{}|\\^".contains(character) && character.asciiValue.map { (0x21...0x7E).contains($0) } ?? false
    }
    // Punctuation at the end of a sentence is not part of the link.
    while let last = link.last, ".,;:!?)".contains(last) {
      if last == ")", link.count(where: { $0 == "(" }) >= link.count(where: { $0 == ")" }) { break }
      link = link.dropLast()
    }
    return schemes.contains { link.count > $0.count && link.hasPrefix($0) } ? String(link) : nil
  }
}
