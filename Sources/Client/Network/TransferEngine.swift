import ApusPlatform
import CApusCurl
import Dispatch
import Synchronization

/// Runs curl on its own thread, or for a moment on the thread of a response's reader, so that a fast response needs no
/// thread switch.
///
/// 1. The first request starts the thread; curl is not used before.
/// 2. While no thread is driving, a request is sent on the caller's thread, and its reader waits for the response
///    there, for at most a few milliseconds.
/// 3. For longer transfers the thread takes over: it executes commands, lets curl work, reports results, and sleeps in
///    `curl_multi_poll` until a socket, deadline or command wakes it. When nothing is running it releases the loop.
/// 4. When the transport is released, `close` ends the thread and all connections.
final class TransferEngine: TransferDriver {
  enum Command: Sendable {
    case start(TransferChannel)
    case open(
      UInt64, HTTPRequest, subprotocols: [String], WebSocketFlowControl, @Sendable (WebSocketConnection.Event) -> Void,
      at: ClockInstant)
    case sendText(UInt64, [UInt8])
    case answer(UInt64, [UInt8])
    case sendPing(UInt64)
    case closeSocket(UInt64, code: Int, reason: String)
    case cancel(UInt64)
    case resume(UInt64)
    case expectEnd(UInt64, within: Duration)
  }

  private enum Driver { case unclaimed, thread, reader }

  /// Only the thread that `driver` names accesses the loop, and `driver` changes only under the lock.
  private struct SharedLoop: @unchecked Sendable {
    let loop: TransferLoop
  }

  private struct State {
    var commands: [Command] = []
    var driver = Driver.unclaimed
    var loop: SharedLoop?
    var isRunning = false
    var isClosing = false
    /// Whether transfers are running although no thread is driving, because their readers are about to.
    var hasTransfers = false
    /// Whether a reader stopped driving and the thread should continue.
    var wantsThread = false
    /// Whether the thread checks periodically for transfers that no thread drives.
    var isWatching = false
    /// The number of times that readers drove, so that the thread can see whether they do.
    var driveCount = 0
    /// If negative, responses have been slow, and this many further requests are left to the thread.
    var credit = 0
    /// The debt after the next futile wait: doubled after each one, halved after each response in time. A busy machine
    /// delays one response, a distant server all of them.
    var nextDebt = 1
    var lastID: UInt64 = 0
  }

  /// The time in milliseconds that a reader drives before the thread takes over. Longer than the timer tick of most
  /// Linux systems (4 ms), because a shorter timeout reprograms the timer, which on virtual machines can take longer
  /// than the request.
  private static let readerPatience: Int32 = 5
  /// The maximum number of requests that are left to the thread after a futile wait.
  private static let mostDebt = 16
  private static let watchInterval = DispatchTimeInterval.milliseconds(5)
  private static let watchCount = 8

  private let state = Mutex(State())
  private let bell = DispatchSemaphore(value: 0)
  private let limits: HTTPConnectionLimits
  private let onThreadEnd: (@Sendable () -> Void)?

  init(limits: HTTPConnectionLimits, onThreadEnd: (@Sendable () -> Void)?) {
    self.limits = limits
    self.onThreadEnd = onThreadEnd
  }

  func nextID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  func submit(_ command: Command) {
    let (mustStart, mustRing) = state.withLock { state -> (Bool, Bool) in
      if state.isClosing { return (false, false) }
      state.commands.append(command)
      if state.driver != .unclaimed, state.commands.count == 1 { state.loop?.loop.wake() }
      defer { state.isRunning = true }
      return (!state.isRunning, state.driver == .unclaimed)
    }
    if mustStart, !SystemThread.start({ self.run() }) { refuseAll() }
    if mustRing { bell.signal() }
  }

  func close() {
    state.withLock { state in
      state.isClosing = true
      if state.driver != .unclaimed { state.loop?.loop.wake() }
    }
    bell.signal()
  }

  // MARK: On the caller's thread

  /// Starts a request, on this thread if no thread is driving, so that it is sent immediately.
  func start(_ channel: TransferChannel) {
    // Writing TLS to a closed connection may raise SIGPIPE, which the network thread blocks but its callers do not.
    guard channel.isPlain, let shared = acquireLoop(forNew: true) else { return submit(.start(channel)) }
    shared.loop.start(channel)
    shared.loop.perform()
    release(shared)
  }

  /// Drives until the channel has an event or the reader's patience is over.
  func drive(for channel: TransferChannel) {
    guard channel.isPlain, let shared = acquireLoop(forNew: false) else { return }
    let end = ClockInstant.now + .milliseconds(Int64(Self.readerPatience))
    var isReady = false
    repeat {
      shared.loop.wait(milliseconds: Self.readerPatience)
      shared.loop.perform()
      isReady = channel.isReady
    } while !isReady && ClockInstant.now < end && !hasCommands
    release(shared, after: isReady ? .answer : .waitInVain)
  }

  private var hasCommands: Bool { state.withLock { !$0.commands.isEmpty || $0.isClosing } }

  private func acquireLoop(forNew isNew: Bool) -> SharedLoop? {
    state.withLock { state in
      guard state.isRunning, !state.isClosing, state.driver == .unclaimed, !state.wantsThread, state.commands.isEmpty,
        let loop = state.loop
      else { return nil }
      if state.credit < 0 {
        if isNew { state.credit += 1 }
        return nil
      }
      state.driver = .reader
      state.driveCount += 1
      return loop
    }
  }

  private enum Drive { case start, answer, waitInVain }

  private func release(_ shared: SharedLoop, after drive: Drive = .start) {
    let mustRing = state.withLock { state in
      state.driver = .unclaimed
      state.hasTransfers = shared.loop.isBusy
      switch drive {
      case .start: break
      case .answer: state.nextDebt = max(1, state.nextDebt / 2)
      case .waitInVain:
        state.credit = -state.nextDebt
        state.nextDebt = min(2 * state.nextDebt, Self.mostDebt)
        if state.hasTransfers { state.wantsThread = true }
      }
      return state.wantsThread || !state.commands.isEmpty || state.isClosing
        || state.hasTransfers && !state.isWatching
    }
    if mustRing { bell.signal() }
  }

  // MARK: The thread

  private func run() {
    blockSignals()
    apus_name_thread("apus-network")
    defer { onThreadEnd?() }
    guard CurlLibrary.isReady, let loop = TransferLoop(limits) else {
      refuseAll()
      return
    }
    let shared = SharedLoop(loop: loop)
    state.withLock { $0.loop = shared }
    while true {
      switch nextStep() {
      case .drive(let commands): drive(loop, commands)
      case .sleep: bell.wait()
      case .watch: watch()
      case .end:
        loop.close()
        return
      }
    }
  }

  private enum Step { case drive([Command]), sleep, watch, end }

  private func nextStep() -> Step {
    state.withLock { state in
      guard state.driver == .unclaimed else { return state.isWatching ? .watch : .sleep }
      if state.isClosing {
        state.driver = .thread
        state.loop = nil
        return .end
      }
      if state.commands.isEmpty, !state.wantsThread {
        if state.hasTransfers { state.isWatching = true }
        return state.isWatching ? .watch : .sleep
      }
      return nextStep(&state)
    }
  }

  private func nextStep(_ state: inout State) -> Step {
    state.driver = .thread
    state.wantsThread = false
    state.isWatching = false
    defer { state.commands.removeAll(keepingCapacity: true) }
    return .drive(state.commands)
  }

  /// Works until no transfer is running.
  private func drive(_ loop: TransferLoop, _ first: [Command]) {
    var commands = first
    while true {
      for command in commands { loop.execute(command) }
      loop.perform()
      if loop.isBusy { loop.wait() }
      let hasMore = state.withLock { state in
        commands = state.commands
        state.commands.removeAll(keepingCapacity: true)
        if state.isClosing || commands.isEmpty && !loop.isBusy {
          state.commands = commands
          state.driver = .unclaimed
          state.hasTransfers = false
          // The next request may follow soon, and should not need to wake the thread.
          state.isWatching = !state.isClosing
          return false
        }
        return true
      }
      if !hasMore { return }
    }
  }

  /// Checks every few milliseconds for a request without a waiting reader; stops after a period without any.
  private func watch() {
    var quietCount = 0
    var lastCount = state.withLock { $0.driveCount }
    while quietCount < Self.watchCount {
      if bell.wait(timeout: .now() + Self.watchInterval) == .success { return }
      let isStale = state.withLock { state in
        let isStale = state.driver == .unclaimed && state.driveCount == lastCount
        quietCount = isStale ? quietCount + 1 : 0
        lastCount = state.driveCount
        if isStale, state.hasTransfers { state.wantsThread = true }
        return state.wantsThread
      }
      if isStale { return }
    }
    state.withLock { $0.isWatching = $0.hasTransfers }
  }

  /// Blocks all signals on this thread. They are for the program's other threads, and SIGPIPE must not end the process.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Fails all commands because there is no library or no thread. The next request tries again, because the cause may
  /// be gone by then.
  private func refuseAll() {
    let commands = state.withLock { state -> [Command] in
      state.isRunning = false
      defer { state.commands = [] }
      return state.commands
    }
    let error =
      CurlLibrary.failure.map(NetworkError.missingLibrary)
      ?? .failed(host: "the network", reason: "the network thread cannot start")
    for command in commands {
      switch command {
      case .start(let channel): channel.finish(throwing: error)
      case .open(_, _, _, _, let receive, _): receive(.ended(.failed(error)))
      case .sendText, .answer, .sendPing, .closeSocket, .cancel, .resume, .expectEnd: break
      }
    }
  }
}
