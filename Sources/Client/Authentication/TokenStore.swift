import Synchronization

/// Keeps the tokens of one sign-in. Only this place has them; Apus writes them to no file.
package protocol TokenStore: Sendable {
  /// The place as the end of a sentence about the tokens: "in the keyring".
  var place: String { get }
  /// Whether the tokens outlive this program.
  var isPersistent: Bool { get }

  /// Returns the tokens; nil if there are none.
  func load() async throws(SignInError) -> StoredSignIn?
  func save(_ signIn: StoredSignIn) async throws(SignInError)
  func remove() async throws(SignInError)
}

/// Keeps tokens in the memory of this program.
package final class MemoryTokenStore: TokenStore {
  private let signIn = Mutex<StoredSignIn?>(nil)
  package let place = "in the memory of this program"
  package let isPersistent = false

  package init() {}

  package func load() async throws(SignInError) -> StoredSignIn? { signIn.withLock { $0 } }
  package func save(_ signIn: StoredSignIn) async throws(SignInError) { self.signIn.withLock { $0 = signIn } }
  package func remove() async throws(SignInError) { signIn.withLock { $0 = nil } }
}
