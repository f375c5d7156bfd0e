import ApusClientNetwork
import ApusClientTraffic
import ApusPlatform

/// A connection of an application, with its connection to the server. One thread serves it, one exchange after another.
///
/// 1. Bytes of either side are read only if those that were read before have been sent on. So a slow reader slows down the
///    other side, and a connection keeps at most a buffer for each direction.
/// 2. The bytes of a head are changed (`ForwardedHead`), those of a body, its chunks and its trailers are not.
/// 3. The connection to the server is opened for the first request. If either side closes its connection, so does the relay
///    with the other one, after the bytes that arrived before.
/// 4. An application that only ends sending still gets its response.
final class RelayConnection {
  /// The reason why the connection ends.
  enum End: Error {
    /// Nothing is left to be sent.
    case finished
    case clientGone
    /// The server closed or broke the connection in the middle of an exchange.
    case serverGone(reason: String)
    /// A rule of the user broke the connection.
    case cut
    case refused(Relay.Refusal)
    case stopped
  }

  private static let readSize = 256 << 10
  private static let requestHeadLimit = 64 << 10
  private static let responseHeadLimit = 256 << 10
  /// The time for the first request of a connection.
  private static let firstRequestLimit = Duration.seconds(60)

  private let client: Int32
  let context: RelayContext
  var server: ServerConnection?
  var exchange: RelayExchange?
  private var buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: readSize, alignment: 16)
  var (fromClient, toClient, fromServer, toServer) = (ByteQueue(), ByteQueue(), ByteQueue(), ByteQueue())
  private var (searchedRequest, searchedResponse) = (0, 0)
  /// Whether the application sends nothing more, and whether that was passed on to the server.
  private var (hasClientEnded, hasEndedSending) = (false, false)
  private var hasServerEnded = false
  /// Observations that are reported when their bytes have been sent on.
  private var observations: [TrafficEvent] = []
  private let start = ContinuousClock.now

  init(_ client: Int32, _ context: RelayContext) {
    (self.client, self.context) = (client, context)
  }

  deinit { buffer.deallocate() }

  /// Serves the connection to its end, and closes it.
  func run() {
    do throws(End) {
      while true {
        try work()
        try wait()
      }
    } catch {
      finish(error)
    }
  }

  // MARK: Working

  /// Processes the bytes that arrived, until nothing changes.
  private func work() throws(End) {
    while true {
      var hasChanged = try takeRequest()
      if try takeResponse() { hasChanged = true }
      if try sendEdited() { hasChanged = true }
      try flush()
      report()
      if try endExchange() { hasChanged = true }
      guard hasChanged else { return }
    }
  }

  /// Moves bytes from the application towards the server. Returns whether there were any.
  private func takeRequest() throws(End) -> Bool {
    guard exchange == nil else { return try takeRequestBody() }
    guard let count = fromClient.endOfHead(searched: &searchedRequest) else {
      guard fromClient.count <= Self.requestHeadLimit else {
        throw .refused(
          .init(status: 431, reason: "the header fields are longer than \(Self.requestHeadLimit >> 10) KB"))
      }
      if hasClientEnded { throw .finished }
      return false
    }
    searchedRequest = 0
    // An empty line before a request is ignored (RFC 9112, section 2.2).
    let head = fromClient.dequeue(count)
    if let first = head.firstIndex(where: { $0 != 0x0D && $0 != 0x0A }) { try begin(Array(head[first...])) }
    return true
  }

  private func takeRequestBody() throws(End) -> Bool {
    guard let exchange, !fromClient.isEmpty, toServer.isEmpty || exchange.isHeld,
      exchange.isTunnel || !exchange.request.isComplete
    else { return false }
    let scanned = fromClient.withUnsafeBytes { bytes in
      Result { () throws(MessageHead.Malformed) in
        try exchange.scanRequest(bytes) { observations.append($0) }
      }.map { count in
        toServer.append(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
        return count
      }
    }
    switch scanned {
    case .success(let count):
      fromClient.removeFirst(count)
      try releaseIfComplete(exchange)
      return count > 0
    case .failure(let problem):
      throw .refused(.init(status: 400, reason: "the request is not valid: \(problem.reason)"))
    }
  }

  /// Moves bytes from the server towards the application. Returns whether there were any.
  private func takeResponse() throws(End) -> Bool {
    guard let exchange else {
      // The server may close a connection that is not in use. It has nothing else to say.
      if !fromServer.isEmpty || hasServerEnded { throw .finished }
      return false
    }
    if exchange.response == nil, let count = fromServer.endOfHead(searched: &searchedResponse) {
      searchedResponse = 0
      try takeResponseHead(fromServer.dequeue(count))
      return true
    }
    if exchange.response == nil {
      guard fromServer.count <= Self.responseHeadLimit else {
        throw .serverGone(reason: "its header fields are longer than \(Self.responseHeadLimit >> 10) KB")
      }
      guard server == nil || !hasServerEnded else {
        throw .serverGone(
          reason: fromServer.isEmpty ? "it closed the connection without an answer" : "its answer is not HTTP")
      }
      return false
    }
    return try takeResponseBody(exchange)
  }

  private func takeResponseHead(_ bytes: [UInt8]) throws(End) {
    guard let exchange else { return }
    do throws(MessageHead.Malformed) {
      let head = try MessageHead(parsing: bytes, joinsFoldedLines: true)
      if let forwarded = try exchange.receive(head, { observations.append($0) }) { toClient.append(forwarded.bytes) }
    } catch {
      throw .serverGone(reason: "its answer is not valid HTTP: \(error.reason)")
    }
  }

  private func takeResponseBody(_ exchange: RelayExchange) throws(End) -> Bool {
    if hasServerEnded, fromServer.isEmpty {
      try exchange.serverClosed()
      return false
    }
    guard !fromServer.isEmpty, toClient.isEmpty, exchange.outbox?.isFull != true else { return false }
    let scanned = fromServer.withUnsafeBytes { bytes in
      Result { () throws(MessageHead.Malformed) in
        try exchange.scanResponse(bytes, forward: { toClient.append($0) }, observe: { observations.append($0) })
      }
    }
    switch scanned {
    case .success(let count):
      fromServer.removeFirst(count)
      return count > 0
    case .failure(let problem): throw .serverGone(reason: "its answer is not valid HTTP: \(problem.reason)")
    }
  }

  /// Ends an exchange whose request and response were sent on. Returns whether there was one.
  private func endExchange() throws(End) -> Bool {
    guard let exchange, exchange.response != nil, toClient.isEmpty else { return false }
    guard exchange.isOver(serverHasEnded: hasServerEnded), fromServer.isEmpty || !exchange.isTunnel else {
      return false
    }
    // The application may have left before it received the end.
    if hasClientEnded, isClientGone { throw .clientGone }
    observations.append(exchange.event(.ended(.complete)))
    report()
    self.exchange = nil
    guard exchange.keepsConnection, !hasServerEnded else { throw .finished }
    return true
  }

  private func report() {
    guard !observations.isEmpty else { return }
    let events = observations
    observations = []
    for event in events { context.observe(event) }
  }

  func note(_ event: TrafficEvent) { observations.append(event) }

  // MARK: Sockets

  /// Writes as much as the sockets take.
  private func flush() throws(End) {
    while !toClient.isEmpty {
      let count = toClient.withUnsafeBytes { FileDescriptor.send($0, to: client) }
      if count < 0, errno == EAGAIN { break }
      guard count > 0 else { throw .clientGone }
      toClient.removeFirst(count)
    }
    guard let server, exchange?.isHeld != true else { return }
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
  }

  /// Waits for one of the sockets, and reads from it.
  private func wait() throws(End) {
    let readsClient = !hasClientEnded && fromClient.count <= Self.requestHeadLimit
    let readsServer =
      server != nil && !hasServerEnded && fromServer.count <= Self.responseHeadLimit && toClient.isEmpty
      && exchange?.outbox?.isFull != true
    var descriptors = [
      pollfd(fd: context.stopping, events: Int16(POLLIN), revents: 0),
      pollfd(fd: client, events: Int16((readsClient ? POLLIN : 0) | (toClient.isEmpty ? 0 : POLLOUT)), revents: 0),
      pollfd(
        fd: hasServerEnded ? -1 : server?.descriptor ?? -1,
        events: Int16((readsServer ? POLLIN : 0) | (toServer.isEmpty ? 0 : POLLOUT)), revents: 0),
    ]
    let hasHeldBytes = readsServer && server?.mayHoldBytes == true
    let limit: Int32 = hasHeldBytes ? 0 : try untilNextWork()
    while poll(&descriptors, nfds_t(descriptors.count), limit) < 0 {}
    if descriptors[0].revents != 0 { throw .stopped }
    let isBroken = descriptors[1].revents & Int16(POLLERR | POLLHUP | POLLNVAL) != 0
    if isBroken, !readsClient { throw .clientGone }
    if readsClient, descriptors[1].revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { try readClient() }
    if readsServer, hasHeldBytes || descriptors[2].revents & Int16(POLLIN | POLLERR | POLLHUP) != 0 { try readServer() }
  }

  /// Returns the time in milliseconds after which there is work without an event of a socket; -1 for none.
  private func untilNextWork() throws(End) -> Int32 {
    if let time = exchange?.outbox?.untilNext { return time }
    guard server == nil, exchange == nil else { return -1 }
    let rest = Self.firstRequestLimit - start.duration(to: .now)
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
      guard exchange == nil else { throw .serverGone(reason: "it broke the connection") }
      throw .finished
    }
  }

  /// Whether the application has closed its connection, not only ended sending.
  private var isClientGone: Bool {
    var descriptor = pollfd(fd: client, events: 0, revents: 0)
    return poll(&descriptor, 1, 0) > 0
  }

  // MARK: The end

  private func finish(_ end: End) {
    report()
    switch end {
    case .finished, .clientGone: if let exchange { context.observe(exchange.event(.ended(.canceled))) }
    case .stopped: if let exchange { context.observe(exchange.event(.ended(.failed("apus tap was stopped")))) }
    // A server closes the connection of an application that left.
    case .serverGone where hasClientEnded && exchange?.isTunnel == false:
      if let exchange { context.observe(exchange.event(.ended(.canceled))) }
    case .serverGone(let reason):
      if let exchange { context.observe(exchange.event(.ended(.failed(context.host + ": " + reason)))) }
      // After a reset, the application does not take the end of the connection for that of the response.
      if exchange?.response != nil { resetOnClose() }
    case .cut:
      if let exchange {
        context.observe(exchange.event(.ended(.failed("apus tap broke the connection (--cut-after)"))))
      }
      resetOnClose()
    case .refused(let refusal):
      if let exchange {
        context.observe(exchange.event(.ended(.failed(refusal.reason))))
      } else {
        context.refused(refusal)
      }
      if exchange?.response == nil { toClient.append(refusal.response) } else { resetOnClose() }
    }
    server = nil
    switch end {
    case .finished, .refused: leave()
    case .clientGone, .serverGone, .cut, .stopped: break
    }
    close(client)
  }

  private func resetOnClose() {
    var linger = linger(l_onoff: 1, l_linger: 0)
    setsockopt(client, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
  }

  /// Sends the rest and then reads from the application for a while, because closing a socket with unread bytes
  /// would discard the response.
  private func leave() {
    try? flush()
    shutdown(client, Int32(SHUT_WR))
    guard !hasClientEnded else { return }
    let end = ContinuousClock.now + .seconds(2)
    while ContinuousClock.now < end, FileDescriptor.waitToRead(client, milliseconds: 500) {
      let count = FileDescriptor.read(client, into: buffer)
      guard count > 0 || count < 0 && errno == EAGAIN else { return }
    }
  }
}
