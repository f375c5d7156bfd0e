import ApusClientAuthentication
import ApusClientNetwork
import ApusClientRequestChain
import ApusConfiguration
import ApusDigest
import ApusExplorerPersistence
import ApusSecrets
import Synchronization

/// The stores of sign-ins that are kept in memory, shared by the profiles of one program.
final class MemoryTokenStores: Sendable {
  private let stores = Mutex<[String: MemoryTokenStore]>([:])

  func store(of key: String) -> MemoryTokenStore {
    stores.withLock { stores in
      let store = stores[key] ?? MemoryTokenStore()
      stores[key] = store
      return store
    }
  }
}

/// The messages of a sign-in, which are printed, or held while the explorer uses the terminal.
final class SignInNotes: Sendable {
  private let held = Mutex<[String]?>(nil)

  /// Holds all further messages instead of printing them.
  func hold() { held.withLock { $0 = $0 ?? [] } }

  func add(_ text: String) {
    let isHeld = held.withLock { notes in
      notes?.append(text)
      return notes != nil
    }
    if !isHeld { StandardStreams.narrate("apus: \(text)") }
  }

  /// Returns the messages since the last call.
  func take() -> [String] {
    held.withLock { notes in
      defer { if notes != nil { notes = [] } }
      return notes ?? []
    }
  }
}

/// The sign-in of a profile whose credentials come from requests.
struct ProfileSignIn: Sendable {
  /// The way in which the user takes part.
  enum Kind: Sendable {
    case oauth(OAuthSignIn, OAuthSettings.Grant)
    case operation
  }

  let signIn: SignIn
  let kind: Kind
  let header: String
  let prefix: String
  let notes = SignInNotes()

  /// Returns the sign-in of a profile; `nil` if its credentials need none.
  ///
  /// - Parameter request: The endpoint's request, for its connection options.
  static func of(
    _ profile: Profile, _ request: HTTPRequest, _ environment: [String: String], _ secrets: SecretValues,
    memory: MemoryTokenStores
  ) throws(CommandError) -> ProfileSignIn? {
    guard let authentication = profile.authentication else { return nil }
    switch authentication.source {
    case .bearer, .basic, .apiKey, .command: return nil
    case .oauth(let settings):
      let issuer = oauth(profile, settings, request, environment, secrets)
      return try ProfileSignIn(
        profile, authentication, issuer, .oauth(issuer, settings.grant), settings.tokens, secrets, memory,
        key: settings.identity)
    case .operation(let operation):
      let issuer = OperationSignIn(profile, operation, request, environment, secrets)
      return try ProfileSignIn(
        profile, authentication, issuer, .operation, operation.tokens, secrets, memory,
        key: [operation.document, operation.token, Origin(url: profile.url)?.description ?? profile.url])
    }
  }

  private init(
    _ profile: Profile, _ authentication: Authentication, _ issuer: any TokenIssuer, _ kind: Kind,
    _ storage: TokenStorage, _ secrets: SecretValues, _ memory: MemoryTokenStores, key: [String]
  ) throws(CommandError) {
    self.kind = kind
    header = authentication.header
    prefix = authentication.prefix
    let owner = profile.signInOwner ?? profile.name
    let digest = SHA256Digest.hexadecimal(of: ([owner] + key).joined(separator: "\u{0}"))
    let name = "\(owner):\(digest.prefix(32))"
    let memory = memory.store(of: name)
    let report: @Sendable (String) -> Void = { [notes] in notes.add("'\(profile.name)': \($0)") }
    let store: any TokenStore =
      switch storage {
      case .memory: memory
      case .keyring: KeyringTokenStore(key: name, label: "Apus: \(owner)")
      case .automatic:
        AutomaticTokenStore(KeyringTokenStore(key: name, label: "Apus: \(owner)"), memory, report: report)
      case .commands(let store, let load): CommandTokenStore(storeCommand: store, loadCommand: load)
      }
    signIn = SignIn(
      profile: profile.name, issuer: issuer, store: store, origins: Self.origins(of: profile),
      lockPath: try Self.lockPath(digest, storage), now: HostSystem.now,
      noteToken: { [prefix] token in
        secrets.add(header: authentication.header, prefix + token.value, isLive: true)
        if let refresh = token.refreshToken { secrets.add(unsplit: refresh) }
      }, report: report)
  }

  /// The origins of the profiles that share the sign-in, this profile's first.
  private static func origins(of profile: Profile) -> [String] {
    let profiles = (try? Settings.load())?.profiles(sharingSignInOf: profile) ?? [profile]
    let origins = profiles.compactMap { Origin(url: $0.url)?.description }
    return origins.isEmpty ? [profile.url] : origins
  }

  /// Returns the path of an empty file, which programs lock while they renew a token.
  ///
  /// - Throws: Why the folder cannot be used, unless no other program has the tokens.
  private static func lockPath(_ digest: String, _ storage: TokenStorage) throws(CommandError) -> String? {
    let folder = UserFolders().state + "/sign-in"
    do throws(ConfigurationError) {
      try UserFile.makePrivateFolder(folder)
      try UserFile.checkOwn(folder)
    } catch {
      if storage == .memory { return nil }
      throw .file("\(error)")
    }
    return "\(folder)/\(digest.prefix(32)).lock"
  }

  private static func oauth(
    _ profile: Profile, _ settings: OAuthSettings, _ request: HTTPRequest, _ environment: [String: String],
    _ secrets: SecretValues
  ) -> OAuthSignIn {
    OAuthSignIn(
      profile: profile.name, settings, transport: HTTPTransport(),
      connection: connection(of: request, to: settings.issuer ?? settings.tokenURL ?? ""), now: HostSystem.now,
      client: { () async throws(SignInError) -> OAuthClient in
        try await client(of: profile, settings, environment, secrets)
      })
  }

  /// Returns the client with its secret, which may come from a command.
  private static func client(
    of profile: Profile, _ settings: OAuthSettings, _ environment: [String: String], _ secrets: SecretValues
  ) async throws(SignInError) -> OAuthClient {
    do {
      return try await CommandOutput.beside { run in
        var client = OAuthClient(id: try profile.resolved(settings.clientID, process: environment, run: run))
        if let secret = settings.clientSecret {
          let value = try profile.resolved(secret, process: environment, run: run)
          secrets.add(header: "client-secret", value, isLive: true)
          client.secret = value
        }
        return client
      }
    } catch let error as SecretTextError {
      throw .configuration(profile: profile.name, reason: "client-id, client-secret: \(error)")
    } catch {
      throw .cancelled
    }
  }

  /// The connection options for the authorization server. A client certificate and the consent to any certificate are
  /// for the endpoint's origin only.
  private static func connection(of request: HTTPRequest, to url: String) -> HTTPConnectionOptions {
    var options = HTTPConnectionOptions()
    options.proxy = request.connection.proxy
    options.isProxyInsecure = request.connection.isProxyInsecure
    options.proxyCertificateAuthorityFile = request.connection.proxyCertificateAuthorityFile
    options.certificateAuthorityFile = request.connection.certificateAuthorityFile
    if let origin = Origin(url: url), origin == Origin(url: request.url) {
      options.isInsecure = request.connection.isInsecure
      options.certificateFile = request.connection.certificateFile
      options.keyFile = request.connection.keyFile
    }
    return options
  }

  /// The header field of the sign-in for a request chain.
  var field: RenewableHeaders.SignInField {
    RenewableHeaders.SignInField(
      name: header, isOutdated: { newest in signIn.needsRenewal || newest != signIn.currentValue.map { prefix + $0 } },
      value: { isRejected in prefix + (try await signIn.token(isRejected: isRejected)).value })
  }
}

extension OAuthSettings {
  /// Settings that select a sign-in: with others, another token is needed.
  fileprivate var identity: [String] {
    [
      grant.rawValue, issuer ?? "", tokenURL ?? "", deviceURL ?? "", authorizationURL ?? "", clientID.source,
      scopes.joined(separator: " "), audience ?? "",
    ]
  }
}

extension CommandError {
  /// Creates the failure for an error that has its own exit code; `nil` for others.
  init?(_ error: any Error) {
    switch error {
    case let failure as CommandError: self = failure
    case SignInError.cancelled, is CancellationError: self = .interrupted
    case let failure as SignInError:
      self.init(exitCode: ExitCode(rawValue: failure.exitCode) ?? .networkError, message: "\(failure)")
    default: return nil
    }
  }
}
