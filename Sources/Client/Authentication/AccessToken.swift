import ApusASCII
import ApusJSON

/// A token with its lifetime. Times are seconds since 1970 on this computer's clock.
package struct AccessToken: Equatable, Sendable {
  package var value: String
  /// The time at which the server issued the token.
  package var obtainedAt: Int
  /// The time at which the token expires; `nil` if it is unknown.
  package var expiresAt: Int?
  /// The token that gets the next token without the user (RFC 6749, section 1.5).
  package var refreshToken: String?

  package init(_ value: String, obtainedAt: Int, expiresAt: Int? = nil, refreshToken: String? = nil) {
    self.value = value
    self.obtainedAt = obtainedAt
    self.expiresAt = expiresAt ?? JSONWebToken.expiry(of: value)
    self.refreshToken = refreshToken
  }

  package func isExpired(at now: Int) -> Bool { expiresAt.map { now >= $0 } ?? false }

  /// Whether the token is renewed before the next request: a minute before it expires, or in the last quarter of a
  /// short lifetime.
  package func needsRenewal(at now: Int) -> Bool {
    guard let expiresAt else { return false }
    let lifetime = max(0, expiresAt - obtainedAt)
    return now >= expiresAt - min(60, lifetime / 4)
  }
}

/// The claims of a JSON Web Token (RFC 7519): `{"exp": 1767225600}` is the middle part of `HEADER.CLAIMS.SIGNATURE`,
/// encoded for URLs. The signature is the server's concern.
enum JSONWebToken {
  /// Returns the expiration time; `nil` if the token has another form.
  static func expiry(of token: String) -> Int? {
    let parts = token.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let bytes = Base64.decode(forURL: String(parts[1])),
      let claims = try? JSONDocument(parsing: bytes).root, let time = claims["exp"]?.double,
      (0...1e11).contains(time)
    else { return nil }
    return Int(time)
  }
}

/// The tokens of a sign-in in the form in which a store keeps them:
///
///     {"access_token": "…", "obtained_at": 1767225600, "refresh_token": "…", "origins": ["https://birds.example"]}
package struct StoredSignIn: Equatable, Sendable {
  package var token: AccessToken
  /// Origins that the tokens are for.
  package var origins: [String]

  package init(_ token: AccessToken, origins: [String]) {
    self.token = token
    self.origins = origins
  }

  /// Reads the text of a store; `nil` if it is not a sign-in.
  package init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text), let value = json["access_token"]?.string, !value.isEmpty,
      let obtainedAt = json["obtained_at"]?.int
    else { return nil }
    token = AccessToken(
      value, obtainedAt: obtainedAt, expiresAt: json["expires_at"]?.int, refreshToken: json["refresh_token"]?.string)
    origins = json["origins"]?.elements.compactMap(\.string) ?? []
  }

  package var text: String {
    var members: [(String, JSONValue)] = [
      ("access_token", JSONValue(token.value)), ("obtained_at", JSONValue(token.obtainedAt)),
    ]
    if let time = token.expiresAt { members.append(("expires_at", JSONValue(time))) }
    if let refresh = token.refreshToken { members.append(("refresh_token", JSONValue(refresh))) }
    members.append(("origins", .array(origins.map { JSONValue($0) })))
    return JSONWriter.compact(.object(members))
  }
}
