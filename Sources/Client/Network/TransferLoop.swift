import CCurl

/// The network thread's own state: curl's multi handle, the transfers and WebSockets under way, and the handles kept for
/// the next.
final class TransferLoop {
  private static let keptHandles = 32

  let multi: UnsafeMutableRawPointer
  private var transfers: [UInt64: (transfer: Transfer, handle: UnsafeMutableRawPointer)] = [:]
  private var links: [UInt64: (link: WebSocketLink, handle: UnsafeMutableRawPointer)] = [:]
  private var ids: [UnsafeMutableRawPointer: UInt64] = [:]
  private var spareHandles: [UnsafeMutableRawPointer] = []
  /// Channels with something new for their readers.
  private var noticed: [TransferChannel] = []
  /// What WebSockets read into.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)

  deinit { buffer.deallocate() }

  init?() {
    guard let multi = curl_multi_init() else { return nil }
    self.multi = multi
  }

  func carryOut(_ command: TransferEngine.Command) {
    switch command {
    case .start(let request, let channel, let instant): start(request, channel, at: instant)
    case .cancel(let id):
      remove(id)
      links[id]?.link.cancel()
      removeLink(id)
    case .resume(let id): transfers[id]?.transfer.letGo()
    case .expectEnd(let id, let limit): transfers[id]?.transfer.expectEnd(within: limit)
    case .open(let id, let request, let subprotocols, let receive, let instant):
      open(id, request, subprotocols, receive, at: instant)
    case .sendText(let id, let text): links[id]?.link.send(text)
    case .sendPing(let id): links[id]?.link.ping()
    case .closeSocket(let id, let code, let reason): links[id]?.link.close(code: code, reason: reason)
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

  private func open(
    _ id: UInt64, _ request: HTTPRequest, _ subprotocols: [String],
    _ receive: @escaping @Sendable (WebSocketConnection.Event) -> Void, at instant: ContinuousClock.Instant
  ) {
    do throws(NetworkError) {
      let link = try WebSocketLink(request: request, subprotocols: subprotocols, start: instant, receive: receive)
      guard let handle = spareHandles.popLast() ?? curl_easy_init() else {
        throw .failed(host: request.shownURL, reason: "out of memory")
      }
      link.configure(handle)
      links[id] = (link, handle)
      ids[handle] = id
      curl_multi_add_handle(multi, handle)
    } catch {
      receive(.ended(.failed(error)))
    }
  }

  /// Whether anything is under way.
  var isBusy: Bool { !transfers.isEmpty || !links.isEmpty }

  /// Ends a wait; may be called while another thread waits.
  func wake() { curl_multi_wakeup(multi) }

  /// Lets curl do what can be done now, and readers see what is new.
  func perform() {
    var running: Int32 = 0
    // A redirect adds a handle, which wants to be looked at (and may end) before the thread sleeps.
    repeat { curl_multi_perform(multi, &running) } while reportEnded()
    for channel in noticed { channel.flush() }
    noticed.removeAll(keepingCapacity: true)
    for (id, entry) in links where !entry.link.work(buffer) { removeLink(id) }
  }

  /// Sleeps until a socket has something, a deadline has come or someone wakes it.
  func wait(atMost limit: Int32 = .max) {
    let milliseconds = min(limit, failOverdue())
    guard !links.isEmpty else {
      curl_multi_poll(multi, nil, 0, milliseconds, nil)
      return
    }
    var descriptors = links.values.filter { $0.link.socket >= 0 }.map { entry in
      curl_waitfd(fd: entry.link.socket, events: entry.link.waitEvents, revents: 0)
    }
    curl_multi_poll(multi, &descriptors, UInt32(descriptors.count), milliseconds, nil)
  }

  private func reportEnded() -> Bool {
    var hasNew = false
    var left: Int32 = 0
    while let message = curl_multi_info_read(multi, &left) {
      guard apus_curl_message_is_done(message) != 0, let handle = message.pointee.easy_handle, let id = ids[handle]
      else { continue }
      if let link = links[id]?.link {
        link.connected(apus_curl_message_result(message))
        continue
      }
      guard let transfer = transfers[id]?.transfer else { continue }
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
    for (id, entry) in links {
      guard let (instant, error) = entry.link.deadline() else { continue }
      if instant <= now {
        entry.link.fail(error)
        removeLink(id)
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
    release(entry.handle)
  }

  /// The connection of a WebSocket serves nothing else: it is closed by this.
  private func removeLink(_ id: UInt64) {
    guard let entry = links.removeValue(forKey: id) else { return }
    release(entry.handle)
  }

  private func release(_ handle: UnsafeMutableRawPointer) {
    ids[handle] = nil
    curl_multi_remove_handle(multi, handle)
    if spareHandles.count < Self.keptHandles {
      curl_easy_reset(handle)
      spareHandles.append(handle)
    } else {
      curl_easy_cleanup(handle)
    }
  }

  func close() {
    for (_, entry) in transfers {
      entry.transfer.channel.finish(.failure(CancellationError()))
      curl_multi_remove_handle(multi, entry.handle)
      curl_easy_cleanup(entry.handle)
    }
    transfers = [:]
    for (_, entry) in links {
      entry.link.cancel()
      curl_multi_remove_handle(multi, entry.handle)
      curl_easy_cleanup(entry.handle)
    }
    links = [:]
    for handle in spareHandles { curl_easy_cleanup(handle) }
    curl_multi_cleanup(multi)
  }
}
