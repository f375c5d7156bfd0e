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
  /// Whether the request goes over plain HTTP.
  let isPlain: Bool
  private let state: Mutex<State>

  init(id: UInt64, engine: TransferEngine, isPlain: Bool) {
    self.id = id
    self.isPlain = isPlain
    state = Mutex(State(engine: engine))
  }

  /// Whether the reader need not wait.
  var isReady: Bool {
    state.withLock { $0.head < $0.events.count || $0.outcome != nil }
  }

  var isCancelled: Bool {
    state.withLock { $0.isCancelled }
  }

  // MARK: The network thread's side

  /// Puts an event into the buffer; the reader is woken by `flush`, once for all that one read of the network brought.
  /// False when the transfer must be held before it may bring these bytes again.
  func offer(_ event: HTTPEvent, byteCount: Int = 0) -> Bool {
    state.withLock { state -> Bool in
      if state.isCancelled { return true }
      if byteCount > 0, state.waitingBytes > Self.highWater {
        state.isHeld = true
        return false
      }
      state.events.append(event)
      state.waitingBytes += byteCount
      return true
    }
  }

  /// Gives a waiting reader the first event.
  func flush() {
    let (reader, event) = state.withLock { state -> (CheckedContinuation<HTTPEvent?, any Error>?, HTTPEvent?) in
      guard let reader = state.reader, let event = state.takeFirst() else { return (nil, nil) }
      state.reader = nil
      return (reader, event)
    }
    reader?.resume(returning: event)
  }

  /// Ends the stream; the first outcome stands. Events that wait are still read before it.
  func finish(_ outcome: Result<Void, any Error>) {
    let (reader, event) = state.withLock { state -> (CheckedContinuation<HTTPEvent?, any Error>?, HTTPEvent?) in
      guard state.outcome == nil else { return (nil, nil) }
      state.outcome = outcome
      state.engine = nil
      guard let reader = state.reader else { return (nil, nil) }
      state.reader = nil
      return (reader, state.takeFirst())
    }
    guard let reader else { return }
    if let event {
      reader.resume(returning: event)
    } else {
      reader.resume(with: outcome.map { nil })
    }
  }

  // MARK: The reader's side

  func next() async throws -> HTTPEvent? {
    if let answer = takeReady() { return try answer.get() }
    // Outside the lock, which the driver takes for each event.
    state.withLock { $0.engine }?.drive(for: self)
    if let answer = takeReady() { return try answer.get() }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        if let answer = takeReady(orWait: continuation) { continuation.resume(with: answer) }
      }
    } onCancel: {
      cancel()
    }
  }

  /// What is there for the reader; else, with a continuation, that is what waits.
  private func takeReady(
    orWait continuation: CheckedContinuation<HTTPEvent?, any Error>? = nil
  ) -> Result<HTTPEvent?, any Error>? {
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
    return answer
  }

  func expectEnd(within limit: Duration) {
    state.withLock { $0.engine }?.submit(.expectEnd(id, within: limit))
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
