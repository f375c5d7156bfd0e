import ApusSecrets
import CApusCurl

/// A URL taken apart by curl's own parser, so that what is checked is what is spoken to.
final class TargetURL {
  /// What curl holds a parsed URL in. Never changed once the URL is parsed.
  final class Parsed {
    let handle: OpaquePointer

    fileprivate init?() {
      guard let handle = curl_url() else { return nil }
      self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }
  }

  /// The URL as curl takes it without parsing it again.
  let parsed: Parsed
  /// The text curl is given, with user, password and query.
  let text: String
  let scheme: String
  let host: String
  let port: String
  let path: String
  /// Path and query, as a request line names them.
  let requestTarget: String
  /// `user:password`, decoded; nil where the URL names no user.
  let credentials: String?

  /// `host`, or `host:port` where the port is not the scheme's own: the name an error shows.
  let place: String
  /// The URL without user, password, query and fragment: fit to be shown.
  let shown: String

  convenience init(parsing text: String) throws(NetworkError) {
    try self.init(base: nil, text)
  }

  /// Where a `Location` header points to, seen from this URL.
  func resolving(_ location: String) throws(NetworkError) -> TargetURL {
    guard let target = try? TargetURL(base: self.text, location) else {
      throw .badRedirect(host: place, location: Self.withoutSecrets(location))
    }
    return target
  }

  /// Whether credentials meant for this URL may be sent to the other: the same host, and the same port or the
  /// step from plain http to https on the default ports.
  func sharesCredentials(with other: TargetURL) -> Bool {
    guard let origin, let otherOrigin = other.origin else { return false }
    if origin == otherOrigin { return true }
    return origin.host == otherOrigin.host && (origin.scheme, origin.port) == ("http", 80)
      && (otherOrigin.scheme, otherOrigin.port) == ("https", 443)
  }

  private var origin: Origin? { Origin(scheme: scheme, host: host, port: Int(port)) }

  private init(base: String?, _ text: String) throws(NetworkError) {
    func bad(_ reason: String) -> NetworkError { .badURL(url: Self.withoutSecrets(text), reason: reason) }
    guard let parsed = Parsed() else {
      throw CurlLibrary.failure.map(NetworkError.missingLibrary) ?? bad("out of memory")
    }
    self.parsed = parsed
    let handle = parsed.handle
    let flags = UInt32(1 << 3) | UInt32(1 << 7)  // CURLU_NON_SUPPORT_SCHEME, CURLU_URLENCODE
    if let base { curl_url_set(handle, CURLUPART_URL, base, flags) }
    if base == nil, !text.contains("://") {
      throw bad("it must begin with http:// or https://")
    }
    let code = curl_url_set(handle, CURLUPART_URL, text, flags)
    guard code == CURLUE_OK else {
      throw bad(code == CURLUE_NO_HOST ? "it names no host" : "it cannot be parsed")
    }
    func part(_ part: CURLUPart, _ flags: UInt32 = 0) -> String {
      var value: UnsafeMutablePointer<CChar>?
      guard curl_url_get(handle, part, &value, flags) == CURLUE_OK, let value else { return "" }
      defer { curl_free(value) }
      return String(cString: value)
    }
    scheme = part(CURLUPART_SCHEME).lowercased()
    host = part(CURLUPART_HOST)
    port = part(CURLUPART_PORT, 1)  // CURLU_DEFAULT_PORT
    path = part(CURLUPART_PATH)
    let query = part(CURLUPART_QUERY)
    requestTarget = query.isEmpty ? path : "\(path)?\(query)"
    let decoded = UInt32(1 << 6)  // CURLU_URLDECODE
    let user = part(CURLUPART_USER, decoded)
    let password = part(CURLUPART_PASSWORD, decoded)
    credentials = user.isEmpty && password.isEmpty ? nil : "\(user):\(password)"
    self.text = part(CURLUPART_URL)
    place = port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)"
    shown = "\(scheme)://\(place)\(path)"
    guard scheme == "http" || scheme == "https" else {
      throw bad("it must begin with http:// or https://")
    }
    guard !host.isEmpty else { throw bad("it names no host") }
  }

  private static func defaultPort(of scheme: String) -> String {
    scheme == "https" ? "443" : "80"
  }

  /// A text that may not even be a URL, without what stands before an `@` or behind a `?` or `#`.
  static func withoutSecrets(_ text: String) -> String {
    let bytes = text.utf8
    let end = bytes.firstIndex { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") } ?? bytes.endIndex
    // Of a valid URL the authority alone has credentials: the URL as shown must name the host that is connected to.
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
