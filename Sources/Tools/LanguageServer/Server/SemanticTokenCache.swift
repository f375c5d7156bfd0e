import Synchronization

/// The semantic tokens that clients have of open documents, so that only changes are sent.
final class SemanticTokenCache: Sendable {
  private struct Known {
    var id: Int
    var data: [Int]
  }

  private struct State {
    var lastID = 0
    var existing: [String: Known] = [:]
  }

  /// The maximum number of documents. For older ones, clients get all tokens again.
  private static let limit = 64

  private let state = Mutex(State())

  /// Stores the tokens of a document. Returns the ID of the result.
  func store(_ data: [Int], of uri: String) -> String {
    state.withLock { state in
      state.lastID += 1
      state.existing[uri] = Known(id: state.lastID, data: data)
      if state.existing.count > Self.limit, let oldest = state.existing.min(by: { $0.value.id < $1.value.id }) {
        state.existing[oldest.key] = nil
      }
      return "\(state.lastID)"
    }
  }

  /// Returns the tokens of a result; nil unless it is the document's newest.
  func tokens(of uri: String, result: String) -> [Int]? {
    state.withLock { state in
      state.existing[uri].flatMap { "\($0.id)" == result ? $0.data : nil }
    }
  }

  func remove(_ uri: String) { state.withLock { $0.existing[uri] = nil } }
}
