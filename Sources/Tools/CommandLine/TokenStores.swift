import ApusClientAuthentication
import ApusConfiguration
import ApusProcesses
import ApusSecrets
import CApusSecretService
import Dispatch
import Synchronization

/// Runs blocking work outside Swift's task pool, which has only as many threads as processors.
private func onOwnThread<Value: Sendable>(
  _ work: @escaping @Sendable () -> Result<Value, SignInError>
) async throws(SignInError) -> Value {
  let result = await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: work()) }
  }
  return try result.get()
}

/// Keeps tokens in the keyring of the user's session.
struct KeyringTokenStore: TokenStore {
  /// The name of the sign-in.
  let key: String
  /// The name that a keyring manager shows.
  let label: String
  let place = "in the keyring"
  let isPersistent = true

  private static let messageSize = 256

  /// The reason why libsecret cannot be loaded; nil if it can.
  static var libraryFailure: String? { apus_keyring_failure().map { String(cString: $0) } }

  func load() async throws(SignInError) -> StoredSignIn? {
    let text: String? = try await onOwnThread { [key] in
      var message = [CChar](repeating: 0, count: Self.messageSize)
      let secret = apus_keyring_load(key, &message, message.count)
      defer { apus_keyring_free(secret) }
      guard let secret else { return Self.failure(message).map(Result.failure) ?? .success(nil) }
      return .success(String(cString: secret))
    }
    return text.flatMap(StoredSignIn.init)
  }

  func save(_ signIn: StoredSignIn) async throws(SignInError) {
    try await onOwnThread { [key, label, text = signIn.text] in
      Self.outcome { apus_keyring_store(key, label, text, $0, $1) }
    }
  }

  func remove() async throws(SignInError) {
    try await onOwnThread { [key] in Self.outcome { apus_keyring_remove(key, $0, $1) } }
  }

  private static func outcome(
    _ call: (UnsafeMutablePointer<CChar>?, Int) -> Int32
  ) -> Result<Void, SignInError> {
    var message = [CChar](repeating: 0, count: messageSize)
    let status = message.withUnsafeMutableBufferPointer { call($0.baseAddress, $0.count) }
    return status == 0 ? .success(()) : .failure(failure(message) ?? .noKeyring(reason: "unknown reason"))
  }

  private static func failure(_ message: [CChar]) -> SignInError? {
    let text = String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return text.isEmpty ? nil : .noKeyring(reason: text)
  }
}

/// Keeps tokens in the keyring, or in memory if there is none.
final class AutomaticTokenStore: TokenStore {
  private let keyring: KeyringTokenStore
  private let memory: MemoryTokenStore
  private let report: @Sendable (String) -> Void
  /// Whether the keyring was found not to work.
  private let usesMemory = Mutex(false)

  init(_ keyring: KeyringTokenStore, _ memory: MemoryTokenStore, report: @escaping @Sendable (String) -> Void) {
    self.keyring = keyring
    self.memory = memory
    self.report = report
  }

  private var current: any TokenStore { usesMemory.withLock { $0 } ? memory : keyring }
  var place: String { current.place }
  var isPersistent: Bool { current.isPersistent }

  func load() async throws(SignInError) -> StoredSignIn? {
    if usesMemory.withLock({ $0 }) { return try await memory.load() }
    do throws(SignInError) {
      return try await keyring.load()
    } catch {
      switchToMemory(error)
      return try await memory.load()
    }
  }

  func save(_ signIn: StoredSignIn) async throws(SignInError) {
    if usesMemory.withLock({ $0 }) { return try await memory.save(signIn) }
    do throws(SignInError) {
      try await keyring.save(signIn)
    } catch {
      switchToMemory(error)
      try await memory.save(signIn)
    }
  }

  func remove() async throws(SignInError) { try await current.remove() }

  private func switchToMemory(_ error: SignInError) {
    let isFirst = usesMemory.withLock { usesMemory in
      defer { usesMemory = true }
      return !usesMemory
    }
    guard isFirst, case .noKeyring(let reason) = error else { return }
    report("no keyring can be used (\(reason)), so the sign-in is kept in memory")
  }
}

/// Keeps tokens where two commands of the user's put them, such as a password manager.
struct CommandTokenStore: TokenStore {
  let storeCommand: String
  let loadCommand: String
  let place = "kept by store-command"
  let isPersistent = true

  /// The time for the user to unlock a password manager.
  private static let limit = Duration.seconds(120)

  func load() async throws(SignInError) -> StoredSignIn? {
    // A password manager fails if it has no entry.
    let text: String? = try await onOwnThread { [loadCommand] in
      .success(try? CommandOutput.of(loadCommand))
    }
    return text.flatMap(StoredSignIn.init)
  }

  func save(_ signIn: StoredSignIn) async throws(SignInError) { try await store(signIn.text) }

  /// A command cannot remove an entry, so that an empty sign-in replaces it.
  func remove() async throws(SignInError) {
    if try await load() != nil { try await store("{}") }
  }

  private func store(_ text: String) async throws(SignInError) {
    try await onOwnThread { [storeCommand] in
      let isStored = ChildInput.send(
        Array("\(text)\n".utf8), to: "/bin/sh", ["-c", storeCommand], within: Self.limit)
      return isStored
        ? .success(()) : .failure(.commandFailed("the store-command '\(printable(storeCommand))' failed"))
    }
  }
}
