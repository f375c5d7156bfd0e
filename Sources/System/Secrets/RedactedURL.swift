/// URLs as users see them.
package enum RedactedURL {
  /// Returns the text, which may not even be a URL, without credentials, query and fragment:
  /// `https://user:word@host/a?key=1` is `https://host/a`.
  package static func withoutSecrets(_ text: String) -> String {
    let bytes = text.utf8
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    // In a valid URL only the authority contains credentials, and the displayed host must be the real one.
    if Origin(url: text) != nil, let separator = text.firstRange(of: "://") {
      let authority = bytes[separator.upperBound..<end].prefix { $0 != UInt8(ascii: "/") }
      let start = authority.lastIndex(of: UInt8(ascii: "@")).map(bytes.index(after:)) ?? separator.upperBound
      return String(text[..<separator.upperBound] + text[start..<end])
    }
    guard let at = bytes[..<end].lastIndex(of: UInt8(ascii: "@")) else { return String(text[..<end]) }
    let scheme = text[..<at].firstRange(of: "://").map { text[..<$0.upperBound] } ?? ""
    return String(scheme + text[text.index(after: at)..<end])
  }
}

extension Redactor {
  /// Returns a URL with a mark in place of its credentials and of the secret values in its query:
  /// `https://•••@host/a?key=•••`.
  package func url(_ url: String) -> String {
    let place = url.prefix { $0 != "?" && $0 != "#" }
    let plain = RedactedURL.withoutSecrets(String(place))
    let shown = plain == place ? plain : plain.replacing("://", with: "://\(Self.mark)@", maxReplacements: 1)
    let query = url.dropFirst(place.count + 1).split(separator: "&", omittingEmptySubsequences: false).map { field in
      let name = field.prefix { $0 != "=" }
      let isSecret = SecretNames.contains(String(name), in: .parameter)
      return isSecret && !isReference(String(field.dropFirst(name.count + 1))) ? "\(name)=\(Self.mark)" : String(field)
    }
    return text(shown + url.dropFirst(place.count).prefix(1) + query.joined(separator: "&"))
  }
}
