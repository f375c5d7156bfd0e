import ApusPlatform
import Dispatch
import Synchronization

/// The listening socket of a relay. It serves connections while descriptors below the reserve and threads suffice, and answers
/// the others with status 503.
final class RelayListener: Sendable {
  let port: Int
  private let socket: Int32
  private let stopping: Int32
  private let reserve: DescriptorReserve
  private let connectionLimit: Int
  private let connectionCount = Atomic(0)
  private let refused: @Sendable (Relay.Refusal) -> Void

  init(
    port: Int, stopping: Int32, reserve: DescriptorReserve, refused: @escaping @Sendable (Relay.Refusal) -> Void
  ) throws(Relay.StartError) {
    guard let number = in_port_t(exactly: port) else { throw .portTaken(port) }
    do {
      let listening = try LoopbackSocket.open(port: number, backlog: 512)
      (socket, self.port) = (listening.descriptor, Int(listening.port))
    } catch {
      switch error {
      case .socket(let reason): throw .system(reason)
      case .port: throw .portTaken(port)
      }
    }
    (self.stopping, self.reserve, self.refused) = (stopping, reserve, refused)
    connectionLimit = reserve.connectionLimit(from: socket + 1)
  }

  deinit { close(socket) }

  /// Accepts connections until the relay stops. Each enters the group, and is served on a separate thread, and closed by
  /// `serve`.
  func run(_ connections: DispatchGroup, _ serve: @escaping @Sendable (Int32) -> Void) {
    while waitForConnection() {
      let client = accept(socket, nil, nil)
      guard client >= 0 else {
        // Short work uses the reserve. The connection waits until it ends.
        if errno == EMFILE || errno == ENFILE { _ = poll(nil, 0, 50) }
        continue
      }
      let isWithinLimit = connectionCount.load(ordering: .relaxed) < connectionLimit
      guard isWithinLimit, !reserve.contains(client) else {
        refuse(client, DescriptorReserve.reason)
        continue
      }
      Self.prepare(client)
      connections.enter()
      connectionCount.add(1, ordering: .relaxed)
      let hasStarted = SystemThread.start { [self] in
        serve(client)
        leave(connections)
      }
      if !hasStarted {
        leave(connections)
        refuse(client, "no thread can be started")
      }
    }
  }

  private func leave(_ connections: DispatchGroup) {
    connectionCount.subtract(1, ordering: .relaxed)
    connections.leave()
  }

  /// Returns false if the relay stops.
  private func waitForConnection() -> Bool {
    var descriptors = [
      pollfd(fd: socket, events: Int16(POLLIN), revents: 0), pollfd(fd: stopping, events: Int16(POLLIN), revents: 0),
    ]
    while poll(&descriptors, 2, -1) < 0 {}
    return descriptors[1].revents == 0
  }

  private static func prepare(_ client: Int32) {
    _ = fcntl(client, F_SETFD, FD_CLOEXEC)
    _ = fcntl(client, F_SETFL, fcntl(client, F_GETFL) | O_NONBLOCK)
    FileDescriptor.silence(client)
    var yes: Int32 = 1
    setsockopt(client, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
  }

  private func refuse(_ client: Int32, _ reason: String) {
    let refusal = Relay.Refusal(status: 503, reason: reason)
    Self.prepare(client)
    // The request is read, since closing a socket with unread bytes would discard the response.
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    _ = FileDescriptor.waitToRead(client, milliseconds: 250)
    _ = FileDescriptor.read(client, into: &buffer)
    _ = refusal.response.withUnsafeBytes { FileDescriptor.send($0, to: client) }
    close(client)
    refused(refusal)
  }
}

extension Relay.Refusal {
  private static let phrases = [
    400: "Bad Request", 403: "Forbidden", 405: "Method Not Allowed", 421: "Misdirected Request",
    431: "Request Header Fields Too Large", 502: "Bad Gateway", 503: "Service Unavailable",
  ]

  /// Returns the head of a response that the relay writes itself.
  func head(contentType: String, byteCount: Int, keepsConnection: Bool) -> [UInt8] {
    Array(
      ("HTTP/1.1 \(status) \(Self.phrases[status] ?? "")\r\nContent-Type: \(contentType)\r\nContent-Length: \(byteCount)\r\n"
        + "Cache-Control: no-store\r\n\(keepsConnection ? "" : "Connection: close\r\n")\r\n").utf8)
  }

  /// The response with the reason as text. The connection is closed after it.
  var response: [UInt8] {
    let text = "apus tap: \(reason)\n"
    let allow = status == 405 ? "Allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r\n" : ""
    return Array(
      ("HTTP/1.1 \(status) \(Self.phrases[status] ?? "")\r\nContent-Type: text/plain; charset=utf-8\r\n"
        + "Content-Length: \(text.utf8.count)\r\n\(allow)Cache-Control: no-store\r\nConnection: close\r\n\r\n\(text)")
        .utf8)
  }
}
