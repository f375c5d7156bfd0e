#if canImport(ApusPlatform)
  import ApusPlatform
#endif

/// An accepted connection: reads requests, sends their responses, and detects when the client leaves.
struct ScriptedConnection {
  /// The reason why a connection ended.
  private enum End: Error {
    case clientClosed, scriptClosed, scriptReset, serverStopped, malformedRequest
  }

  let socket: Int32
  let stopping: Gate
  let log: ScriptedLog
  let slowReading: ScriptedServer.SlowReading?
  let answer: @Sendable (ScriptedServer.Request, Int) -> ScriptedAnswer

  private var received: [UInt8] = []
  private var servedRequests: [Int] = []
  private var sentByteCount = 0
  /// The time in milliseconds after which a client that does not read counts as throttling the server.
  private static let patience: Int32 = 500

  init(
    socket: Int32, stopping: Gate, log: ScriptedLog, slowReading: ScriptedServer.SlowReading?,
    answer: @escaping @Sendable (ScriptedServer.Request, Int) -> ScriptedAnswer
  ) {
    self.socket = socket
    self.stopping = stopping
    self.log = log
    self.slowReading = slowReading
    self.answer = answer
    _ = fcntl(socket, F_SETFL, O_NONBLOCK)
    var yes: Int32 = 1
    // Each piece is sent immediately, so that a test can observe it while the next one is delayed.
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
    FileDescriptor.silence(socket)
  }

  consuming func run() {
    do throws(End) {
      while true {
        let request = try readRequest()
        let index = log.received(request)
        servedRequests.append(index)
        sentByteCount = 0
        for step in answer(request, index).steps { try play(step) }
      }
    } catch {
      switch error {
      case .clientClosed: log.closedByClient(servedRequests)
      case .scriptReset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      case .scriptClosed, .serverStopped, .malformedRequest: break
      }
    }
    close(socket)
  }

  private mutating func play(_ step: ScriptedAnswer.Step) throws(End) {
    switch step {
    case .send(let bytes): try send(bytes)
    case .hold(let gate): while try !wait(for: gate) { try receiveSome() }
    case .silence: while true { _ = try wait(for: nil); try receiveSome() }
    case .close: throw .scriptClosed
    case .reset: throw .scriptReset
    }
  }

  // MARK: Bytes

  /// Returns true when the gate is open, false when the client has sent data or left, unless `looksAway` is set.
  private mutating func wait(for gate: Gate?, writing: Bool = false, looksAway: Bool = false) throws(End) -> Bool {
    while true {
      var descriptors = [
        pollfd(fd: looksAway ? -1 : socket, events: Int16(writing ? POLLOUT : POLLIN), revents: 0),
        pollfd(fd: stopping.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: gate?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      let count = poll(&descriptors, nfds_t(descriptors.count), writing ? Self.patience : -1)
      if count == 0, let request = servedRequests.last { log.heldBack(request, after: sentByteCount) }
      guard count > 0 else { continue }
      if descriptors[1].revents != 0 { throw .serverStopped }
      if descriptors[2].revents != 0 { return true }
      if descriptors[0].revents != 0 { return false }
    }
  }

  private mutating func receiveSome() throws(End) {
    var buffer = [UInt8](repeating: 0, count: 65536)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count > 0 {
      received += buffer[..<count]
    } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
      throw .clientClosed
    }
  }

  private mutating func send(_ bytes: [UInt8]) throws(End) {
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { FileDescriptor.send($0, to: socket) }
      if count > 0 {
        sent += count
        sentByteCount += count
      } else if errno == EAGAIN {
        _ = try wait(for: nil, writing: true)
      } else {
        throw .clientClosed
      }
    }
  }

  // MARK: Requests

  private mutating func readRequest() throws(End) -> ScriptedServer.Request {
    let head = String(decoding: try readThrough("\r\n\r\n"), as: UTF8.self)
    let lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
    guard let requestLine = lines.first?.split(separator: " "), requestLine.count >= 2 else { throw .malformedRequest }
    var request = ScriptedServer.Request(
      method: String(requestLine[0]), target: String(requestLine[1]), headers: [], body: [])
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":") else { throw .malformedRequest }
      let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      request.headers.append((String(line[..<colon]), String(value)))
    }
    if request.header("Expect")?.lowercased() == "100-continue" {
      try send(Array("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
    if request.header("Transfer-Encoding")?.lowercased() == "chunked" {
      request.body = try readChunks()
    } else if let length = request.header("Content-Length").flatMap({ Int($0) }) {
      request.body = try read(length)
    }
    return request
  }

  private mutating func readChunks() throws(End) -> [UInt8] {
    var body: [UInt8] = []
    while true {
      let line = String(decoding: try readThrough("\r\n").dropLast(2), as: UTF8.self)
      guard let size = Int(line.prefix { $0 != ";" }, radix: 16) else { throw .malformedRequest }
      guard size > 0 else { break }
      body += try read(size)
      _ = try read(2)
    }
    // Trailers, if any, end with an empty line.
    while try readThrough("\r\n").count > 2 {}
    return body
  }

  private mutating func read(_ count: Int) throws(End) -> [UInt8] {
    while received.count < count {
      if let slowReading, received.count >= slowReading.byteCount {
        _ = try wait(for: slowReading.gate, looksAway: true)
      }
      try waitAndReceive()
    }
    defer { received.removeFirst(count) }
    return Array(received[..<count])
  }

  private mutating func readThrough(_ mark: String) throws(End) -> [UInt8] {
    let mark = Array(mark.utf8)
    var searched = 0
    while true {
      while searched + mark.count <= received.count {
        if received[searched..<searched + mark.count].elementsEqual(mark) {
          return try read(searched + mark.count)
        }
        searched += 1
      }
      try waitAndReceive()
    }
  }

  private mutating func waitAndReceive() throws(End) {
    _ = try wait(for: nil)
    try receiveSome()
  }
}
