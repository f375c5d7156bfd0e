import CCurl
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The mailbox of the network thread: anyone may submit a command, one thread carries them out.
///
/// 1. The first request starts the thread; curl is not touched before.
/// 2. The thread takes all commands, lets curl work, reports what ended, and sleeps in `curl_multi_poll` until a
///    socket, a deadline or a command wakes it. With nothing under way it sleeps without end.
/// 3. When the transport is released, `close` ends the thread and with it all connections.
final class TransferEngine: Sendable {
  enum Command: Sendable {
    case start(HTTPRequest, TransferChannel, at: ContinuousClock.Instant)
    case open(
      UInt64, HTTPRequest, subprotocols: [String], @Sendable (WebSocketConnection.Event) -> Void,
      at: ContinuousClock.Instant)
    case sendText(UInt64, [UInt8])
    case sendPing(UInt64)
    case closeSocket(UInt64, code: Int, reason: String)
    case cancel(UInt64)
    case resume(UInt64)
    case expectEnd(UInt64, within: Duration)
  }

  private struct State {
    var commands: [Command] = []
    var isRunning = false
    var isClosing = false
    /// The address of curl's multi handle while the thread sleeps or works; `curl_multi_wakeup` may be called from
    /// any thread, and the lock keeps the handle from being freed under the caller.
    var multi: UInt = 0
    var lastID: UInt64 = 0
  }

  private let state = Mutex(State())
  private let onThreadEnd: (@Sendable () -> Void)?

  init(onThreadEnd: (@Sendable () -> Void)?) {
    self.onThreadEnd = onThreadEnd
  }

  func nextID() -> UInt64 {
    state.withLock { state in
      state.lastID += 1
      return state.lastID
    }
  }

  func submit(_ command: Command) {
    let mustStart = state.withLock { state -> Bool in
      if state.isClosing { return false }
      state.commands.append(command)
      if state.commands.count == 1 { Self.wake(state) }
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if mustStart, !startThread() { refuseAll() }
  }

  func close() {
    state.withLock { state in
      state.isClosing = true
      Self.wake(state)
    }
  }

  private static func wake(_ state: State) {
    if let multi = UnsafeMutableRawPointer(bitPattern: state.multi) { curl_multi_wakeup(multi) }
  }

  // MARK: The thread

  private func startThread() -> Bool {
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    let context = Unmanaged.passRetained(self)
    let code = pthread_create(&thread, nil, TransferEngine.main, context.toOpaque())
    guard code == 0 else {
      context.release()
      return false
    }
    #if canImport(Glibc)
      pthread_detach(thread)
    #else
      if let thread { pthread_detach(thread) }
    #endif
    return true
  }

  #if canImport(Glibc)
    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
      if let context { Unmanaged<TransferEngine>.fromOpaque(context).takeRetainedValue().run() }
      return nil
    }
  #else
    private static let main: @convention(c) (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? = { context in
      Unmanaged<TransferEngine>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }
  #endif

  private func run() {
    blockSignals()
    defer { onThreadEnd?() }
    guard CurlLibrary.isReady, let loop = TransferLoop() else {
      refuseAll()
      return
    }
    state.withLock { $0.multi = UInt(bitPattern: loop.multi) }
    while true {
      let (commands, isClosing) = state.withLock { state -> ([Command], Bool) in
        defer { state.commands.removeAll(keepingCapacity: true) }
        return (state.commands, state.isClosing)
      }
      for command in commands { loop.carryOut(command) }
      if isClosing { break }
      loop.work()
    }
    state.withLock { $0.multi = 0 }
    loop.close()
  }

  /// Signals are the business of the program's own threads; a write to a closed socket must not end the process.
  private func blockSignals() {
    var all = sigset_t()
    sigfillset(&all)
    pthread_sigmask(SIG_BLOCK, &all, nil)
  }

  private func refuseAll() {
    let commands = state.withLock { state -> [Command] in
      state.isClosing = true
      defer { state.commands = [] }
      return state.commands
    }
    let error = NetworkError.failed(host: "the network", reason: "the network thread cannot start")
    for command in commands {
      switch command {
      case .start(_, let channel, _): channel.finish(.failure(error))
      case .open(_, _, _, let receive, _): receive(.ended(.failed(error)))
      default: break
      }
    }
  }
}

/// curl's one-time initialization, done when the first request is made.
enum CurlLibrary {
  static let isReady = apus_curl_global_init() == CURLE_OK
}
