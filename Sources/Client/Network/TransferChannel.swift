import Synchronization

/// The source of a channel's events: curl's engine, or a replacement for the network.
protocol TransferDriver: AnyObject, Sendable {
  /// Lets a waiting reader's thread do the work for a moment.
  func drive(for channel: TransferChannel)
  func submit(_ command: TransferEngine.Command)
}

/// The buffer between the network thread, which fills it, and its single reader.
///
/// If more than `highWater` bytes are waiting, the transfer is paused, until no more than `lowWater` bytes are left. A
/// slow reader therefore uses bounded memory, and no thread waits for another.
final class TransferChannel: Sendable {
  static let highWater = 4 << 20
  static let lowWater = 1 << 20

  /// A waiting reader. A class, because the layout of a continuation is known only at run time, which would slow down
  /// `State`.
  private final class Reader: Sendable {
    let continuation: CheckedContinuation<HTTPEvent?, any Error>
    init(_ continuation: CheckedContinuation<HTTPEvent?, any Error>) { self.continuation = continuation }
  }

  /// The result of an attempt to read.
  private enum Answer {
    case event(HTTPEvent)
    /// An event, after which the transfer should resume.
    case lastBeforeMore(HTTPEvent, any TransferDriver)
    case end
    case failure(any Error)
    case nothing
  }

  private struct State {
    var events: [HTTPEvent?] = []
    var head = 0
    var waitingBytes = 0
    var isHeld = false
    var isCancelled = false
    var isOver = false
    var failure: (any Error)?
    var reader: Reader?
    var driver: (any TransferDriver)?

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

    mutating func dequeue() -> Answer {
      if let event = takeFirst() {
        guard isHeld, waitingBytes <= lowWater, let driver else { return .event(event) }
        isHeld = false
        return .lastBeforeMore(event, driver)
      }
      if let failure { return .failure(failure) }
      return isOver ? .end : .nothing
    }

    /// Removes and returns the waiting reader.
    mutating func takeReader() -> Reader? {
      defer { reader = nil }
      return reader
    }
  }

  let id: UInt64
  let request: HTTPRequest
  let start = ClockInstant.now
  /// Whether the URL is plain http.
  let isPlain: Bool
  private let state: Mutex<State>

  init(id: UInt64, request: HTTPRequest, driver: any TransferDriver) {
    self.id = id
    self.request = request
    isPlain = request.url.hasPrefix("http://")
    state = Mutex(State(driver: driver))
  }

  /// Whether the reader can continue without waiting.
  var isReady: Bool {
    state.withLock { $0.head < $0.events.count || $0.isOver }
  }

  var isCancelled: Bool {
    state.withLock { $0.isCancelled }
  }

  // MARK: The network thread's side

  /// Appends an event. The reader is woken by `flush`, once per read of the network. Returns false if the transfer must
  /// be paused, and offer these bytes again later unless they `mustFit`.
  func offer(_ event: HTTPEvent, byteCount: Int = 0, mustFit: Bool = false) -> Bool {
    state.withLock { state -> Bool in
      if state.isCancelled { return true }
      let isFull = byteCount > 0 && state.waitingBytes > Self.highWater
      if isFull {
        state.isHeld = true
        if !mustFit { return false }
      }
      // Most responses have a head, one chunk and an end.
      if state.events.capacity == 0 { state.events.reserveCapacity(4) }
      state.events.append(event)
      state.waitingBytes += byteCount
      return !isFull
    }
  }

  /// Wakes a waiting reader if there is an event.
  func flush() {
    let reader = state.withLock { state in
      state.head < state.events.count || state.isOver ? state.takeReader() : nil
    }
    if let reader { answer(reader.continuation) }
  }

  /// Ends the stream. Only the first call counts, and waiting events are read first.
  func finish(throwing failure: (any Error)? = nil) {
    let reader = state.withLock { state -> Reader? in
      guard !state.isOver else { return nil }
      state.isOver = true
      state.failure = failure
      state.driver = nil
      return state.takeReader()
    }
    if let reader { answer(reader.continuation) }
  }

  private func answer(_ reader: CheckedContinuation<HTTPEvent?, any Error>) {
    switch state.withLock({ $0.dequeue() }) {
    case .event(let event): reader.resume(returning: event)
    case .lastBeforeMore(let event, let driver):
      reader.resume(returning: event)
      driver.submit(.resume(id))
    case .failure(let error): reader.resume(throwing: error)
    case .end, .nothing: reader.resume(returning: nil)
    }
  }

  // MARK: The reader's side

  /// The result of a read without waiting.
  enum Poll {
    case event(HTTPEvent)
    case end
    case nothing
  }

  /// Returns an event without waiting. If the reader `mayDrive`, its thread first does network work for a moment.
  func nextNow(mayDrive: Bool) throws -> Poll {
    var answer = state.withLock { $0.dequeue() }
    if mayDrive, case .nothing = answer {
      // Outside the lock, because the driver acquires it for each event.
      state.withLock { $0.driver }?.drive(for: self)
      answer = state.withLock { $0.dequeue() }
    }
    switch answer {
    case .event(let event): return .event(event)
    case .lastBeforeMore(let event, let driver):
      driver.submit(.resume(id))
      return .event(event)
    case .end: return .end
    case .failure(let error): throw error
    case .nothing: return .nothing
    }
  }

  /// Waits for an event. A reader on an actor drives only here, off the actor, whose thread may be drawing.
  func nextLater(mayDrive: Bool) async throws -> HTTPEvent? {
    if mayDrive {
      switch try nextNow(mayDrive: true) {
      case .event(let event): return event
      case .end: return nil
      case .nothing: break
      }
    }
    return try await wait()
  }

  private func wait() async throws -> HTTPEvent? {
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isReady = state.withLock { state in
          if state.head < state.events.count || state.isOver { return true }
          state.reader = Reader(continuation)
          return false
        }
        if isReady { self.answer(continuation) }
      }
    } onCancel: {
      cancel()
    }
  }

  func expectEnd(within limit: Duration) {
    state.withLock { $0.driver }?.submit(.expectEnd(id, within: limit))
  }

  func cancel() {
    let (driver, reader) = state.withLock { state -> ((any TransferDriver)?, Reader?) in
      guard !state.isOver else { return (nil, nil) }
      state.isCancelled = true
      state.isOver = true
      state.failure = CancellationError()
      defer { state.driver = nil }
      return (state.driver, state.takeReader())
    }
    driver?.submit(.cancel(id))
    reader?.continuation.resume(throwing: CancellationError())
  }
}
