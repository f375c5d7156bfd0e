import Synchronization

/// The semantic tokens that clients have of open documents, so that only changes are sent.
final class SemanticTokenCache: Sendable {
  private struct Known {
    var id: Int
    var data: [Int]
  }

  private struct State {
    var lastID = 0
    var results: [String: Known] = [:]
  }

  /// The maximum number of documents. For older ones, clients get all tokens again.
  private static let limit = 64

  private let state = Mutex(State())

  /// Stores the tokens of a document. Returns the ID of the result.
  func store(_ data: [Int], of uri: String) -> String {
    state.withLock { state in
      state.lastID += 1
      state.results[uri] = Known(id: state.lastID, data: data)
      if state.results.count > Self.limit, let oldest = state.results.min(by: { $0.value.id < $1.value.id }) {
        state.results[oldest.key] = nil
      }
      return "\(state.lastID)"
    }
  }

  /// Returns the tokens of a result; nil unless it is the document's newest.
  func tokens(of uri: String, result: String) -> [Int]? {
    state.withLock { state in
      state.results[uri].flatMap { "\($0.id)" == result ? $0.data : nil }
    }
  }

  func remove(_ uri: String) { state.withLock { $0.results[uri] = nil } }
}
