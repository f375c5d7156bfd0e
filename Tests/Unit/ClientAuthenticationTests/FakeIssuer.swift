import Synchronization

@testable import ApusClientAuthentication

/// An authorization server as values.
final class FakeIssuer: TokenIssuer {
  enum Answer: Sendable {
    case token(lifetime: Int)
    case refusal
    case failure(SignInError)
  }

  struct State {
    var refresh = Answer.refusal
    /// The answer to a request without the user; nil if the user must take part.
    var first: Answer?
    var requests: [String] = []
    var time = 1000
    var count = 0
  }

  let state: Mutex<State>

  init(refresh: Answer = .refusal, first: Answer? = nil) {
    state = Mutex(State(refresh: refresh, first: first))
  }

  var requests: [String] { state.withLock { $0.requests } }
  var time: Int {
    get { state.withLock { $0.time } }
    set { state.withLock { $0.time = newValue } }
  }

  private func answer(_ answer: Answer, _ request: String) throws(SignInError) -> AccessToken? {
    let (time, number) = state.withLock { state in
      state.requests.append(request)
      state.count += 1
      return (state.time, state.count)
    }
    switch answer {
    case .token(let lifetime):
      return AccessToken("new\(number)", obtainedAt: time, expiresAt: time + lifetime, refreshToken: "rotated\(number)")
    case .refusal: return nil
    case .failure(let error): throw error
    }
  }

  func token() async throws(SignInError) -> AccessToken? {
    guard let first = state.withLock({ $0.first }) else { return nil }
    return try answer(first, "token")
  }

  func refresh(_ refreshToken: String) async throws(SignInError) -> (token: AccessToken?, reason: String) {
    (try answer(state.withLock { $0.refresh }, "refresh \(refreshToken)"), "invalid_grant")
  }

  func revoke(_ token: AccessToken) async throws(SignInError) -> Bool {
    state.withLock { $0.requests.append("revoke \(token.value)") }
    return true
  }
}

/// A store that may fail, and counts its uses.
final class FakeStore: TokenStore {
  let signIn: Mutex<StoredSignIn?>
  let failure: SignInError?
  let place = "a test"
  let isPersistent = true

  init(_ signIn: StoredSignIn? = nil, failing failure: SignInError? = nil) {
    self.signIn = Mutex(signIn)
    self.failure = failure
  }

  func load() async throws(SignInError) -> StoredSignIn? { signIn.withLock { $0 } }
  func save(_ signIn: StoredSignIn) async throws(SignInError) {
    if let failure { throw failure }
    self.signIn.withLock { $0 = signIn }
  }
  func remove() async throws(SignInError) { signIn.withLock { $0 = nil } }
}
