import Synchronization

/// Writes of results that are given out before they are written: one after the other, in the order of the results.
///
/// 1. A write is held until its result has been dealt with: the next one is asked for, or nobody reads any more. What is
///    drawn first has the machine for itself.
/// 2. From then on it is made beside whatever the request does, whether or not anybody still reads.
final class LateWrites: Sendable {
  typealias Write = @Sendable () async throws -> Void

  /// What waits takes memory: with more than this, the next result waits too.
  private static let countLimit = 64
  private static let byteLimit = 8 << 20

  private struct State {
    var held: (write: Write, byteCount: Int)?
    var waiting: [(task: Task<Void, Never>, byteCount: Int)] = []

    /// Forgets a write that was made, and those before it.
    mutating func remove(through task: Task<Void, Never>) {
      guard let index = waiting.firstIndex(where: { $0.task == task }) else { return }
      waiting.removeFirst(index + 1)
    }
  }

  private let state = Mutex(State())
  private let failure = FirstFailure()

  deinit { start() }

  /// Takes the write of the result that is given out next; returns when there is room for it. For one task at a time.
  func add(byteCount: Int, _ write: @escaping Write) async {
    start()
    while let oldest = oldestInTheWay(of: byteCount) {
      await oldest.value
      state.withLock { $0.remove(through: oldest) }
    }
    state.withLock { $0.held = (write, byteCount) }
  }

  /// The result that was given out last has been dealt with.
  func start() {
    state.withLock { state in
      guard let held = state.held else { return }
      state.held = nil
      let before = state.waiting.last?.task
      let task = Task { [failure] in
        await before?.value
        do {
          try await held.write()
        } catch {
          failure.note(error)
        }
      }
      state.waiting.append((task, held.byteCount))
    }
  }

  /// Returns when all is written.
  func finish() async {
    start()
    while let last = state.withLock({ $0.waiting.last?.task }) {
      await last.value
      state.withLock { $0.remove(through: last) }
    }
  }

  /// Why something could not be written, once.
  func takeFailure() -> (any Error)? { failure.take() }

  private func oldestInTheWay(of byteCount: Int) -> Task<Void, Never>? {
    state.withLock { state in
      let bytes = state.waiting.reduce(byteCount) { $0 + $1.byteCount }
      return state.waiting.count >= Self.countLimit || bytes > Self.byteLimit ? state.waiting.first?.task : nil
    }
  }
}

/// Where the late writes of a request are, once it has some: most have none.
final class LateWritesPlace: Sendable {
  private let writes = Mutex<LateWrites?>(nil)

  var begun: LateWrites? { writes.withLock { $0 } }

  func begin() -> LateWrites {
    writes.withLock { writes in
      let begun = writes ?? LateWrites()
      writes = begun
      return begun
    }
  }
}

/// What first went wrong.
private final class FirstFailure: Sendable {
  private let error = Mutex<(any Error)?>(nil)

  func note(_ error: any Error) { self.error.withLock { $0 = $0 ?? error } }

  func take() -> (any Error)? {
    error.withLock { error in
      defer { error = nil }
      return error
    }
  }
}
