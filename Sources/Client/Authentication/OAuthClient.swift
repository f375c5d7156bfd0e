import ApusASCII
import ApusAlgorithms
import ApusClientNetwork
import ApusJSON
import ApusSecrets

/// A client that is registered at an authorization server, with its resolved secret.
package struct OAuthClient: Sendable {
  package var id: String
  package var secret: String?
  /// Whether the secret is sent as basic authentication; `nil` if the server's metadata decides.
  package var usesBasic: Bool?
  package var scopes: [String] = []
  package var audience: String?

  package init(id: String, secret: String? = nil) {
    self.id = id
    self.secret = secret
  }

  /// The parameters that select the purpose of a token.
  var target: [(String, String)] {
    (scopes.isEmpty ? [] : [("scope", scopes.joined(separator: " "))])
      + (audience.map { [("audience", $0)] } ?? [])
  }
}

/// The requests to an authorization server.
package struct AuthorizationRequests: Sendable {
  let transport: HTTPTransport
  /// The connection options of the profile: proxy, certificates.
  let connection: HTTPConnectionOptions
  let client: OAuthClient
  let now: @Sendable () -> Int

  /// An answer of the server.
  struct Answer {
    var status: Int
    var json: JSONValue?
    /// The seconds by which this computer's clock is ahead of the server's, rounded; `nil` if it is unknown.
    var clockLead: Int?
    var host: String

    /// The server's reason (RFC 6749, section 5.2), with a hint about a wrong clock.
    var reason: String {
      let code = json?["error"]?.string
      let text = [code, json?["error_description"]?.string].compactMap(\.self).joined(separator: ": ")
      return (text.isEmpty ? "status \(status)" : text) + advice(for: code) + clockHint
    }

    private func advice(for code: String?) -> String {
      switch code {
      case "invalid_client": "; check client-id and client-secret"
      case "unauthorized_client", "unsupported_grant_type": "; allow this grant for the client at the provider"
      case "invalid_scope": "; check scopes"
      case "invalid_target": "; check audience"
      default: ""
      }
    }

    private var clockHint: String {
      guard let clockLead, abs(clockLead) >= 120 else { return "" }
      return "; this computer's clock is \(abs(clockLead) / 60) minutes \(clockLead > 0 ? "fast" : "slow"): set it"
    }
  }

  private func send(_ request: HTTPRequest) async throws(SignInError) -> Answer {
    var request = request
    request.connection = connection
    // A redirect would send the credentials elsewhere.
    request.maximumRedirects = 0
    request.maximumResponseSize = 1 << 20
    request.timeouts.total = .seconds(30)
    request.headers["Accept"] = "application/json"
    var status = 0
    var date: String?
    var body: [UInt8] = []
    do {
      for try await event in transport.send(request) {
        switch event {
        case .head(let head): (status, date) = (head.status, head.headers["Date"])
        case .bytes(let chunk): body += chunk.bytes
        case .sent, .end: break
        }
      }
    } catch let error as NetworkError {
      throw .network(error)
    } catch {
      throw .cancelled
    }
    let lead = date.flatMap(HTTPDate.seconds(of:)).map { now() - $0 }
    return Answer(
      status: status, json: try? JSONDocument(parsing: body).root, clockLead: lead,
      host: Origin(url: request.url)?.description ?? request.redactedURL)
  }

  private func post(
    _ url: String, _ fields: [(String, String)], _ server: AuthorizationServer
  ) async throws(SignInError) -> Answer {
    var fields = fields
    var request = HTTPRequest(method: "POST", url: url)
    request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    if let secret = client.secret, usesBasic(server) {
      let pair = "\(PercentEncoding.encoded(client.id)):\(PercentEncoding.encoded(secret))"
      request.headers["Authorization"] = "Basic \(Base64.encode(Array(pair.utf8)))"
    } else {
      fields.append(("client_id", client.id))
      if let secret = client.secret { fields.append(("client_secret", secret)) }
    }
    request.body = Array(Self.form(fields).utf8)
    request.isRepeatable = false
    return try await send(request)
  }

  /// Whether a secret is sent as basic authentication, which every server must support (RFC 6749, section 2.3.1).
  private func usesBasic(_ server: AuthorizationServer) -> Bool {
    if let usesBasic = client.usesBasic { return usesBasic }
    guard let methods = server.authenticationMethods else { return true }
    return methods.contains("client_secret_basic") || !methods.contains("client_secret_post")
  }

  static func form(_ fields: [(String, String)]) -> String {
    fields.map { "\(PercentEncoding.encoded($0.0))=\(PercentEncoding.encoded($0.1))" }.joined(separator: "&")
  }

  // MARK: Discovery

  func discover(_ issuer: String) async throws(SignInError) -> AuthorizationServer {
    var last: Answer?
    for url in AuthorizationServer.metadataURLs(of: issuer) {
      let answer = try await send(HTTPRequest(url: url))
      if answer.status == 200, let metadata = answer.json { return try AuthorizationServer.read(metadata, of: issuer) }
      last = answer
    }
    throw .badResponse(
      host: RedactedURL.withoutSecrets(issuer),
      reason: "status \(last?.status ?? 0) instead of the issuer's metadata (.well-known)")
  }

  // MARK: Tokens

  /// Requests a token with the fields of a grant.
  ///
  /// - Returns: The token, or the server's refusal.
  private func token(
    _ fields: [(String, String)], _ server: AuthorizationServer
  ) async throws(SignInError) -> Result<AccessToken, Refusal> {
    let start = now()
    let answer = try await post(server.tokenURL, fields, server)
    guard answer.status == 200 else {
      guard (400..<500).contains(answer.status) else {
        throw .badResponse(host: answer.host, reason: "status \(answer.status)")
      }
      return .failure(Refusal(code: answer.json?["error"]?.string ?? "", answer: answer))
    }
    // Some servers report errors with status 200.
    if let code = answer.json?["error"]?.string { return .failure(Refusal(code: code, answer: answer)) }
    guard let json = answer.json, let value = json["access_token"]?.string, !value.isEmpty else {
      throw .badResponse(host: answer.host, reason: "no access_token")
    }
    guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw .badResponse(host: answer.host, reason: "an access_token with invalid characters")
    }
    if let type = json["token_type"]?.string, type.lowercased() != "bearer" {
      throw .badResponse(host: answer.host, reason: "a token of type '\(type)', which is not supported")
    }
    let lifetime = json["expires_in"].flatMap { $0.double ?? $0.string.flatMap(Double.init) }
    let expiry = lifetime.flatMap { (0...1e10).contains($0) ? start + Int($0) : nil }
    return .success(
      AccessToken(value, obtainedAt: start, expiresAt: expiry, refreshToken: json["refresh_token"]?.string))
  }

  /// A refusal of the token endpoint.
  struct Refusal: Error {
    var code: String
    var answer: Answer

    var error: SignInError { .refused(host: answer.host, reason: answer.reason) }
  }

  func clientCredentials(_ server: AuthorizationServer) async throws(SignInError) -> AccessToken {
    switch try await token([("grant_type", "client_credentials")] + client.target, server) {
    case .success(let token): return token
    case .failure(let refusal): throw refusal.error
    }
  }

  /// Exchanges a refresh token (RFC 6749, section 6). The new token keeps it if the server sends no other.
  ///
  /// - Returns: `nil` if the server does not accept the refresh token any more, with its reason.
  func refresh(
    _ refreshToken: String, _ server: AuthorizationServer
  ) async throws(SignInError) -> (token: AccessToken?, reason: String) {
    switch try await token([("grant_type", "refresh_token"), ("refresh_token", refreshToken)], server) {
    case .success(var token):
      token.refreshToken = token.refreshToken ?? refreshToken
      return (token, "")
    case .failure(let refusal):
      guard ["invalid_grant", "invalid_request", ""].contains(refusal.code) else { throw refusal.error }
      return (nil, refusal.answer.reason)
    }
  }

  // MARK: Device code

  func deviceAuthorization(
    _ server: AuthorizationServer, profile: String
  ) async throws(SignInError) -> DeviceAuthorization {
    guard let url = server.deviceURL else {
      throw .configuration(profile: profile, reason: "the issuer has no device_authorization_endpoint; set device-url")
    }
    let start = now()
    let answer = try await post(url, client.target, server)
    guard answer.status == 200, let json = answer.json else {
      throw .refused(host: answer.host, reason: answer.reason)
    }
    guard let authorization = DeviceAuthorization(json, at: start) else {
      throw .badResponse(host: answer.host, reason: "no device_code, user_code or verification_uri")
    }
    return authorization
  }

  /// Asks whether the user has entered the code (RFC 8628, section 3.4).
  func poll(
    _ authorization: DeviceAuthorization, _ server: AuthorizationServer, profile: String
  ) async throws(SignInError) -> DeviceAuthorization.Poll {
    let fields = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:device_code"), ("device_code", authorization.deviceCode),
    ]
    switch try await token(fields, server) {
    case .success(let token): return .token(token)
    case .failure(let refusal):
      switch refusal.code {
      case "authorization_pending": return .pending
      case "slow_down": return .slowDown
      case "expired_token": throw .codeExpired(profile: profile)
      case "access_denied": throw .declined(profile: profile)
      default: throw refusal.error
      }
    }
  }

  // MARK: Authorization code

  func exchange(
    _ code: String, of request: AuthorizationCodeRequest, _ server: AuthorizationServer
  ) async throws(SignInError) -> AccessToken {
    let fields = [
      ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", request.redirectURL),
      ("code_verifier", request.verifier),
    ]
    switch try await token(fields, server) {
    case .success(let token): return token
    case .failure(let refusal): throw refusal.error
    }
  }

  // MARK: Sign-out

  /// Revokes a token (RFC 7009). Returns whether the server has an endpoint for it and accepted.
  func revoke(_ token: AccessToken, _ server: AuthorizationServer) async throws(SignInError) -> Bool {
    guard let url = server.revocationURL else { return false }
    let (value, hint) =
      token.refreshToken.map { ($0, "refresh_token") } ?? (token.value, "access_token")
    return try await post(url, [("token", value), ("token_type_hint", hint)], server).status == 200
  }
}
