import ApusPlatform
import CApusCurl
import Dispatch
import Synchronization

/// Who drives curl: its own thread, or for a moment the reader of a response, so that a quick answer costs no change of
/// threads.
///
/// 1. The first request starts the thread; curl is not touched before.
/// 2. While nobody drives, a request is sent by the thread that asks for it, and its reader waits for the answer on the
///    spot, a few milliseconds at most.
/// 3. What takes longer is the thread's: it takes all commands, lets curl work, reports what ended, and sleeps in
///    `curl_multi_poll` until a socket, a deadline or a command wakes it; with nothing under way it lets go again.
/// 4. When the transport is released, `close` ends the thread and with it all connections.
final class TransferEngine: TransferDriver {
  enum Command: Sendable {
    case start(TransferChannel)
    case open(
      UInt64, HTTPRequest, subprotocols: [String], WebSocketFlow, @Sendable (WebSocketConnection.Event) -> Void,
      at: ClockInstant)
    case sendText(UInt64, [UInt8])
    case answer(UInt64, [UInt8])
    case sendPing(UInt64)
    case closeSocket(UInt64, code: Int, reason: String)
    case cancel(UInt64)
    case resume(UInt64)
    case expectEnd(UInt64, within: Duration)
  }

  private enum Driver { case nobody, thread, reader }

  /// The loop goes from driver to driver: only the one that `driver` names touches it, and that changes under the lock.
  private struct SharedLoop: @unchecked Sendable {
    let loop: TransferLoop
  }

  private struct State {
    var commands: [Command] = []
    var driver = Driver.nobody
    var loop: SharedLoop?
    var isRunning = false
    var isClosing = false
    /// Transfers are under way that nobody drives: their readers are about to.
    var hasTransfers = false
    /// A reader has waited long enough: the thread is to go on.
    var wantsThread = false
    /// Whether the thread looks by itself, every few milliseconds, for what nobody drives.
    var isWatching = false
    /// Counts what readers drive, so that the thread sees that they do.
    var driveCount = 0
    /// Below zero answers have been slow, and so many requests are left to the thread at once.
    var credit = 0
    /// How many that will be after the next wait in vain: twice as many each time, half as many after each answer in time.
    /// A busy machine makes one answer slow, a distant server all of them.
    var nextDebt = 1
    var lastID: UInt64 = 0
  }

  /// How long a reader drives before it leaves that to the thread. Longer than the system's own tick (4 ms on most Linux
  /// systems): a shorter wait has the processor's timer set anew, which on a virtual machine takes longer than the request.
  private static let readerPatience: Int32 = 5
  /// How many requests at most are left to the thread after one that was waited for in vain.
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
      if state.driver != .nobody, state.commands.count == 1 { state.loop?.loop.wake() }
      defer { state.isRunning = true }
      return (!state.isRunning, state.driver == .nobody)
    }
    if mustStart, !SystemThread.start({ self.run() }) { refuseAll() }
    if mustRing { bell.signal() }
  }

  func close() {
    state.withLock { state in
      state.isClosing = true
      if state.driver != .nobody { state.loop?.loop.wake() }
    }
    bell.signal()
  }

  // MARK: On the thread of who asks

  /// Starts a request: on this thread if nobody drives, so that it is on the wire at once.
  func start(_ channel: TransferChannel) {
    // A broken connection may raise a signal where TLS writes to it; the thread blocks signals, its callers do not.
    guard channel.isPlain, let shared = takeLoop(forNew: true) else { return submit(.start(channel)) }
    shared.loop.start(channel)
    shared.loop.perform()
    letGo(shared)
  }

  /// Drives until something is there for the reader of `channel`, or it becomes too long to wait for.
  func drive(for channel: TransferChannel) {
    guard channel.isPlain, let shared = takeLoop(forNew: false) else { return }
    let end = ClockInstant.now + .milliseconds(Int64(Self.readerPatience))
    var isReady = false
    repeat {
      shared.loop.wait(milliseconds: Self.readerPatience)
      shared.loop.perform()
      isReady = channel.isReady
    } while !isReady && ClockInstant.now < end && !hasCommands
    letGo(shared, after: isReady ? .answer : .waitInVain)
  }

  private var hasCommands: Bool { state.withLock { !$0.commands.isEmpty || $0.isClosing } }

  private func takeLoop(forNew isNew: Bool) -> SharedLoop? {
    state.withLock { state in
      guard state.isRunning, !state.isClosing, state.driver == .nobody, !state.wantsThread, state.commands.isEmpty,
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

  private func letGo(_ shared: SharedLoop, after drive: Drive = .start) {
    let mustRing = state.withLock { state in
      state.driver = .nobody
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
      guard state.driver == .nobody else { return state.isWatching ? .watch : .sleep }
      if state.isClosing {
        state.driver = .thread
        state.loop = nil
        return .end
      }
      if state.commands.isEmpty, !state.wantsThread {
        if state.hasTransfers { state.isWatching = true }
        return state.isWatching ? .watch : .sleep
      }
      return take(&state)
    }
  }

  private func take(_ state: inout State) -> Step {
    state.driver = .thread
    state.wantsThread = false
    state.isWatching = false
    defer { state.commands.removeAll(keepingCapacity: true) }
    return .drive(state.commands)
  }

  /// Works until nothing is under way any more.
  private func drive(_ loop: TransferLoop, _ first: [Command]) {
    var commands = first
    while true {
      for command in commands { loop.carryOut(command) }
      loop.perform()
      if loop.isBusy { loop.wait() }
      let goesOn = state.withLock { state in
        commands = state.commands
        state.commands.removeAll(keepingCapacity: true)
        if state.isClosing || commands.isEmpty && !loop.isBusy {
          state.commands = commands
          state.driver = .nobody
          state.hasTransfers = false
          // The next request may come soon: whoever sends it need not wake the thread for that.
          state.isWatching = !state.isClosing
          return false
        }
        return true
      }
      if !goesOn { return }
    }
  }

  /// Looks every few milliseconds whether someone has sent a request and does not wait for its answer; gives up when
  /// nothing has happened for a while.
  private func watch() {
    var quietCount = 0
    var lastCount = state.withLock { $0.driveCount }
    while quietCount < Self.watchCount {
      if bell.wait(timeout: .now() + Self.watchInterval) == .success { return }
      let isStale = state.withLock { state in
        let isStale = state.driver == .nobody && state.driveCount == lastCount
        quietCount = isStale ? quietCount + 1 : 0
        lastCount = state.driveCount
        if isStale, state.hasTransfers { state.wantsThread = true }
        return state.wantsThread
      }
      if isStale { return }
    }
    state.withLock { $0.isWatching = $0.hasTransfers }
  }

  /// Signals are the business of the program's own threads; a write to a closed socket must not end the process.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  /// Ends what was asked for, where no thread works. The next request begins anew: what was missing may be there by then.
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
      default: break
      }
    }
  }
}
