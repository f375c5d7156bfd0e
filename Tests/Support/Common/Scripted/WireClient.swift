#if canImport(ApusPlatform)
  import ApusPlatform
#endif

/// A raw loopback connection, which shows each byte as it arrives.
package final class WireClient: Sendable {
  package enum Failure: Error { case connectFailed, ended(received: String), reset(received: String) }

  package let port: Int
  private let socket: Int32

  package init(port: Int) throws {
    self.port = port
    socket = makeClosingSocket()
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(port).bigEndian
    let descriptor = socket
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard code == 0 else { throw Failure.connectFailed }
    // A byte that never comes fails its test instead of holding up all of them.
    var limit = timeval(tv_sec: 50, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(socket) }

  package func send(_ text: String) { send(bytes: Array(text.utf8)) }

  package func send(bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// Sends these bytes over and over until the server has taken none for a while, or has taken `limit` of them; how many.
  package func sendUntilHeldBack(_ bytes: [UInt8], limit: Int) -> Int {
    _ = fcntl(socket, F_SETFL, fcntl(socket, F_GETFL) | O_NONBLOCK)
    var sent = 0
    while sent < limit {
      let rest = bytes[(sent % bytes.count)...]
      let count = rest.withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
      if count > 0 {
        sent += count
        continue
      }
      var polled = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
      guard errno == EAGAIN, poll(&polled, 1, 1000) > 0, polled.revents & Int16(POLLOUT) != 0 else { break }
    }
    return sent
  }

  package func post(_ body: String, path: String = "/graphql", headers: [String] = ["Content-Type: application/json"]) {
    let lines = ["POST \(path) HTTP/1.1", "Host: localhost"] + headers
    send(lines.joined(separator: "\r\n") + "\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  package func get(_ target: String, headers: [String] = []) {
    send((["GET \(target) HTTP/1.1", "Host: localhost"] + headers).joined(separator: "\r\n") + "\r\n\r\n")
  }

  /// Closes the sending direction only, as a client that still reads its response.
  package func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  /// Closes the sending direction and the receiving one, as a client that goes away.
  package func leave() { shutdown(socket, Int32(SHUT_RDWR)) }

  /// Everything up to and with `mark`.
  package func read(through mark: String) async throws -> String {
    let mark = Array(mark.utf8)
    return try await read { $0.suffix(mark.count).elementsEqual(mark) ? 0 : 1 }
  }

  package func read(count: Int) async throws -> String {
    try await read { count - $0.count }
  }

  package func readToEnd() async throws -> String {
    do {
      return try await read { _ in Self.largestRead }
    } catch Failure.ended(let received) {
      return received
    }
  }

  /// One response with a length: the head and the body.
  package func response() async throws -> (head: String, body: String) {
    let head = try await read(through: "\r\n\r\n")
    let line = head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
    let length = line.flatMap { Int($0.split(separator: ":")[1].drop { $0 == " " }) } ?? 0
    return (head, try await read(count: length))
  }

  private static let largestRead = 1 << 16

  /// Reads until `left` returns 0, the number of missing bytes after those read so far.
  private func read(_ left: @escaping @Sendable ([UInt8]) -> Int) async throws -> String {
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<String, any Error>) in
      startThread { [self] in
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: Self.largestRead)
        while case let requested = min(left(bytes), piece.count), requested > 0 {
          let count = recv(socket, &piece, requested, 0)
          guard count > 0 else {
            let received = String(decoding: bytes, as: UTF8.self)
            continuation.resume(
              throwing: count == 0 ? Failure.ended(received: received) : Failure.reset(received: received))
            return
          }
          bytes += piece[..<count]
        }
        continuation.resume(returning: String(decoding: bytes, as: UTF8.self))
      }
    }
  }
}
