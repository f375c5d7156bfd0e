/// A link in a text.
package enum Link {
  private static let schemes = ["https://", "http://", "mailto:"]

  /// The first link in a text, up to the first character that none has.
  package static func first(in text: String) -> String? {
    let starts = schemes.compactMap { text.firstRange(of: $0)?.lowerBound }
    guard let start = starts.min() else { return nil }
    var link = text[start...].prefix { character in
      !"\"<>`{}|\\^".contains(character) && character.asciiValue.map { (0x21...0x7E).contains($0) } ?? false
    }
    // A sentence's own sign is not the link's.
    while let last = link.last, ".,;:!?)".contains(last) {
      if last == ")", link.count(where: { $0 == "(" }) >= link.count(where: { $0 == ")" }) { break }
      link = link.dropLast()
    }
    return schemes.contains { link.count > $0.count && link.hasPrefix($0) } ? String(link) : nil
  }
}
