import ApusAlgorithms
import ApusClientAuthentication
import ApusConfiguration
import ApusExplorerEnvironment
import ApusExplorerPersistence
import ApusSecrets

/// `apus login` and `apus logout`: signs in to a profile and out again.
struct LoginCommand: Sendable {
  private let profile: Profile
  private let signIn: ProfileSignIn
  private let opensBrowser: Bool

  init(_ arguments: ParsedArguments) throws(CommandError) {
    let command = arguments.command.name
    let name = arguments.operands[0]
    let namedEndpoints = try NamedEndpoints()
    // An endpoint of a project needs trust, since its sign-in sends credentials.
    let found = try namedEndpoints.profile(named: name, isNamed: true, environment: arguments.environment)
    guard let profile = found else {
      if name.contains("://") { throw .usage("\(command) takes the name of a profile, not a URL", command: command) }
      throw namedEndpoints.unknown(name)
    }
    guard let authentication = profile.authentication else {
      throw CommandError(exitCode: .usageError, message: "the profile '\(name)' has no auth; see 'apus help sign-in'")
    }
    guard authentication.isSignIn else {
      throw CommandError(
        exitCode: .usageError,
        message: "the profile '\(name)' needs no \(command): its auth is of type \(authentication.typeName)")
    }
    self.profile = profile
    let reached = try EndpointRequest.reached(profile, arguments.environment, StandardStreams.secrets)
    guard let signIn = reached.signIn else {
      throw CommandError(exitCode: .usageError, message: "the profile '\(name)' has no sign-in")
    }
    self.signIn = signIn
    opensBrowser = !arguments.has("no-browser")
  }

  // MARK: Signing in

  func signIn() async throws(CommandError) -> ExitCode {
    do throws(SignInError) {
      let token: AccessToken
      switch signIn.kind {
      case .oauth(let issuer, let grant):
        if grant.isInteractive { try await requireStore() }
        token = try await issuer.signIn(
          receiver: { [profile] (port) throws(SignInError) in
            try LoopbackReceiver(port: port, profile: profile.name)
          }, show: show)
        try await signIn.signIn.accept(token)
      case .operation:
        token = try await signIn.signIn.token(isRejected: false)
      }
      let expiry = token.expiresAt.map { "; the token expires in \(Self.span($0 - HostSystem.now()))" } ?? ""
      StandardStreams.narrate(
        "apus: signed in to '\(profile.name)', its tokens are \(signIn.signIn.store.place)\(expiry)")
      return .success
    } catch {
      throw CommandError(error) ?? .interrupted
    }
  }

  /// Throws if the tokens would be lost when this command ends.
  private func requireStore() async throws(SignInError) {
    let store = signIn.signIn.store
    // Reading finds out whether there is a keyring.
    _ = try await store.load()
    guard !store.isPersistent else { return }
    throw .configuration(
      profile: profile.name,
      reason: "the tokens are kept in memory, which ends with this command; sign in within the explorer "
        + "('apus \(profile.name)'), or set 'tokens: keyring' or 'tokens: command'")
  }

  private func show(_ prompt: SignInPrompt) async {
    switch prompt {
    case .code(let authorization):
      let time = Self.span(authorization.expiresAt - HostSystem.now())
      StandardStreams.narrate(
        "apus: open \(authorization.url) and enter the code \(authorization.userCode) (expires in \(time))")
      openPage(authorization.completeURL ?? authorization.url, hasCode: true)
    case .browser(let url):
      StandardStreams.narrate("apus: sign in with a browser on this machine: \(url)")
      openPage(url, hasCode: false)
    }
  }

  /// Starts the browser without waiting for it, because it may run until the user closes it.
  private func openPage(_ url: String, hasCode: Bool) {
    Task {
      let problem = opensBrowser ? await LinkOpener.open(url) : ""
      guard let problem else { return }
      if !problem.isEmpty { StandardStreams.narrate("apus: \(problem): open the page yourself") }
      // The page of a code can be opened on a phone.
      guard hasCode, StandardStreams.errorIsTerminal else { return }
      for line in QRCode(url)?.lines ?? [] { StandardStreams.narrate(line) }
    }
  }

  /// Returns a duration in the largest unit that fits: "`59 s`", "`15 min`", "`8 h`".
  static func span(_ seconds: Int) -> String {
    switch seconds {
    case ..<0: "0 s"
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  // MARK: Signing out

  func signOut() async throws(CommandError) -> ExitCode {
    do throws(SignInError) {
      let wasSignedIn = try await signIn.signIn.signOut()
      StandardStreams.narrate("apus: \(wasSignedIn ? "signed out of" : "not signed in to") '\(profile.name)'")
      return .success
    } catch {
      throw CommandError(error) ?? .interrupted
    }
  }
}
