import ApusAlgorithms
import ApusClientAuthentication
import ApusExplorerCore
import ApusExplorerEnvironment
import ApusExplorerPersistence
import Synchronization

/// The sign-in at an endpoint of the explorer, whose dialog shows each step.
struct ExplorerSignIn: Sendable {
  let signIn: ProfileSignIn
  private var profile: String { signIn.signIn.profile }

  /// Signs in, and returns a message about the result.
  func run(_ show: @escaping @Sendable (SignInStep) -> Void) async throws -> String {
    guard case .oauth(let issuer, _) = signIn.kind else {
      _ = try await signIn.signIn.token(isRejected: false)
      return "Signed in to \(profile)"
    }
    // Reading finds out whether there is a keyring, about which the dialog has a note.
    _ = try await signIn.signIn.store.load()
    let shown = StepDisplay(show)
    let ticking = Task { await shown.tick() }
    defer { ticking.cancel() }
    let token = try await issuer.signIn(
      receiver: { [profile] (port) throws(SignInError) in try LoopbackReceiver(port: port, profile: profile) },
      show: { present($0, on: shown) })
    try await signIn.signIn.accept(token)
    let expiry = token.expiresAt.map { "; the token expires in \(LoginCommand.span($0 - HostSystem.now()))" } ?? ""
    return "Signed in to \(profile); its tokens are \(signIn.signIn.store.place)\(expiry)"
  }

  func signOut() async throws -> String {
    try await signIn.signIn.signOut() ? "Signed out of \(profile)" : "Not signed in to \(profile)"
  }

  /// Shows the page and starts the browser. Without one, the step has the page as a QR code.
  private func present(_ prompt: SignInPrompt, on display: StepDisplay) {
    var step = SignInStep(profile: profile)
    step.notes = signIn.notes.take()
    let link: String
    switch prompt {
    case .code(let authorization):
      step.page = authorization.url
      step.code = authorization.userCode
      link = authorization.completeURL ?? authorization.url
    case .browser(let url):
      step.page = url
      link = url
    }
    display.show(step, expiresAt: prompt.expiry)
    // The browser may run until the user closes it.
    Task { [step] in
      guard let problem = await LinkOpener.open(link) else { return }
      var step = step
      step.notes.append("\(problem): open the page yourself.")
      if step.code != nil { step.symbol = QRCode(link)?.lines ?? [] }
      display.show(step, expiresAt: prompt.expiry)
    }
  }
}

extension SignInPrompt {
  fileprivate var expiry: Int? {
    switch self {
    case .code(let authorization): authorization.expiresAt
    case .browser: nil
    }
  }
}

/// Shows the current step, each second with the time left.
private final class StepDisplay: Sendable {
  private let send: @Sendable (SignInStep) -> Void
  private let current = Mutex<(step: SignInStep, expiresAt: Int?)?>(nil)

  init(_ send: @escaping @Sendable (SignInStep) -> Void) { self.send = send }

  func show(_ step: SignInStep, expiresAt: Int?) {
    current.withLock { $0 = (step, expiresAt) }
    sendCurrent()
  }

  func tick() async {
    while (try? await Task.sleep(for: .seconds(1))) != nil { sendCurrent() }
  }

  private func sendCurrent() {
    guard let current = current.withLock({ $0 }) else { return }
    var step = current.step
    step.secondsLeft = current.expiresAt.map { max(0, $0 - HostSystem.now()) }
    send(step)
  }
}
