/// The common form of equivalent URLs (RFC 3986, sections 6.2.2.1 and 6.2.3).
package enum NormalizedURL {
  /// Returns a URL with a lowercase scheme and host, without a default port and a fragment, and with `/` as an empty
  /// path: `HTTPS://Birds.example:443#top` is `https://birds.example/`. Other text is returned unchanged. A slash after
  /// a path is kept, because it is another resource.
  package static func of(_ url: String) -> String {
    guard let origin = Origin(url: url), let separator = url.firstRange(of: "://") else { return url }
    let bytes = url.utf8
    let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
    let authority = bytes[separator.upperBound..<end].prefix { !"/?".utf8.contains($0) }
    let credentials = authority.lastIndex(of: UInt8(ascii: "@")).map { url[separator.upperBound...$0] } ?? ""
    let rest = url[authority.endIndex..<end]
    let shown = origin.description
    let start = shown.firstRange(of: "://")?.upperBound ?? shown.startIndex
    let path = rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
    return "\(shown[..<start])\(credentials)\(shown[start...])\(path)"
  }
}
