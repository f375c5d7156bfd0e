import ApusClientNetwork
import ApusPlatform

/// Writing to both sockets, and waiting for them.
extension RelayConnection {
  /// Writes as much as the sockets take.
  func flush() throws(End) {
    while !toClient.isEmpty {
      let count = toClient.withUnsafeBytes { FileDescriptor.send($0, to: client) }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { throw .clientGone }
      toClient.removeFirst(count)
    }
    guard let server, exchange?.edit.postponed == nil else { return }
    sending: while !toServer.isEmpty {
      switch toServer.withUnsafeBytes({ server.send($0) }) {
      case .bytes(let count): toServer.removeFirst(count)
      case .nothing: break sending
      // The server may have responded before it closed the connection.
      case .closed, .failed:
        toServer.removeFirst(toServer.count)
        break sending
      }
    }
    guard hasClientEnded, !hasEndedSending, toServer.isEmpty, fromClient.isEmpty else { return }
    hasEndedSending = true
    // A request that is not complete will never be.
    guard exchange?.mayLackRequest == false || exchange?.isTunnel == true, server.closeSending() else {
      throw .clientGone
    }
    // Most applications close their connection when they cancel a request. If this one does not, it still gets its response.
    guard let exchange else { return }
    note(exchange.event(.ended(.cancelled)))
    report()
    exchange.hasReportedEnd = true
  }

  /// Waits for one of the sockets, and reads from it.
  func wait() throws(End) {
    let readsClient = !hasClientEnded && fromClient.count <= Self.requestHeadLimit
    let readsServer =
      server != nil && !hasServerEnded && fromServer.count <= Self.responseHeadLimit && toClient.isEmpty
      && exchange?.edit.outbox?.isFull != true
    var descriptors = [
      pollfd(fd: context.stopping, events: Int16(POLLIN), revents: 0),
      pollfd(fd: client, events: Int16((readsClient ? POLLIN : 0) | (toClient.isEmpty ? 0 : POLLOUT)), revents: 0),
      pollfd(
        fd: hasServerEnded ? -1 : server?.descriptor ?? -1,
        events: Int16((readsServer ? POLLIN : 0) | (toServer.isEmpty ? 0 : POLLOUT)), revents: 0),
      pollfd(fd: wakeSignal?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    let hasHeldBytes = readsServer && server?.mayHoldBytes == true
    let limit: Int32 = hasHeldBytes ? 0 : try untilNextWork()
    while poll(&descriptors, nfds_t(descriptors.count), limit) < 0 {}
    if descriptors[0].revents != 0 { throw .stopped }
    if descriptors[3].revents != 0 { wakeSignal?.clear() }
    let isBroken = descriptors[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    if isBroken, !readsClient { throw .clientGone }
    if readsClient, descriptors[1].revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { try readClient() }
    if readsServer, hasHeldBytes || descriptors[2].revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { try readServer() }
  }

  /// Returns the time in milliseconds after which there is work without an event of a socket; -1 for none.
  private func untilNextWork() throws(End) -> Int32 {
    if let time = exchange?.edit.outbox?.untilNext { return time }
    guard server == nil, exchange == nil else { return -1 }
    let rest = context.firstRequestLimit - start.duration(to: .now)
    guard rest > .zero else { throw .finished }
    return Int32(rest / .milliseconds(1)) + 1
  }

  private func readClient() throws(End) {
    let count = FileDescriptor.read(client, into: buffer)
    if count < 0, errno == EAGAIN { return }
    guard count >= 0 else { throw .clientGone }
    if count == 0 { hasClientEnded = true }
    fromClient.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
  }

  private func readServer() throws(End) {
    switch server?.receive(into: buffer) ?? .nothing {
    case .bytes(let count): fromServer.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    case .nothing: break
    case .closed: hasServerEnded = true
    case .failed:
      guard exchange != nil else { throw .finished }
      try lose("it broke the connection")
    }
  }

  /// Whether the application has closed its connection, not only ended sending.
  var isClientGone: Bool {
    var descriptor = pollfd(fd: client, events: 0, revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }
}
