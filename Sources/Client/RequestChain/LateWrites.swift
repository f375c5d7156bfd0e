import Synchronization

/// Writes of results that were given out already: one after the other, in the order of the results, beside whatever the
/// request does meanwhile. They are made whether or not anybody still reads the results.
final class LateWrites: Sendable {
  /// What waits takes memory: with more than this, the next result waits too.
  private static let countLimit = 64
  private static let byteLimit = 8 << 20

  private struct State {
    var waiting: [(write: Task<Void, Never>, byteCount: Int)] = []
    var failure: (any Error)?
  }

  private let state = Mutex(State())

  /// Takes a write to be made; returns when there is room for the next. For one task at a time.
  func add(byteCount: Int, _ write: @escaping @Sendable () async throws -> Void) async {
    while let oldest = oldestInTheWay(of: byteCount) {
      await oldest.value
      state.withLock { _ = $0.waiting.removeFirst() }
    }
    state.withLock { state in
      let before = state.waiting.last?.write
      let task = Task {
        await before?.value
        do {
          try await write()
        } catch {
          self.state.withLock { $0.failure = $0.failure ?? error }
        }
      }
      state.waiting.append((task, byteCount))
    }
  }

  /// Returns when all is written.
  func finish() async {
    while let last = state.withLock({ $0.waiting.last?.write }) {
      await last.value
      state.withLock { $0.waiting = [] }
    }
  }

  /// Why something could not be written, once.
  func takeFailure() -> (any Error)? {
    state.withLock { state in
      defer { state.failure = nil }
      return state.failure
    }
  }

  private func oldestInTheWay(of byteCount: Int) -> Task<Void, Never>? {
    state.withLock { state in
      let bytes = state.waiting.reduce(byteCount) { $0 + $1.byteCount }
      return state.waiting.count >= Self.countLimit || bytes > Self.byteLimit ? state.waiting.first?.write : nil
    }
  }
}
