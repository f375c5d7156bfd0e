import ApusPlatform
import Synchronization

/// The executor of `ScreenActor`. It runs jobs on one thread, which otherwise sleeps in `poll` until a job, key or
/// signal arrives.
///
/// 1. A program calls `run` on the thread for drawing, usually the main thread. The loop runs there until `body`
///    returns.
/// 2. Without such a call, as in tests, the first job starts a separate thread.
/// 3. A job from another thread is queued and wakes the poll through a pipe; a job from the loop itself needs no
///    wake-up.
package final class ScreenLoop: SerialExecutor {
  package static let shared = ScreenLoop()

  package typealias Action = @ScreenActor @Sendable () -> Void

  /// The readiness of a descriptor that is awaited.
  package enum Readiness: Sendable { case reading, writing }

  /// A descriptor to wait for; the action runs whenever it is ready.
  private struct Source: Sendable {
    var descriptor: Int32
    var readiness: Readiness
    var action: Action
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var thread: pthread_t?
    var isSleeping = false
    var sources: [Source] = []
    /// The time of an action on the loop, such as the timeout after Escape.
    var alarm: (deadline: ContinuousClock.Instant, action: Action)?
  }

  private let state = Mutex(State())
  private let wakeReader: Int32
  private let wakeWriter: Int32

  private init() {
    guard let pipe = FileDescriptor.pipe() else { preconditionFailure("no pipe for the screen's loop") }
    (wakeReader, wakeWriter) = pipe
    for end in [wakeReader, wakeWriter] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  // MARK: - Event sources

  package func addSource(
    _ descriptor: Int32, for readiness: Readiness = .reading, _ action: @escaping Action
  ) {
    state.withLock { $0.sources.append(Source(descriptor: descriptor, readiness: readiness, action: action)) }
    wake()
  }

  package func removeSource(_ descriptor: Int32, for readiness: Readiness = .reading) {
    state.withLock { state in
      state.sources.removeAll { $0.descriptor == descriptor && $0.readiness == readiness }
    }
  }

  /// Sets the only alarm, or clears it.
  package func setAlarm(after delay: Duration?, _ action: @escaping Action = {}) {
    state.withLock { $0.alarm = delay.map { (ContinuousClock.now + $0, action) } }
  }

  // MARK: - The executor

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let (wakes, starts) = state.withLock { state in
      state.jobs.append(job)
      let wakes = state.isSleeping
      state.isSleeping = false
      let starts = state.thread == nil
      // Reserves the thread, which the new one then replaces, so that no second one is started.
      if starts { state.thread = pthread_self() }
      return (wakes, starts)
    }
    if wakes { wake() }
    if starts { startThread() }
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  package func checkIsolated() {
    let isOnLoop = state.withLock { state in
      state.thread.map { pthread_equal($0, pthread_self()) != 0 } ?? false
    }
    precondition(isOnLoop, "this belongs to the screen's thread")
  }

  // MARK: - Running

  /// Runs the loop on the calling thread until `body`, a task on the screen actor, returns.
  package func run(_ body: @escaping @ScreenActor @Sendable () async -> Void) {
    state.withLock { state in
      precondition(state.thread == nil, "the screen's loop runs already")
      state.thread = pthread_self()
    }
    let isDone = Flag()
    Task { @ScreenActor in
      await body()
      isDone.set()
    }
    while !isDone.isSet { turn() }
    // Remaining jobs of other tasks run on a separate thread.
    let starts = state.withLock { state in
      state.thread = state.jobs.isEmpty ? nil : state.thread
      return !state.jobs.isEmpty
    }
    if starts { startThread() }
  }

  private func startThread() {
    let isStarted = SystemThread.start {
      let loop = ScreenLoop.shared
      loop.state.withLock { $0.thread = pthread_self() }
      while true { loop.turn() }
    }
    precondition(isStarted, "no thread for the screen's loop")
  }

  /// Runs one iteration: all waiting jobs, or sleeps and then handles the event that woke the loop.
  private func turn() {
    let jobs = state.withLock { state in
      defer { state.jobs = [] }
      return state.jobs
    }
    if !jobs.isEmpty {
      for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
      // Many jobs must not delay keys, so check the sources without sleeping.
      waitAndServe(timeout: 0)
      return
    }
    let timeout: Int32? = state.withLock { state in
      guard state.jobs.isEmpty else { return nil }
      state.isSleeping = true
      guard let alarm = state.alarm else { return -1 }
      let left = alarm.deadline - ContinuousClock.now
      return Int32(
        clamping: max(0, (left.components.attoseconds / 1_000_000_000_000_000) + 1 + left.components.seconds * 1000))
    }
    guard let timeout else { return }
    waitAndServe(timeout: timeout)
  }

  private func waitAndServe(timeout: Int32) {
    let sources = state.withLock { $0.sources }
    var polled = [pollfd(fd: wakeReader, events: Int16(POLLIN), revents: 0)]
    for source in sources {
      let events = Int16(source.readiness == .reading ? POLLIN : POLLOUT)
      polled.append(pollfd(fd: source.descriptor, events: events, revents: 0))
    }
    let count = poll(&polled, nfds_t(polled.count), timeout)
    let due: Action? = state.withLock { state in
      state.isSleeping = false
      guard let alarm = state.alarm, alarm.deadline <= ContinuousClock.now else { return nil }
      state.alarm = nil
      return alarm.action
    }
    if count > 0 {
      if polled[0].revents != 0 { drain() }
      for (index, source) in sources.enumerated() where polled[index + 1].revents != 0 {
        serve(source.action)
      }
    }
    if let due { serve(due) }
  }

  /// Runs an action of the screen actor. This is its thread, and none of its jobs is running.
  private func serve(_ action: @escaping Action) {
    typealias Plain = @Sendable () -> Void
    // The cast removes the isolation from the type. The caller is the loop between two jobs, so the isolation holds.
    let plain = unsafeBitCast(action, to: Plain.self)
    plain()
  }

  private func wake() {
    var byte: UInt8 = 1
    _ = write(wakeWriter, &byte, 1)
  }

  private func drain() {
    var bytes = [UInt8](repeating: 0, count: 64)
    while read(wakeReader, &bytes, bytes.count) > 0 {}
  }
}

/// A flag that a task sets and the loop reads.
private final class Flag: Sendable {
  private let value = Atomic(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}
