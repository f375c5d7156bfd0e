import Synchronization

/// The buffer between the network thread, which fills it, and the one task that reads it.
///
/// When more than `highWater` bytes wait, the thread is told to hold the transfer; it is let go again when the reader
/// has taken all but `lowWater` of them. So a slow reader costs bounded memory, and no thread ever waits for another.
final class TransferChannel: Sendable {
  static let highWater = 4 << 20
  static let lowWater = 1 << 20

  private struct State {
    var events: [HTTPEvent?] = []
    var head = 0
    var waitingBytes = 0
    var isHeld = false
    var isCancelled = false
    var outcome: Result<Void, any Error>?
    var reader: CheckedContinuation<HTTPEvent?, any Error>?
    var engine: TransferEngine?

    mutating func takeFirst() -> HTTPEvent? {
      guard head < events.count else { return nil }
      let event = events[head]
      events[head] = nil
      head += 1
      if head == events.count {
        events.removeAll(keepingCapacity: true)
        head = 0
      }
      if case .bytes(let chunk) = event { waitingBytes -= chunk.bytes.count }
      return event
    }
  }

  let id: UInt64
  private let state: Mutex<State>

  init(id: UInt64, engine: TransferEngine) {
    self.id = id
    state = Mutex(State(engine: engine))
  }

  var isCancelled: Bool {
    state.withLock { $0.isCancelled }
  }

  // MARK: The network thread's side

  /// Hands over an event. False when the transfer must be held before it may bring these bytes again.
  func offer(_ event: HTTPEvent, byteCount: Int = 0) -> Bool {
    let (accepted, reader) = state.withLock { state -> (Bool, CheckedContinuation<HTTPEvent?, any Error>?) in
      if state.isCancelled { return (true, nil) }
      if let reader = state.reader {
        state.reader = nil
        return (true, reader)
      }
      if byteCount > 0, state.waitingBytes > Self.highWater {
        state.isHeld = true
        return (false, nil)
      }
      state.events.append(event)
      state.waitingBytes += byteCount
      return (true, nil)
    }
    reader?.resume(returning: event)
    return accepted
  }

  /// Ends the stream; the first outcome stands. Events that wait are still read before it.
  func finish(_ outcome: Result<Void, any Error>) {
    let reader = state.withLock { state -> CheckedContinuation<HTTPEvent?, any Error>? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      state.engine = nil
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(with: outcome.map { nil })
  }

  // MARK: The reader's side

  func next() async throws -> HTTPEvent? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let (answer, letGo) = state.withLock { state -> (Result<HTTPEvent?, any Error>?, TransferEngine?) in
          if let event = state.takeFirst() {
            guard state.isHeld, state.waitingBytes <= Self.lowWater else { return (.success(event), nil) }
            state.isHeld = false
            return (.success(event), state.engine)
          }
          if let outcome = state.outcome { return (outcome.map { nil }, nil) }
          state.reader = continuation
          return (nil, nil)
        }
        letGo?.submit(.resume(id))
        if let answer { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancel()
    }
  }

  func cancel() {
    let (engine, reader) = state.withLock { state -> (TransferEngine?, CheckedContinuation<HTTPEvent?, any Error>?) in
      guard state.outcome == nil else { return (nil, nil) }
      state.isCancelled = true
      state.outcome = .failure(CancellationError())
      defer {
        state.engine = nil
        state.reader = nil
      }
      return (state.engine, state.reader)
    }
    engine?.submit(.cancel(id))
    reader?.resume(throwing: CancellationError())
  }
}
