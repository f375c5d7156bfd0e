import ApusASCII
import ApusSecrets
import ApusWebSocket
import CApusCurl

/// A WebSocket on the network thread. curl establishes the connection (name lookup, proxy, TLS); the rest happens here.
///
/// 1. curl connects.
/// 2. The upgrade request is written and the head of the response read (RFC 6455, section 4). A redirect is followed by the
///    rules of a POST, which is how the subscription would be sent otherwise. If the server rejects the upgrade, its
///    message is read, with a time limit.
/// 3. Frames are exchanged until one side closes. The peer's close frame is awaited, with a time limit.
final class WebSocketTransfer {
  private enum Phase { case connecting, upgrading, refused, open, closing }

  /// The time limit for the peer's close frame, which a program that ends waits for.
  private static let closeLimit = Duration.milliseconds(500)
  /// The time limit for the body of a rejected upgrade.
  private static let refusalLimit = Duration.seconds(10)
  private static let headLimit = 64 << 10
  private static let upgradeLimit = Duration.seconds(30)
  private static let readsAtOnce = 16

  /// The state after `work`.
  enum Progress { case working, over, redirected }

  private var request: HTTPRequest
  private let subprotocols: [String]
  private var target: TargetURL
  private var redirectCount = 0
  private var isRedirected = false
  /// Whether all redirects led to servers that may get the request's credentials.
  private var sharesCredentials = true
  private let receive: @Sendable (WebSocketConnection.Event) -> Void
  private let key = WebSocketHandshake.newKey()
  let handle: CurlHandle
  private let flow: WebSocketFlowControl

  private(set) var socket = curl_socket_t(-1)
  private var phase = Phase.connecting
  private var phaseStart: ClockInstant
  private var frames = WebSocketFrames(role: .client)
  private var head: [UInt8] = []
  private var refusal: UpgradeRefusal?
  private var outgoing: [UInt8] = []
  private var sentCount = 0
  /// The latest response to a request of the server that has not been written. Older ones are replaced, so that they
  /// cannot pile up.
  private var answer: [UInt8]?
  private var isPongAwaited = false
  private var receivedCount = 0
  private var isOver = false

  init(
    request: HTTPRequest, subprotocols: [String], handle: CurlHandle, flow: WebSocketFlowControl,
    start: ClockInstant, receive: @escaping @Sendable (WebSocketConnection.Event) -> Void
  ) throws(NetworkError) {
    self.request = request
    self.subprotocols = subprotocols
    self.handle = handle
    self.flow = flow
    self.receive = receive
    phaseStart = start
    target = try TargetURL(parsing: WebURL.overHTTP(request.url))
    try request.headers.check()
    try request.connection.check()
  }

  // MARK: Connecting

  func configure() {
    isRedirected = false
    handle.reset()
    handle.prepareConnection(to: target, request.connection)
    apus_curl_set_long(handle.easy, CURLOPT_CONNECT_ONLY, 1)
    apus_curl_set_long(handle.easy, CURLOPT_HTTP_VERSION, numericCast(CURL_HTTP_VERSION_1_1))
    apus_curl_set_long(handle.easy, CURLOPT_HTTPPROXYTUNNEL, 1)
  }

  /// Processes curl's result of connecting.
  func connected(_ code: CURLcode) {
    guard code == CURLE_OK else {
      end(.failed(failure(code)))
      return
    }
    socket = apus_curl_get_socket(handle.easy)
    guard socket >= 0 else {
      end(.failed(.interrupted(host: target.authority, receivedBytes: 0)))
      return
    }
    enter(.upgrading)
    outgoing = upgradeRequest()
  }

  private func upgradeRequest() -> [UInt8] {
    var text = "GET \(target.requestTarget) HTTP/1.1\r\nHost: \(target.authority)\r\n"
    text += "Upgrade: websocket\r\nConnection: Upgrade\r\n"
    text += "Sec-WebSocket-Key: \(key)\r\nSec-WebSocket-Version: \(WebSocketHandshake.version)\r\n"
    if !subprotocols.isEmpty { text += "Sec-WebSocket-Protocol: \(subprotocols.joined(separator: ", "))\r\n" }
    if let credentials = target.credentials, request.headers["Authorization"] == nil {
      text += "Authorization: Basic \(Base64.encode(Array(credentials.utf8)))\r\n"
    }
    if request.headers["User-Agent"] == nil { text += "User-Agent: \(ApusVersion.userAgent)\r\n" }
    for field in request.headers.fields where !Self.isOurs(field.name) { text += "\(field.name): \(field.value)\r\n" }
    return Array((text + "\r\n").utf8)
  }

  /// Whether the upgrade sets this field itself, or the field describes a body.
  private static func isOurs(_ name: String) -> Bool {
    [
      "accept", "connection", "content-length", "content-type", "host", "sec-websocket-key", "sec-websocket-protocol",
      "sec-websocket-version", "upgrade",
    ].contains(name.lowercased())
  }

  // MARK: Working

  /// Reads and writes as far as possible.
  func work(_ buffer: UnsafeMutableRawBufferPointer) -> Progress {
    if socket < 0 { return isOver ? .over : .working }
    write()
    // Limited, so that a server that sends without pause does not block other transfers.
    var reads = 0
    while !isOver, !isRedirected, reads < Self.readsAtOnce, mayRead, read(buffer) {
      write()
      reads += 1
    }
    if isRedirected { return .redirected }
    write()
    if !isOver, phase == .open || phase == .closing, frames.isOver, sentCount == outgoing.count {
      end(.closed(code: 1006, reason: ""))
    }
    return isOver ? .over : .working
  }

  /// The socket events to wait for.
  var waitEvents: Int16 {
    (mayRead ? apus_curl_wait_in : 0) | (sentCount < outgoing.count ? apus_curl_wait_out : 0)
  }

  /// The peer's close frame may come after any number of unread messages.
  private var mayRead: Bool { phase == .closing || flow.mayRead() }

  private func write() {
    guard !isOver else { return }
    if phase == .open || phase == .closing {
      // While output is pending, only the latest response to a ping is kept.
      if sentCount == outgoing.count { takeOutgoing() }
    }
    while sentCount < outgoing.count {
      var count = 0
      let code = outgoing[sentCount...].withUnsafeBytes {
        curl_easy_send(handle.easy, $0.baseAddress, $0.count, &count)
      }
      sentCount += count
      if code == CURLE_AGAIN { return }
      guard code == CURLE_OK else {
        end(.failed(.interrupted(host: target.authority, receivedBytes: receivedCount)))
        return
      }
      if sentCount == outgoing.count, phase == .open || phase == .closing { takeOutgoing() }
    }
  }

  private func takeOutgoing() {
    if let answer {
      self.answer = nil
      frames.send(text: answer)
    }
    (outgoing, sentCount) = (frames.dequeueOutgoing(), 0)
  }

  /// Reads once; returns false if nothing is available.
  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Bool {
    var count = 0
    let code = curl_easy_recv(handle.easy, buffer.baseAddress, buffer.count, &count)
    if code == CURLE_AGAIN { return false }
    guard code == CURLE_OK, count > 0 else {
      end(refusal?.end ?? .failed(.interrupted(host: target.authority, receivedBytes: receivedCount)))
      return false
    }
    receivedCount += count
    let bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count])
    switch phase {
    case .upgrading: readHead(bytes)
    case .refused: readRefusal(bytes)
    case .connecting, .open, .closing: readFrames(bytes)
    }
    return !isOver
  }

  private func readFrames(_ bytes: UnsafeRawBufferPointer) {
    let arrival = ContinuousClock.now
    for event in frames.receive(bytes) where !isOver {
      switch event {
      case .text(let text), .binary(let text): receive(.text(text, arrival: arrival, flow.receipt(for: text.count)))
      case .pong:
        // A pong without a ping is ignored.
        if isPongAwaited { receive(.pong) }
        isPongAwaited = false
      case .ping: break
      case .closed(let code, let reason):
        write()
        end(.closed(code: code, reason: reason))
      case .broken(let code):
        write()
        end(.broken(reason: Self.words(forBroken: code)))
      }
    }
  }

  private static func words(forBroken code: Int) -> String {
    switch code {
    case 1007: "a message is not valid UTF-8"
    case 1009: "a message is larger than \(WebSocketFrames.defaultMaximumMessageSize >> 20) MB"
    default: "a frame is not valid in the WebSocket protocol"
    }
  }

  // MARK: The upgrade's answer

  private func readHead(_ bytes: UnsafeRawBufferPointer) {
    head += bytes
    guard let end = Self.endOfHead(head) else {
      if head.count > Self.headLimit { self.end(.failed(.notHTTP(host: target.authority))) }
      return
    }
    guard let answer = Self.parse(head[..<end], url: target.shown) else {
      self.end(.failed(.notHTTP(host: target.authority)))
      return
    }
    if request.maximumRedirects > 0, let location = answer.redirectLocation {
      do throws(NetworkError) { try follow(answer.status, location) } catch { self.end(.failed(error)) }
      return
    }
    guard answer.status == 101 else {
      refusal = UpgradeRefusal(head: answer)
      enter(.refused)
      head[end...].withUnsafeBytes(readRefusal)
      return
    }
    guard answer.headers["Upgrade"]?.lowercased() == "websocket",
      answer.headers["Sec-WebSocket-Accept"] == WebSocketHandshake.answer(to: key)
    else {
      self.end(.failed(.notWebSocket(host: target.authority)))
      return
    }
    let rest = Array(head[end...])
    head = []
    enter(.open)
    receive(
      .opened(
        subprotocol: answer.headers["Sec-WebSocket-Protocol"], head: answer, sharesCredentials: sharesCredentials))
    if !rest.isEmpty { rest.withUnsafeBytes(readFrames) }
  }

  /// Prepares the upgrade at the target of a redirect.
  private func follow(_ status: Int, _ location: String) throws(NetworkError) {
    redirectCount += 1
    guard redirectCount <= request.maximumRedirects else {
      throw .tooManyRedirects(host: target.authority, limit: request.maximumRedirects)
    }
    let next = try target.resolving(WebURL.overHTTP(location))
    guard request.mayFollow(from: target, to: next, isWebSocket: true) else {
      throw .redirectRefused(host: target.authority, location: next.shown)
    }
    let isShared = target.sharesCredentials(with: next)
    request.follow(status: status, sharesCredentials: isShared)
    sharesCredentials = sharesCredentials && isShared
    target = next
    (socket, head, outgoing, sentCount, receivedCount) = (-1, [], [], 0, 0)
    isRedirected = true
    enter(.connecting)
  }

  private func readRefusal(_ bytes: UnsafeRawBufferPointer) {
    refusal?.receive(bytes)
    if let refusal, refusal.isWhole { end(refusal.end) }
  }

  private static func endOfHead(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 4 else { return nil }
    return (4...bytes.count).first { bytes[$0 - 4..<$0].elementsEqual([0x0D, 0x0A, 0x0D, 0x0A]) }
  }

  private static func parse(_ bytes: ArraySlice<UInt8>, url: String) -> HTTPHead? {
    var head: HTTPHead?
    var fields = HeaderBlock()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      line.withUnsafeBytes { line in
        switch HeadLine(line) {
        case .status(let status, let version):
          if status > 0 { head = HTTPHead(status: status, version: version, headers: [:], url: url) }
        case .field: fields.add(line)
        case .end: break
        }
      }
    }
    head?.headers = HTTPHeaders(fields)
    return head
  }

  // MARK: Commands

  func send(_ text: [UInt8]) {
    if phase == .open { frames.send(text: text) }
  }

  /// Sends a response, which replaces one that has not been written.
  func answer(_ text: [UInt8]) {
    if phase == .open { answer = text }
  }

  func ping() {
    guard phase == .open else { return }
    isPongAwaited = true
    frames.send(ping: [])
  }

  func close(code: Int, reason: String) {
    guard phase == .open else {
      if phase != .closing { end(.cancelled) }
      return
    }
    frames.close(code: code, reason: reason)
    enter(.closing)
  }

  func cancel() { end(.cancelled) }

  // MARK: Deadlines and the end

  func deadline() -> Deadline? {
    func limit(_ duration: Duration?, _ phase: NetworkError.Phase) -> Deadline? {
      duration.map { Deadline(instant: phaseStart + $0, phase: phase, limit: $0) }
    }
    return switch phase {
    case .connecting: limit(request.timeouts.connect, .connect)
    case .upgrading: limit(request.timeouts.firstByte ?? Self.upgradeLimit, .firstByte)
    case .refused: limit(min(request.timeouts.idle ?? Self.refusalLimit, Self.refusalLimit), .idle)
    case .open: nil
    case .closing: limit(Self.closeLimit, .idle)
    }
  }

  /// Fails the connection because of a timeout.
  func fail(at deadline: Deadline) {
    // A missing close frame counts as received, and a rejection as one without a message.
    end(refusal?.end ?? (phase == .closing ? .cancelled : .failed(deadline.error(host: target.authority))))
  }

  private func enter(_ phase: Phase) {
    self.phase = phase
    phaseStart = .now
  }

  private func end(_ end: WebSocketConnection.End) {
    guard !isOver else { return }
    isOver = true
    receive(.ended(end))
  }

  private func failure(_ code: CURLcode) -> NetworkError {
    handle.failure(code).networkError(
      to: target, connection: request.connection, receivedBytes: 0)
  }
}
