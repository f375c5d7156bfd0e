import ApusASCII
import ApusDigest

/// A sign-in in the user's browser, with a proof key (RFC 7636) and a redirect to this machine (RFC 8252, section 7.3).
package struct AuthorizationCodeRequest: Sendable {
  /// The secret that proves that the code is exchanged by the program that requested it.
  let verifier: String
  /// The value that the redirect must repeat (RFC 6749, section 10.12).
  let state: String
  let redirectURL: String
  /// The page that the browser opens.
  package let url: String

  init(_ page: String, _ client: OAuthClient, redirectURL: String) {
    verifier = Self.random()
    state = Self.random()
    self.redirectURL = redirectURL
    let fields =
      [
        ("response_type", "code"), ("client_id", client.id), ("redirect_uri", redirectURL), ("state", state),
        ("code_challenge", Self.challenge(of: verifier)), ("code_challenge_method", "S256"),
      ] + client.target
    url = page + (page.contains("?") ? "&" : "?") + AuthorizationRequests.form(fields)
  }

  static func challenge(of verifier: String) -> String {
    Base64.encodeForURL(SHA256Digest.bytes(of: Array(verifier.utf8)))
  }

  /// Returns 256 random bits from the system.
  private static func random() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64.encodeForURL((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
  }

  /// Returns the code in the query of a redirect.
  ///
  /// - Throws: The server's refusal; `nil` is returned for a request that is not the expected redirect.
  func code(in query: String, host: String, profile: String) throws(SignInError) -> String? {
    let fields = Self.fields(of: query)
    guard fields["state"] == state else { return nil }
    if let error = fields["error"] {
      if error == "access_denied" { throw .declined(profile: profile) }
      let text = [error, fields["error_description"]].compactMap(\.self).joined(separator: ": ")
      throw .refused(host: host, reason: text)
    }
    return fields["code"].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns the fields of a form; the first one of each name.
  static func fields(of query: String) -> [String: String] {
    var fields: [String: String] = [:]
    for field in query.split(separator: "&") {
      let parts = field.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let name = decoded(parts[0])
      if fields[name] == nil { fields[name] = parts.count > 1 ? decoded(parts[1]) : "" }
    }
    return fields
  }

  private static func decoded(_ text: Substring) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(hexadecimal), rest.count > 1,
        let low = hexadecimal(rest[rest.startIndex + 1])
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func hexadecimal(_ digit: UInt8) -> UInt8? {
    Character(UnicodeScalar(digit)).hexDigitValue.map(UInt8.init)
  }
}

/// Receives the browser's request to this machine at the end of a sign-in.
package protocol RedirectReceiver: Sendable {
  /// The URL of the redirect: "`http://127.0.0.1:41215/callback`".
  var url: String { get }

  /// Waits for the redirect, and shows the outcome of the sign-in in the browser.
  ///
  /// - Parameter answer: Called with the query of each request; returns nil if the request is another one, and throws the
  ///   server's refusal.
  func receive(
    _ answer: @escaping @Sendable (_ query: String) throws(SignInError) -> String?
  ) async throws(SignInError) -> String
}
