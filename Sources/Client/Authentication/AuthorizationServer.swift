import ApusClientNetwork
import ApusJSON
import ApusSecrets

/// The URLs of an authorization server.
package struct AuthorizationServer: Equatable, Sendable {
  package var tokenURL: String
  package var deviceURL: String?
  package var authorizationURL: String?
  package var revocationURL: String?
  /// The ways in which the token endpoint accepts a client's secret; `nil` if the server does not list them.
  package var authenticationMethods: [String]?
  package var issuer: String?

  package init(tokenURL: String) { self.tokenURL = tokenURL }

  /// Returns the places of an issuer's metadata, in the order in which they are tried (RFC 8414, section 3; OpenID Connect
  /// Discovery 1.0, section 4).
  ///
  /// "`https://id.example/a`" has `https://id.example/.well-known/oauth-authorization-server/a` and
  /// `https://id.example/a/.well-known/openid-configuration`.
  static func metadataURLs(of issuer: String) -> [String] {
    var plain = issuer[...]
    while plain.hasSuffix("/") { plain = plain.dropLast() }
    guard let scheme = plain.firstRange(of: "://") else { return [] }
    let authority = plain[scheme.upperBound...].prefix { $0 != "/" }
    let path = plain[authority.endIndex...]
    let origin = plain[..<authority.endIndex]
    return [
      "\(plain)/.well-known/openid-configuration", "\(origin)/.well-known/oauth-authorization-server\(path)",
      "\(origin)/.well-known/openid-configuration\(path)",
    ].reduce(into: []) { list, url in if !list.contains(url) { list.append(url) } }
  }

  /// Reads the metadata of an issuer.
  ///
  /// - Throws: Why the metadata is not the issuer's (section 3.3), or cannot be used.
  static func read(_ metadata: JSONValue, of issuer: String) throws(SignInError) -> AuthorizationServer {
    let host = RedactedURL.withoutSecrets(issuer)
    func plain(_ url: String) -> Substring { url.hasSuffix("/") ? url.dropLast() : url[...] }
    guard let stated = metadata["issuer"]?.string, plain(stated) == plain(issuer) else {
      throw .badResponse(
        host: host, reason: "metadata of another issuer (\(metadata["issuer"]?.string ?? "none"))")
    }
    func url(_ name: String) throws(SignInError) -> String? {
      guard let url = metadata[name]?.string else { return nil }
      guard let origin = Origin(url: url), origin.isSecure else {
        throw .badResponse(host: host, reason: "an insecure \(name)")
      }
      return url
    }
    guard let tokenURL = try url("token_endpoint") else {
      throw .badResponse(host: host, reason: "metadata without token_endpoint")
    }
    var server = AuthorizationServer(tokenURL: tokenURL)
    server.deviceURL = try url("device_authorization_endpoint")
    server.authorizationURL = try url("authorization_endpoint")
    server.revocationURL = try url("revocation_endpoint")
    server.authenticationMethods = metadata["token_endpoint_auth_methods_supported"]?.elements.compactMap(\.string)
    server.issuer = stated
    return server
  }
}
