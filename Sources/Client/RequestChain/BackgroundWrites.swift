import Synchronization

/// Writes results that were emitted before they are written, one after another in the order of the results.
///
/// 1. A write is held until its result was processed, that is, until the next one is requested or the reader is gone,
///    so that it does not compete with the processing.
/// 2. After that it runs alongside the request, with or without a reader.
final class BackgroundWrites: Sendable {
  typealias Write = @Sendable () async throws -> Void

  /// Pending writes need memory: beyond these limits, the next result waits.
  private static let countLimit = 64
  private static let byteLimit = 8 << 20

  private struct State {
    var held: (write: Write, byteCount: Int)?
    var waiting: [(task: Task<Void, Never>, byteCount: Int)] = []

    /// Removes a finished write and those before it.
    mutating func remove(through task: Task<Void, Never>) {
      guard let index = waiting.firstIndex(where: { $0.task == task }) else { return }
      waiting.removeFirst(index + 1)
    }
  }

  private let state = Mutex(State())
  private let failure = FirstFailure()

  deinit { start() }

  /// Adds the write of the next result to be emitted. Returns when the limits allow it. Must be called by one task at
  /// a time.
  func add(byteCount: Int, _ write: @escaping Write) async {
    start()
    while let oldest = oldestInTheWay(of: byteCount) {
      await oldest.value
      state.withLock { $0.remove(through: oldest) }
    }
    state.withLock { $0.held = (write, byteCount) }
  }

  /// Starts the write of the last emitted result, which was processed.
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
          failure.record(error)
        }
      }
      state.waiting.append((task, held.byteCount))
    }
  }

  /// Returns when everything is written.
  func finish() async {
    start()
    while let last = state.withLock({ $0.waiting.last?.task }) {
      await last.value
      state.withLock { $0.remove(through: last) }
    }
  }

  /// Returns the first write error, once.
  func takeFailure() -> (any Error)? { failure.dequeue() }

  private func oldestInTheWay(of byteCount: Int) -> Task<Void, Never>? {
    state.withLock { state in
      let bytes = state.waiting.reduce(byteCount) { $0 + $1.byteCount }
      return state.waiting.count >= Self.countLimit || bytes > Self.byteLimit ? state.waiting.first?.task : nil
    }
  }
}

/// The late writes of a request, created when needed: most requests have none.
final class BackgroundWritesKey: Sendable {
  private let writes = Mutex<BackgroundWrites?>(nil)

  var begun: BackgroundWrites? { writes.withLock { $0 } }

  func begin() -> BackgroundWrites {
    writes.withLock { writes in
      let begun = writes ?? BackgroundWrites()
      writes = begun
      return begun
    }
  }
}

/// The first error that was recorded.
private final class FirstFailure: Sendable {
  private let error = Mutex<(any Error)?>(nil)

  func record(_ error: any Error) { self.error.withLock { $0 = $0 ?? error } }

  func dequeue() -> (any Error)? {
    error.withLock { error in
      defer { error = nil }
      return error
    }
  }
}
