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
    for case .start(_, let channel, _) in commands {
      channel.finish(.failure(NetworkError.failed(host: "the network", reason: "the network thread cannot start")))
    }
  }
}

/// curl's one-time initialization, done when the first request is made.
enum CurlLibrary {
  static let isReady = apus_curl_global_init() == CURLE_OK
}

/// The network thread's own state: curl's multi handle, the transfers under way and the handles kept for the next.
final class TransferLoop {
  private static let keptHandles = 32

  let multi: UnsafeMutableRawPointer
  private var transfers: [UInt64: (transfer: Transfer, handle: UnsafeMutableRawPointer)] = [:]
  private var ids: [UnsafeMutableRawPointer: UInt64] = [:]
  private var spareHandles: [UnsafeMutableRawPointer] = []
  /// Channels with something new for their readers.
  private var noticed: [TransferChannel] = []

  init?() {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
  }

  func carryOut(_ command: TransferEngine.Command) {
    switch command {
    case .start(let request, let channel, let instant): start(request, channel, at: instant)
    case .cancel(let id): remove(id)
    case .resume(let id): transfers[id]?.transfer.letGo()
    case .expectEnd(let id, let limit): transfers[id]?.transfer.expectEnd(within: limit)
    }
  }

  private func start(_ request: HTTPRequest, _ channel: TransferChannel, at instant: ContinuousClock.Instant) {
    if channel.isCancelled { return }
    do throws(NetworkError) {
      let transfer = try Transfer(channel: channel, request: request, start: instant) { [unowned self] channel in
        if noticed.last !== channel { noticed.append(channel) }
      }
      guard let handle = spareHandles.popLast() ?? curl_easy_init() else {
        throw .failed(host: transfer.target.place, reason: "out of memory")
      }
      transfer.configure(handle)
      transfers[channel.id] = (transfer, handle)
      ids[handle] = channel.id
      curl_multi_add_handle(multi, handle)
    } catch {
      channel.finish(.failure(error))
    }
  }

  /// Lets curl do what can be done now, then sleeps until there is more.
  func work() {
    var running: Int32 = 0
    // A redirect adds a handle, which wants to be looked at (and may end) before the thread sleeps.
    repeat { curl_multi_perform(multi, &running) } while reportEnded()
    for channel in noticed { channel.flush() }
    noticed.removeAll(keepingCapacity: true)
    curl_multi_poll(multi, nil, 0, failOverdue(), nil)
  }

  private func reportEnded() -> Bool {
    var hasNew = false
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard apus_curl_message_is_done(message) != 0, let handle = message.pointee.easy_handle, let id = ids[handle],
        let transfer = transfers[id]?.transfer
      else { continue }
      switch transfer.complete(apus_curl_message_result(message)) {
      case .done: remove(id)
      case .again:
        curl_multi_remove_handle(multi, handle)
        curl_easy_reset(handle)
        transfer.configure(handle)
        curl_multi_add_handle(multi, handle)
        hasNew = true
      }
    }
    return hasNew
  }

  /// Fails what is overdue and returns the milliseconds until the next deadline.
  private func failOverdue() -> Int32 {
    var next: ContinuousClock.Instant?
    let now = ContinuousClock.now
    for (id, entry) in transfers {
      guard let (instant, error) = entry.transfer.deadline() else { continue }
      if instant <= now {
        entry.transfer.channel.finish(.failure(error))
        remove(id)
      } else {
        next = next.map { min($0, instant) } ?? instant
      }
    }
    guard let next else { return .max }
    let (seconds, attoseconds) = now.duration(to: next).components
    // Rounded up: waking a moment early would spin through the loop once more.
    return Int32(clamping: seconds * 1000 + attoseconds / 1_000_000_000_000_000 + 1)
  }

  /// Takes a transfer from curl; if it is not over, its connection (or HTTP/2 stream) is closed by this.
  private func remove(_ id: UInt64) {
    guard let entry = transfers.removeValue(forKey: id) else { return }
    ids[entry.handle] = nil
    curl_multi_remove_handle(multi, entry.handle)
    if spareHandles.count < Self.keptHandles {
      curl_easy_reset(entry.handle)
      spareHandles.append(entry.handle)
    } else {
      curl_easy_cleanup(entry.handle)
    }
  }

  func close() {
    for (_, entry) in transfers {
      entry.transfer.channel.finish(.failure(CancellationError()))
      curl_multi_remove_handle(multi, entry.handle)
      curl_easy_cleanup(entry.handle)
    }
    transfers = [:]
    for handle in spareHandles { curl_easy_cleanup(handle) }
    curl_multi_cleanup(multi)
  }
}
