import Synchronization

/// Gets tokens from a server.
package protocol TokenIssuer: Sendable {
  /// Returns a token without the user's help; `nil` if the user must take part.
  func token() async throws(SignInError) -> AccessToken?

  /// Exchanges a refresh token; no token and the server's reason if the server does not accept it any more.
  func refresh(_ refreshToken: String) async throws(SignInError) -> (token: AccessToken?, reason: String)

  /// Invalidates a token at the server. Returns whether the server confirmed it.
  func revoke(_ token: AccessToken) async throws(SignInError) -> Bool
}

/// The sign-in of a profile: its current token, which is renewed before it expires and after the server rejected it.
///
/// 1. A token in memory that is neither rejected nor about to expire is used.
/// 2. Otherwise this program takes the lock and reads the store. Another program may have renewed the token.
/// 3. The refresh token is exchanged, or the server gives a new token without the user.
/// 4. The new tokens are stored before they are used, because the server may accept each refresh token only once.
///
/// `Docs/Explanation/SignIn.md` has a table of all situations.
package final class SignIn: Sendable {
  private struct State {
    var token: AccessToken?
    /// The time until which a failed renewal is not tried again while the token is valid.
    var postponedUntil = 0
  }

  package let profile: String
  package let store: any TokenStore
  private let issuer: any TokenIssuer
  private let lockPath: String?
  private let origin: String
  private let origins: [String]
  private let now: @Sendable () -> Int
  private let noteToken: @Sendable (AccessToken) -> Void
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// - Parameters:
  ///   - origins: The origins of all profiles that share the sign-in, the one of this profile first.
  ///   - lockPath: The path of the lock that programs share; `nil` for a store of this program only.
  ///   - noteToken: Called with each token before it is used, so that it is hidden everywhere.
  ///   - report: Called with a message for the user.
  package init(
    profile: String, issuer: any TokenIssuer, store: any TokenStore, origins: [String], lockPath: String?,
    now: @escaping @Sendable () -> Int, noteToken: @escaping @Sendable (AccessToken) -> Void,
    report: @escaping @Sendable (String) -> Void
  ) {
    self.profile = profile
    self.issuer = issuer
    self.store = store
    self.origins = origins
    origin = origins.first ?? ""
    self.lockPath = lockPath
    self.now = now
    self.noteToken = noteToken
    self.report = report
  }

  /// Whether the next request needs another token than the current one.
  package var needsRenewal: Bool {
    let now = now()
    return state.withLock { state in
      guard let token = state.token else { return true }
      return token.needsRenewal(at: now) && (now >= state.postponedUntil || token.isExpired(at: now))
    }
  }

  /// The value of the current token; it may be another one than a request used, after the user signed in again.
  package var currentValue: String? { state.withLock { $0.token?.value } }

  /// Returns a valid token.
  ///
  /// - Parameter isRejected: Whether the server rejected the current token.
  package func token(isRejected: Bool) async throws(SignInError) -> AccessToken {
    let used = state.withLock { $0.token }
    if !isRejected, let used, !needsRenewal { return used }
    let lock = try await SignInLock.acquire(lockPath)
    defer { lock.release() }
    let stored = try await stored()
    guard let token = stored ?? used else { return try await first() }
    let isRejected = isRejected && token.value == used?.value
    if !isRejected, !token.needsRenewal(at: now()) { return use(token) }
    return try await renewed(token, isRejected: isRejected)
  }

  private func stored() async throws(SignInError) -> AccessToken? {
    guard let signIn = try await store.load() else { return nil }
    guard signIn.origins.contains(origin) else { throw .otherOrigin(profile: profile, origin: origin) }
    noteToken(signIn.token)
    return signIn.token
  }

  private func first() async throws(SignInError) -> AccessToken {
    guard let token = try await issuer.token() else { throw .notSignedIn(profile: profile) }
    return await keep(token)
  }

  private func renewed(_ token: AccessToken, isRejected: Bool) async throws(SignInError) -> AccessToken {
    let isUsable = !isRejected && !token.isExpired(at: now())
    var reason = isRejected ? "the server rejects the token" : "the token has expired"
    do throws(SignInError) {
      if let refreshToken = token.refreshToken {
        let answer = try await issuer.refresh(refreshToken)
        if let token = answer.token { return await keep(token) }
        reason = answer.reason
      }
      if let token = try await issuer.token() { return await keep(token) }
    } catch {
      guard isUsable, error != .cancelled else { throw error }
      let time = now() + 30
      state.withLock { $0.postponedUntil = time }
      return use(token)
    }
    if isUsable {
      let expiry = token.expiresAt ?? 0
      state.withLock { $0.postponedUntil = expiry }
      return use(token)
    }
    state.withLock { $0.token = nil }
    try await store.remove()
    throw .ended(profile: profile, reason: reason)
  }

  /// Stores a token that the user signed in for, and uses it.
  package func accept(_ token: AccessToken) async throws(SignInError) {
    let lock = try await SignInLock.acquire(lockPath)
    defer { lock.release() }
    noteToken(token)
    try await store.save(StoredSignIn(token, origins: origins))
    _ = use(token)
  }

  /// Removes the tokens and invalidates them at the server. Returns whether there were any.
  package func signOut() async throws(SignInError) -> Bool {
    let lock = try await SignInLock.acquire(lockPath)
    defer { lock.release() }
    let stored = try await store.load()
    let token = state.withLock { state in
      defer { state.token = nil }
      return state.token
    }
    try await store.remove()
    guard let token = stored?.token ?? token else { return false }
    noteToken(token)
    do throws(SignInError) {
      _ = try await issuer.revoke(token)
    } catch {
      report("the server did not confirm the sign-out: \(error)")
    }
    return true
  }

  /// Stores a token before it is used. If it cannot be stored, this program uses it anyway: the server may have invalidated
  /// the earlier one.
  private func keep(_ token: AccessToken) async -> AccessToken {
    noteToken(token)
    do throws(SignInError) {
      try await store.save(StoredSignIn(token, origins: origins))
    } catch {
      report("the new token is kept in memory only: \(error)")
    }
    return use(token)
  }

  private func use(_ token: AccessToken) -> AccessToken {
    state.withLock { $0.token = token }
    return token
  }
}
