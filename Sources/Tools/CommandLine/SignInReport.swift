import ApusClientAuthentication
import ApusConfiguration
import ApusExplorerPersistence
import ApusSecrets

/// The state of a profile's credentials, without their content.
struct SignInReport: Sendable {
  /// The kind of the credentials, where they are, and when they expire.
  let words: String
  /// Whether the next request has credentials, as far as is known without a request.
  let isUsable: Bool

  /// Returns the reports of all profiles with `auth`, by name. Nothing is sent, and no command for a secret runs.
  static func all(_ arguments: ParsedArguments) async -> [String: SignInReport] {
    let settings = (try? Settings.load()) ?? Settings()
    let memory = MemoryTokenStores()
    var reports: [String: SignInReport] = [:]
    for profile in settings.profiles {
      guard let authentication = profile.authentication else { continue }
      reports[profile.name] = await report(of: profile, authentication, arguments, memory)
    }
    return reports
  }

  private static func report(
    of profile: Profile, _ authentication: Authentication, _ arguments: ParsedArguments, _ memory: MemoryTokenStores
  ) async -> SignInReport {
    let secrets = StandardStreams.secrets
    do {
      guard
        let signIn = try ProfileSignIn.of(
          profile, EndpointRequest.request(to: profile.url, secrets), arguments.environment, secrets, memory: memory)
      else { return try fixed(profile, authentication, arguments) }
      signIn.notes.hold()
      let kind = "auth: \(authentication.typeName)\(signIn.grantName)"
      let stored = try await signIn.signIn.store.load()
      let place = signIn.signIn.store.place
      guard let stored else {
        return signIn.needsUser
          ? SignInReport(words: "\(kind), not signed in; tokens would be \(place)", isUsable: false)
          : SignInReport(words: "\(kind), a token for each program", isUsable: true)
      }
      return described(stored.token, kind, place)
    } catch {
      return SignInReport(words: "auth: \(authentication.typeName): \(error)", isUsable: false)
    }
  }

  private static func described(_ token: AccessToken, _ kind: String, _ place: String) -> SignInReport {
    let now = HostSystem.now()
    let expiry: String
    switch token.expiresAt {
    case nil: expiry = "without an expiration time"
    case .some(let time) where time > now: expiry = "expires in \(LoginCommand.span(time - now))"
    case .some(let time): expiry = "expired \(LoginCommand.span(now - time)) ago"
    }
    let renewal = token.refreshToken == nil ? "" : ", renewed automatically"
    return SignInReport(
      words: "\(kind), token \(place), \(expiry)\(renewal)",
      isUsable: !token.isExpired(at: now) || token.refreshToken != nil)
  }

  /// Describes credentials that the configuration has. Commands are not run, because they may prompt for a password.
  private static func fixed(
    _ profile: Profile, _ authentication: Authentication, _ arguments: ParsedArguments
  ) throws -> SignInReport {
    let kind = "auth: \(authentication.typeName) in the header \(authentication.header)"
    let value = try profile.authenticationValue(
      process: arguments.environment, run: { (_) throws(SecretTextError) in "" })
    let isFromCommand = authentication.texts.contains(where: profile.runsCommand)
    guard let value, !isFromCommand else { return SignInReport(words: "\(kind), from a command", isUsable: true) }
    let token = AccessToken(String(value.dropFirst(authentication.prefix.count)), obtainedAt: 0)
    guard let time = token.expiresAt else { return SignInReport(words: kind, isUsable: true) }
    let now = HostSystem.now()
    let expiry =
      time > now ? "expires in \(LoginCommand.span(time - now))" : "expired \(LoginCommand.span(now - time)) ago"
    return SignInReport(words: "\(kind), \(expiry)", isUsable: time > now)
  }
}

extension ProfileSignIn {
  /// The grant in parentheses, for OAuth 2.
  fileprivate var grantName: String {
    switch kind {
    case .oauth(_, let grant): " (\(grant.rawValue))"
    case .operation: ""
    }
  }

  /// Whether the user has to sign in.
  fileprivate var needsUser: Bool {
    switch kind {
    case .oauth(_, let grant): grant.isInteractive
    case .operation: false
    }
  }
}
