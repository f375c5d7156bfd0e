import CApusCurl

/// The state of the network thread: curl's multi handle, running transfers and WebSockets, and reusable handles.
///
/// Its tables are accessed in single operations and never across calls into a transfer or curl, so accesses cannot
/// overlap and are not checked.
final class TransferLoop {
  private static let keptHandles = 32

  let multi: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var transfers: [UInt64: Transfer] = [:]
  @exclusivity(unchecked) private var links: [UInt64: WebSocketTransfer] = [:]
  @exclusivity(unchecked) private var spareHandles: [CurlHandle] = []
  private var waiting: WaitingRequests
  private let news = ChannelNotifier()
  /// The read buffer of WebSockets.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  deinit { buffer.deallocate() }

  init?(_ limits: HTTPConnectionLimits) {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
    waiting = WaitingRequests(limits)
    // Keep as many idle connections as the limit allows.
    apus_curl_set_kept_connections(multi, limits.total)
  }

  func execute(_ command: TransferEngine.Command) {
    switch command {
    case .start(let channel): start(channel)
    case .cancel(let id):
      remove(id)
      links[id]?.cancel()
      removeLink(id)
    // WebSockets are processed in any case.
    case .resume(let id): transfers[id]?.resume()
    case .expectEnd(let id, let limit): transfers[id]?.expectEnd(within: limit)
    case .open(let id, let request, let subprotocols, let flow, let receive, let instant):
      open(id, request, subprotocols, flow, receive, at: instant)
    case .sendText(let id, let text): links[id]?.send(text)
    case .answer(let id, let text): links[id]?.answer(text)
    case .sendPing(let id): links[id]?.ping()
    case .closeSocket(let id, let code, let reason): links[id]?.close(code: code, reason: reason)
    }
  }

  func start(_ channel: TransferChannel) {
    if channel.isCancelled { return }
    do throws(NetworkError) {
      // Most requests run alone.
      if !transfers.isEmpty {
        let target = try TargetURL(parsing: channel.request.url)
        let host = WaitingRequests.Host(target, channel.request.connection)
        guard channel.request.isLongLived || waiting.isFree(host, among: transfers.values) else {
          return waiting.append(channel, host)
        }
      }
      try begin(channel, at: channel.start)
    } catch {
      channel.finish(throwing: error)
    }
  }

  private func begin(_ channel: TransferChannel, at instant: ClockInstant) throws(NetworkError) {
    let handle = try takeHandle(for: channel.request)
    let transfer = try Transfer(channel: channel, handle: handle, news: news, begun: instant)
    transfer.configure()
    transfers[channel.id] = transfer
    add(handle, channel.id)
  }

  /// Starts waiting requests for which a connection is free; returns whether there were any.
  private func startWaiting() -> Bool {
    guard !waiting.isEmpty else { return false }
    let startable = waiting.takeStartable(among: transfers.values)
    for channel in startable {
      do throws(NetworkError) {
        try begin(channel, at: .now)
      } catch {
        channel.finish(throwing: error)
      }
    }
    return !startable.isEmpty
  }

  private func open(
    _ id: UInt64, _ request: HTTPRequest, _ subprotocols: [String], _ flow: WebSocketFlowControl,
    _ receive: @escaping @Sendable (WebSocketConnection.Event) -> Void, at instant: ClockInstant
  ) {
    do throws(NetworkError) {
      let link = try WebSocketTransfer(
        request: request, subprotocols: subprotocols, handle: try takeHandle(for: request), flow: flow,
        start: instant, receive: receive)
      link.configure()
      links[id] = link
      add(link.handle, id)
    } catch {
      receive(.ended(.failed(error)))
    }
  }

  private func takeHandle(for request: HTTPRequest) throws(NetworkError) -> CurlHandle {
    guard let handle = spareHandles.popLast() ?? CurlHandle() else {
      throw .failed(host: request.redactedURL, reason: "out of memory")
    }
    return handle
  }

  private func add(_ handle: CurlHandle, _ id: UInt64) {
    apus_curl_set_id(handle.easy, id)
    curl_multi_add_handle(multi, handle.easy)
  }

  /// Whether anything is running.
  var isBusy: Bool { !transfers.isEmpty || !links.isEmpty || !waiting.isEmpty }

  /// Interrupts a wait. Thread-safe.
  func wake() { curl_multi_wakeup(multi) }

  /// Lets curl work and notifies readers.
  func perform() {
    var running: Int32 = 0
    // A redirect or a waiting request adds a handle, which must be processed before the thread sleeps.
    repeat { curl_multi_perform(multi, &running) } while reportEnded() || startWaiting()
    if news.mustPause {
      news.mustPause = false
      for transfer in transfers.values { transfer.pauseIfNeeded() }
    }
    news.flush()
    if links.isEmpty { return }
    for (id, link) in links {
      switch link.work(buffer) {
      case .working: break
      case .over: removeLink(id)
      case .redirected:
        curl_multi_remove_handle(multi, link.handle.easy)
        link.configure()
        add(link.handle, id)
      }
    }
  }

  /// Sleeps until a socket is ready, a deadline passes or another thread wakes it.
  func wait() { sleep(failOverdue()) }

  /// Sleeps for a time so short that deadlines can be ignored.
  func wait(milliseconds: Int32) { sleep(milliseconds) }

  private func sleep(_ milliseconds: Int32) {
    guard !links.isEmpty else {
      curl_multi_poll(multi, nil, 0, milliseconds, nil)
      return
    }
    var descriptors = links.values.filter { $0.socket >= 0 && $0.waitEvents != 0 }.map { link in
      curl_waitfd(fd: link.socket, events: link.waitEvents, revents: 0)
    }
    curl_multi_poll(multi, &descriptors, UInt32(descriptors.count), milliseconds, nil)
  }

  private func reportEnded() -> Bool {
    var hasNew = false
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard apus_curl_message_is_done(message) != 0, let handle = message.pointee.easy_handle else { continue }
      let id = apus_curl_get_id(handle)
      if !links.isEmpty, let link = links[id] {
        link.connected(apus_curl_message_result(message))
        continue
      }
      guard let transfer = transfers[id] else { continue }
      switch transfer.complete(apus_curl_message_result(message)) {
      case .done: remove(id)
      case .again:
        curl_multi_remove_handle(multi, handle)
        transfer.configure()
        add(transfer.handle, id)
        hasNew = true
      }
    }
    return hasNew
  }

  /// Fails overdue transfers and returns the milliseconds until the next deadline.
  private func failOverdue() -> Int32 {
    let now = ClockInstant.now
    var next = waiting.failOverdue(at: now)
    for (id, transfer) in transfers {
      guard let deadline = transfer.deadline() else { continue }
      if deadline.instant <= now {
        transfer.fail(at: deadline)
        remove(id)
      } else {
        next = next.map { min($0, deadline.instant) } ?? deadline.instant
      }
    }
    for (id, link) in links {
      guard let deadline = link.deadline() else { continue }
      if deadline.instant <= now {
        link.fail(at: deadline)
        removeLink(id)
      } else {
        next = next.map { min($0, deadline.instant) } ?? deadline.instant
      }
    }
    // Rounded up, because waking too early would cost another iteration.
    return next.map(now.milliseconds(to:)) ?? .max
  }

  /// Removes a transfer from curl. If it is incomplete, this closes its connection or HTTP/2 stream.
  private func remove(_ id: UInt64) {
    guard let transfer = transfers.removeValue(forKey: id) else { return }
    waiting.learn(from: transfer)
    release(transfer.handle)
  }

  /// Closes the connection of a WebSocket, which cannot be reused.
  private func removeLink(_ id: UInt64) {
    guard let link = links.removeValue(forKey: id) else { return }
    release(link.handle)
  }

  private func release(_ handle: CurlHandle) {
    curl_multi_remove_handle(multi, handle.easy)
    handle.transfer = nil
    if spareHandles.count < Self.keptHandles { spareHandles.append(handle) }
  }

  func close() {
    waiting.cancelAll()
    for (_, transfer) in transfers {
      transfer.channel.finish(throwing: CancellationError())
      curl_multi_remove_handle(multi, transfer.handle.easy)
      transfer.handle.transfer = nil
    }
    transfers = [:]
    for (_, link) in links {
      link.cancel()
      curl_multi_remove_handle(multi, link.handle.easy)
    }
    links = [:]
    spareHandles = []
    curl_multi_cleanup(multi)
  }
}
