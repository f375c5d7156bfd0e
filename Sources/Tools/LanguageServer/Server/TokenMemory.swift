import Synchronization

/// The semantic tokens that a client has of its open texts, so that only what changed is sent again.
final class TokenMemory: Sendable {
  private struct Known {
    var id: Int
    var data: [Int]
  }

  private struct State {
    var lastID = 0
    var known: [String: Known] = [:]
  }

  /// Of more texts than anybody looks at, the oldest are forgotten: those clients get all tokens anew.
  private static let limit = 64

  private let state = Mutex(State())

  /// Remembers the tokens of a text; returns the name of this result.
  func keep(_ data: [Int], of uri: String) -> String {
    state.withLock { state in
      state.lastID += 1
      state.known[uri] = Known(id: state.lastID, data: data)
      if state.known.count > Self.limit, let oldest = state.known.min(by: { $0.value.id < $1.value.id }) {
        state.known[oldest.key] = nil
      }
      return "\(state.lastID)"
    }
  }

  /// The tokens that a text had in a result; nil where that is not the newest one.
  func tokens(of uri: String, result: String) -> [Int]? {
    state.withLock { state in
      state.known[uri].flatMap { "\($0.id)" == result ? $0.data : nil }
    }
  }

  func forget(_ uri: String) { state.withLock { $0.known[uri] = nil } }
}
