/// The origin of a web page, in the form of the `Origin` header.
package enum PageOrigin {
  /// Returns the origin in the form of the `Origin` header: scheme, host, and any port that is not the default
  /// (`https://birds.example:8443`). `null` is not accepted, because any page can have it.
  package static func name(of origin: String) -> String? {
    guard let separator = origin.firstRange(of: "://") else { return nil }
    let rest = origin[separator.upperBound...]
    if let parsed = Origin(url: origin) {
      return rest.utf8.contains { "/?#@".utf8.contains($0) } ? nil : parsed.description
    }
    // Browser extensions have other schemes.
    let scheme = origin[..<separator.lowerBound]
    guard !["http", "https"].contains(scheme), scheme.first?.isLetter == true, !rest.isEmpty,
      (scheme + rest).utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"/?#@,;\"'\\".utf8.contains($0) })
    else { return nil }
    return origin.lowercased()
  }
}
