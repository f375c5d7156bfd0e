import ApusClientNetwork
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientAuthentication

/// The situations of `Docs/Explanation/SignIn.md`, "When a token is needed".
@Suite(.timeLimit(.minutes(1))) struct SignInTests {
  private static let origin = "https://birds.example"
  private static let lost = SignInError.network(.connectionRefused(host: "id.example"))

  private static func signIn(
    _ issuer: FakeIssuer, _ store: any TokenStore, origins: [String] = [origin], lock: String? = nil,
    report: @escaping @Sendable (String) -> Void = { _ in }
  ) -> SignIn {
    SignIn(
      profile: "birds", issuer: issuer, store: store, origins: origins, lockPath: lock, now: { issuer.time },
      noteToken: { _ in }, report: report)
  }

  private static func stored(
    _ value: String = "old", expiresIn lifetime: Int? = 3600, refresh: String? = "rt", origins: [String] = [origin]
  ) -> StoredSignIn {
    StoredSignIn(
      AccessToken(value, obtainedAt: 1000, expiresAt: lifetime.map { 1000 + $0 }, refreshToken: refresh),
      origins: origins)
  }

  private struct Situation {
    var name: String
    var stored: StoredSignIn?
    /// The seconds since the stored token was issued.
    var age = 0
    var isRejected = false
    var refresh = FakeIssuer.Answer.token(lifetime: 3600)
    var first: FakeIssuer.Answer?
    var value: String?
    var error: SignInError?
    var requests: [String] = []
    /// The token that the store has afterwards.
    var kept: String?
  }

  private static let ended = SignInError.ended(profile: "birds", reason: "invalid_grant")

  private static let situations = [
    Situation(name: "missing", error: .notSignedIn(profile: "birds")),
    Situation(
      name: "missing, client credentials", first: .token(lifetime: 9), value: "new1", requests: ["token"], kept: "new1"),
    Situation(
      name: "missing, server lost", first: .failure(lost), error: lost, requests: ["token"]),
    Situation(name: "valid", stored: stored(), value: "old", kept: "old"),
    Situation(name: "without expiry", stored: stored(expiresIn: nil), age: 1_000_000, value: "old", kept: "old"),
    Situation(
      name: "expiring", stored: stored(), age: 3550, value: "new1", requests: ["refresh rt"], kept: "new1"),
    Situation(
      name: "expiring, server lost", stored: stored(), age: 3550, refresh: .failure(lost), value: "old",
      requests: ["refresh rt"], kept: "old"),
    Situation(
      name: "expiring, refresh refused", stored: stored(), age: 3550, refresh: .refusal, value: "old",
      requests: ["refresh rt"], kept: "old"),
    Situation(
      name: "expiring, no refresh token", stored: stored(refresh: nil), age: 3550, value: "old", kept: "old"),
    Situation(
      name: "expired", stored: stored(), age: 3600, value: "new1", requests: ["refresh rt"], kept: "new1"),
    Situation(
      name: "expired, server lost", stored: stored(), age: 3600, refresh: .failure(lost), error: lost,
      requests: ["refresh rt"], kept: "old"),
    Situation(
      name: "expired, refresh refused", stored: stored(), age: 3600, refresh: .refusal, error: ended,
      requests: ["refresh rt"]),
    Situation(
      name: "expired, refresh refused, client credentials", stored: stored(), age: 3600, refresh: .refusal,
      first: .token(lifetime: 9), value: "new2", requests: ["refresh rt", "token"], kept: "new2"),
    Situation(
      name: "expired, no refresh token", stored: stored(refresh: nil), age: 3600,
      error: .ended(profile: "birds", reason: "the token has expired")),
    Situation(
      name: "rejected", stored: stored(), isRejected: true, value: "new1", requests: ["refresh rt"], kept: "new1"),
    Situation(
      name: "rejected, server lost", stored: stored(), isRejected: true, refresh: .failure(lost), error: lost,
      requests: ["refresh rt"], kept: "old"),
    Situation(
      name: "rejected, refresh refused", stored: stored(), isRejected: true, refresh: .refusal, error: ended,
      requests: ["refresh rt"]),
    Situation(
      name: "rejected, no refresh token", stored: stored(refresh: nil), isRejected: true,
      error: .ended(profile: "birds", reason: "the server rejects the token")),
    Situation(
      name: "other origin", stored: stored(origins: ["https://other.example"]),
      error: .otherOrigin(profile: "birds", origin: origin), kept: "old"),
  ]

  @Test func `each situation of a token has its request, result and stored token`() async throws {
    for situation in Self.situations {
      let issuer = FakeIssuer(refresh: situation.refresh, first: situation.first)
      let store = FakeStore(situation.stored)
      let signIn = Self.signIn(issuer, store)
      // A server can only reject a token that was sent before.
      if situation.isRejected { _ = try await signIn.token(isRejected: false) }
      issuer.time = 1000 + situation.age
      var value: String?
      var failure: SignInError?
      do throws(SignInError) {
        value = try await signIn.token(isRejected: situation.isRejected).value
      } catch {
        failure = error
      }
      #expect(value == situation.value, "\(situation.name)")
      #expect(failure == situation.error, "\(situation.name)")
      #expect(issuer.requests == situation.requests, "\(situation.name)")
      #expect(store.signIn.withLock { $0?.token.value } == situation.kept, "\(situation.name)")
    }
  }

  @Test func `a token in memory is used without reading the store`() async throws {
    let store = FakeStore(Self.stored())
    let signIn = Self.signIn(FakeIssuer(), store)
    #expect(signIn.needsRenewal)
    _ = try await signIn.token(isRejected: false)
    #expect(!signIn.needsRenewal)
    store.signIn.withLock { $0 = Self.stored("changed") }
    #expect(try await signIn.token(isRejected: false).value == "old")
  }

  @Test func `a failed renewal is not repeated with each request while the token is valid`() async throws {
    let issuer = FakeIssuer(refresh: .failure(Self.lost))
    let signIn = Self.signIn(issuer, FakeStore(Self.stored()))
    issuer.time = 4550
    for _ in 0..<3 { #expect(try await signIn.token(isRejected: false).value == "old") }
    #expect(issuer.requests.count == 1)
    issuer.time = 4580
    _ = try await signIn.token(isRejected: false)
    #expect(issuer.requests.count == 2)
  }

  @Test func `a token that another program renewed is used instead of renewing it again`() async throws {
    let issuer = FakeIssuer(refresh: .token(lifetime: 3600))
    let store = FakeStore(Self.stored())
    let signIn = Self.signIn(issuer, store)
    _ = try await signIn.token(isRejected: false)
    store.signIn.withLock { $0 = Self.stored("by another program", refresh: "rt2") }
    #expect(try await signIn.token(isRejected: true).value == "by another program")
    #expect(issuer.requests.isEmpty)
  }

  @Test func `programs that renew at the same time exchange each refresh token once`() async throws {
    let folder = try TemporaryFolder()
    let issuer = FakeIssuer(refresh: .token(lifetime: 3600))
    let store = FakeStore(Self.stored(expiresIn: 0))
    let values = try await withThrowingTaskGroup(of: String.self) { group in
      for _ in 0..<8 {
        group.addTask {
          try await Self.signIn(issuer, store, lock: folder.path("lock")).token(isRejected: false).value
        }
      }
      return try await group.reduce(into: Set<String>()) { $0.insert($1) }
    }
    #expect(values == ["new1"])
    #expect(issuer.requests == ["refresh rt"])
  }

  @Test func `a rotated refresh token is stored before the new token is used, and used next`() async throws {
    let issuer = FakeIssuer(refresh: .token(lifetime: 100))
    let store = FakeStore(Self.stored(expiresIn: 0))
    let signIn = Self.signIn(issuer, store)
    _ = try await signIn.token(isRejected: false)
    #expect(store.signIn.withLock { $0?.token.refreshToken } == "rotated1")
    issuer.time = 1100
    _ = try await signIn.token(isRejected: false)
    #expect(issuer.requests == ["refresh rt", "refresh rotated1"])
  }

  @Test func `a token that cannot be stored is used, and a message says so`() async throws {
    let messages = Mutex<[String]>([])
    let store = FakeStore(Self.stored(expiresIn: 0), failing: .noKeyring(reason: "locked"))
    let issuer = FakeIssuer(refresh: .token(lifetime: 3600))
    let signIn = Self.signIn(issuer, store) { text in messages.withLock { $0.append(text) } }
    #expect(try await signIn.token(isRejected: false).value == "new1")
    #expect(messages.withLock { $0.count } == 1)
  }

  @Test func `signing out removes the token and revokes it`() async throws {
    let issuer = FakeIssuer()
    let store = FakeStore(Self.stored())
    let signIn = Self.signIn(issuer, store)
    #expect(try await signIn.signOut())
    #expect(issuer.requests == ["revoke old"])
    #expect(store.signIn.withLock { $0 } == nil)
    #expect(try await !signIn.signOut())
    await #expect(throws: SignInError.notSignedIn(profile: "birds")) { try await signIn.token(isRejected: false) }
  }

  @Test func `a sign-in is for the origins of all profiles that share it`() async throws {
    let store = FakeStore()
    let first = Self.signIn(FakeIssuer(), store, origins: [Self.origin, "https://staging.example"])
    try await first.accept(AccessToken("shared", obtainedAt: 1000))
    let second = Self.signIn(FakeIssuer(), store, origins: ["https://staging.example", Self.origin])
    #expect(try await second.token(isRejected: false).value == "shared")
    let third = Self.signIn(FakeIssuer(), store, origins: ["https://elsewhere.example"])
    await #expect(throws: SignInError.otherOrigin(profile: "birds", origin: "https://elsewhere.example")) {
      try await third.token(isRejected: false)
    }
  }
}
