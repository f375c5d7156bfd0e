import ApusSecrets
import CApusCurl

/// A URL parsed by curl's parser, so that checks apply to the server that curl connects to.
final class TargetURL {
  /// curl's representation of a URL, immutable after parsing.
  final class Parsed {
    let handle: OpaquePointer

    fileprivate init?() {
      guard let handle = curl_url() else { return nil }
      self.handle = handle
    }

    deinit { curl_url_cleanup(handle) }
  }

  /// The parsed URL, which curl can use without parsing it again.
  let parsed: Parsed
  /// The URL for curl, including user, password and query.
  let text: String
  let scheme: String
  let host: String
  let port: String
  let path: String
  /// Path and query for the request line: `/graphql?key=1`.
  let requestTarget: String
  /// The decoded `user:password`; nil if the URL has no user.
  let credentials: String?

  /// The `host`, or `host:port` if the port is not the default, for error messages.
  let authority: String
  /// The URL without user, password, query and fragment, for display.
  let shown: String

  convenience init(parsing text: String) throws(NetworkError) {
    try self.init(base: nil, text)
  }

  /// Returns the target of a `Location` header relative to this URL.
  func resolving(_ location: String) throws(NetworkError) -> TargetURL {
    guard let target = try? TargetURL(base: self.text, location) else {
      throw .badRedirect(host: authority, location: RedactedURL.withoutSecrets(location))
    }
    return target
  }

  /// Whether credentials for this URL may be sent to another one: the same host, and the same port or a change from
  /// http to https on the default ports.
  func sharesCredentials(with other: TargetURL) -> Bool {
    guard let origin, let otherOrigin = other.origin else { return false }
    if origin == otherOrigin { return true }
    return origin.host == otherOrigin.host && (origin.scheme, origin.port) == ("http", 80)
      && (otherOrigin.scheme, otherOrigin.port) == ("https", 443)
  }

  private var origin: Origin? { Origin(scheme: scheme, host: host, port: Int(port)) }

  private init(base: String?, _ text: String) throws(NetworkError) {
    func bad(_ reason: String) -> NetworkError { .badURL(url: RedactedURL.withoutSecrets(text), reason: reason) }
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
      throw bad(code == CURLUE_NO_HOST ? "it has no host" : "it cannot be parsed")
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
    authority = port == Self.defaultPort(of: scheme) ? host : "\(host):\(port)"
    shown = "\(scheme)://\(authority)\(path)"
    guard scheme == "http" || scheme == "https" else {
      throw bad("it must begin with http:// or https://")
    }
    guard !host.isEmpty else { throw bad("it has no host") }
  }

  private static func defaultPort(of scheme: String) -> String {
    scheme == "https" ? "443" : "80"
  }
}
