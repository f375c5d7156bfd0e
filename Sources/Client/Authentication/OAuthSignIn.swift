import ApusClientNetwork
import ApusConfiguration
import ApusSecrets
import Synchronization

/// A prompt for the user during a sign-in.
package enum SignInPrompt: Equatable, Sendable {
  /// The user enters a code on a page.
  case code(DeviceAuthorization)
  /// The user signs in on a page, which then redirects to this machine.
  case browser(url: String)
}

/// Tokens of an OAuth 2 server.
package struct OAuthSignIn: TokenIssuer {
  /// The server and the requests to it, with the resolved client.
  private struct Prepared: Sendable {
    let server: AuthorizationServer
    let requests: AuthorizationRequests
  }

  /// The server and requests, prepared at the first use.
  private final class Preparation: Sendable {
    let value = Mutex<Prepared?>(nil)
  }

  private let profile: String
  private let settings: OAuthSettings
  private let client: @Sendable () async throws(SignInError) -> OAuthClient
  private let transport: HTTPTransport
  private let connection: HTTPConnectionOptions
  private let now: @Sendable () -> Int
  private let wait: @Sendable (Duration) async throws -> Void
  private let preparation = Preparation()

  /// - Parameters:
  ///   - client: Returns the client with its secret, which may come from a command. Called before the first request.
  ///   - connection: The proxy and certificates for requests to the server.
  package init(
    profile: String, _ settings: OAuthSettings, transport: HTTPTransport, connection: HTTPConnectionOptions,
    now: @escaping @Sendable () -> Int,
    wait: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    client: @escaping @Sendable () async throws(SignInError) -> OAuthClient
  ) {
    self.profile = profile
    self.settings = settings
    self.client = client
    self.transport = transport
    self.connection = connection
    self.now = now
    self.wait = wait
  }

  /// Resolves the client and finds the server's URLs: those of the profile, and otherwise those of its issuer's metadata.
  private func prepared() async throws(SignInError) -> Prepared {
    if let prepared = preparation.value.withLock({ $0 }) { return prepared }
    var client = try await client()
    client.scopes = settings.scopes
    client.audience = settings.audience
    client.usesBasic = settings.clientAuthentication.map { $0 == .basic }
    let requests = AuthorizationRequests(transport: transport, connection: connection, client: client, now: now)
    var server = AuthorizationServer(tokenURL: settings.tokenURL ?? "")
    if let issuer = settings.issuer { server = try await requests.discover(issuer) }
    server.tokenURL = settings.tokenURL ?? server.tokenURL
    server.deviceURL = settings.deviceURL ?? server.deviceURL
    server.authorizationURL = settings.authorizationURL ?? server.authorizationURL
    let prepared = Prepared(server: server, requests: requests)
    preparation.value.withLock { $0 = prepared }
    return prepared
  }

  package func token() async throws(SignInError) -> AccessToken? {
    guard !settings.grant.isInteractive else { return nil }
    let prepared = try await prepared()
    return try await prepared.requests.clientCredentials(prepared.server)
  }

  package func refresh(_ refreshToken: String) async throws(SignInError) -> (token: AccessToken?, reason: String) {
    let prepared = try await prepared()
    return try await prepared.requests.refresh(refreshToken, prepared.server)
  }

  package func revoke(_ token: AccessToken) async throws(SignInError) -> Bool {
    let prepared = try await prepared()
    return try await prepared.requests.revoke(token, prepared.server)
  }

  /// Signs in with the user's help.
  ///
  /// - Parameters:
  ///   - receiver: Opens a port of this machine for the redirect.
  ///   - show: Shows the prompt, without waiting for the user.
  package func signIn(
    receiver: @Sendable (_ port: Int?) throws(SignInError) -> any RedirectReceiver,
    show: @Sendable (SignInPrompt) async -> Void
  ) async throws(SignInError) -> AccessToken {
    let prepared = try await prepared()
    switch settings.grant {
    case .clientCredentials: return try await prepared.requests.clientCredentials(prepared.server)
    case .deviceCode:
      let authorization = try await prepared.requests.deviceAuthorization(prepared.server, profile: profile)
      await show(.code(authorization))
      return try await token(for: authorization, prepared)
    case .authorizationCode:
      return try await tokenFromBrowser(prepared, try receiver(settings.redirectPort), show: show)
    }
  }

  private func token(
    for authorization: DeviceAuthorization, _ prepared: Prepared
  ) async throws(SignInError) -> AccessToken {
    var interval = authorization.interval
    while now() < authorization.expiresAt {
      do { try await wait(.seconds(interval)) } catch { throw SignInError.cancelled }
      do throws(SignInError) {
        switch try await prepared.requests.poll(authorization, prepared.server, profile: profile) {
        case .token(let token): return token
        case .pending: break
        case .slowDown: interval += 5
        }
      } catch {
        // A lost connection does not end the sign-in (RFC 8628, section 3.5).
        guard case .network(let failure) = error, failure.isTransportFailure else { throw error }
        interval = min(interval * 2, 60)
      }
    }
    throw .codeExpired(profile: profile)
  }

  private func tokenFromBrowser(
    _ prepared: Prepared, _ receiver: any RedirectReceiver, show: @Sendable (SignInPrompt) async -> Void
  ) async throws(SignInError) -> AccessToken {
    guard let page = prepared.server.authorizationURL else {
      throw .configuration(
        profile: profile, reason: "the issuer has no authorization_endpoint; set authorization-url")
    }
    let request = AuthorizationCodeRequest(page, prepared.requests.client, redirectURL: receiver.url)
    await show(.browser(url: request.url))
    let host = Origin(url: page)?.description ?? page
    let code = try await receiver.receive { [profile] (query) throws(SignInError) in
      try request.code(in: query, host: host, profile: profile)
    }
    return try await prepared.requests.exchange(code, of: request, prepared.server)
  }
}
