import ApusDigest
import ApusJSON
import Synchronization

/// The documents that clients registered by SHA-256 hash (Apollo automatic persisted queries): the extension
/// `persistedQuery` is `{"version": 1, "sha256Hash": "ac8d…"}`.
final class PersistedQueryStore: Sendable {
  /// The error if a document cannot be found or registered.
  struct LookupError: Error {
    var message: String
    var code: String
  }

  /// The maximum size of all documents in bytes; further ones are not stored.
  private static let limit = 1 << 20

  private struct State {
    var documents: [String: String] = [:]
    var size = 0
  }

  private let state = Mutex(State())

  /// Returns the document of a request: its text, which is registered if the extension has its hash, or a registered
  /// text.
  func document(text: String?, extension value: JSONValue) throws(LookupError) -> String {
    guard value["version"]?.int == 1, let hash = value["sha256Hash"]?.string else {
      throw LookupError(
        message: "\"persistedQuery\" must have the version 1 and a \"sha256Hash\".",
        code: "PERSISTED_QUERY_NOT_SUPPORTED")
    }
    guard let text else {
      guard let document = state.withLock({ $0.documents[hash] }) else {
        throw LookupError(message: "PersistedQueryNotFound", code: "PERSISTED_QUERY_NOT_FOUND")
      }
      return document
    }
    guard SHA256Digest.hexadecimal(of: text) == hash else {
      throw LookupError(message: "\"sha256Hash\" is not the hash of \"query\".", code: "PERSISTED_QUERY_HASH_MISMATCH")
    }
    state.withLock { state in
      guard state.documents[hash] == nil, state.size + text.utf8.count <= Self.limit else { return }
      state.documents[hash] = text
      state.size += text.utf8.count
    }
    return text
  }
}
