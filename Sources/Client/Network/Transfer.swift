import ApusPlatform
import ApusSecrets
import CApusCurl

/// A running request: the results of curl's callbacks, redirects and deadlines. Used by one thread at a time.
///
/// Properties with `@exclusivity(unchecked)` are accessed in single statements that do not call back into this object,
/// so accesses cannot overlap and checks would only cost time.
final class Transfer {
  /// The current phase. Each one has its own timeout.
  enum Phase { case connecting, waiting, receiving }

  private struct Status {
    let code: Int
    let version: String
    let arrival: ClockInstant
  }

  private static let flushSize = 256 << 10
  /// The maximum bytes in all heads and trailers together. libcurl limits heads to 300 KiB, but not trailers, so that a
  /// server could send them forever.
  private static let headLimit = 256 << 10

  let channel: TransferChannel
  private(set) var request: HTTPRequest
  private(set) var target: TargetURL
  let handle: CurlHandle
  /// Whether the handle is already prepared for a similar request, and only needs the body.
  private var isPrepared = false
  @exclusivity(unchecked) private var reuse = HTTP2Reuse()

  private var uploading: UploadReader?
  private var reportedByteCount = 0

  private let start: ClockInstant
  /// The time at which the request got a connection; equal to `start` if it did not wait.
  private let begun: ClockInstant
  private var hopStart: ClockInstant
  private var phase = Phase.connecting
  @exclusivity(unchecked) private var lastProgress: ClockInstant
  private var isHeld = false
  /// Whether the transfer must be paused after curl's current work.
  private var isToBeHeld = false
  /// The encodings of the body that curl decodes. A few bytes may decode to any number of bytes.
  private var encodings: [String] = []
  private var isEncoded: Bool { !encodings.isEmpty }
  private var sendCount = 0

  /// The status line and its arrival time.
  @exclusivity(unchecked) private var status: Status?
  @exclusivity(unchecked) private var headerBlock = HeaderBlock()
  private var headByteCount = 0
  private var isHeadDelivered = false
  /// Whether the response is multipart or an event stream, which may last indefinitely.
  private var isLongLived: Bool
  private var redirectLocation: String?
  /// The TLS version and cipher of a new connection.
  private var tlsSession: String?
  private var redirectCount = 0
  private var changedToGET = false
  private var receivedBytes = 0
  /// The number of bytes offered since the reader was last woken.
  private var unflushedBytes = 0
  private let news: ChannelNotifier
  /// The error that made this object abort the transfer. It takes precedence over curl's.
  private var failure: NetworkError?

  init(
    channel: TransferChannel, handle: CurlHandle, news: ChannelNotifier, begun: ClockInstant
  ) throws(NetworkError) {
    self.channel = channel
    self.news = news
    self.handle = handle
    request = channel.request
    isLongLived = channel.request.isLongLived
    start = channel.start
    self.begun = begun
    hopStart = begun
    lastProgress = begun
    if let parsedTarget = handle.target(of: request) {
      target = parsedTarget
      isPrepared = true
    } else {
      target = try TargetURL(parsing: request.url)
      try request.headers.check()
      try request.connection.check()
    }
  }

  // MARK: Limits on connections

  /// Whether it counts for connection limits. Long-lived and paused responses do not.
  var takesConnection: Bool { !isLongLived && !isHeld }

  var waitingHost: WaitingRequests.Host { WaitingRequests.Host(target, request.connection) }

  /// Whether other requests can share the connection; nil before the response shows it.
  var sharesConnection: Bool? {
    if request.connection.version == .http2PriorKnowledge { return true }
    return status.map { $0.version.hasPrefix("2") || $0.version.hasPrefix("3") }
  }

  /// Whether the response lasts as long as the server has data.
  private static func isLongLived(_ headers: HTTPHeaders) -> Bool {
    let type = headers["Content-Type"]?.lowercased() ?? ""
    return type.hasPrefix("multipart/") || type.hasPrefix("text/event-stream")
  }

  // MARK: Options

  /// Prepares the handle for the current request, which may be the result of a redirect.
  func configure() {
    if !isPrepared { handle.prepare(for: request, target) }
    isPrepared = false
    handle.transfer = self
    let reuse = reuse
    reuse.apply(to: handle)
    let easy = handle.easy
    // Other handles may have saved cookies since.
    if request.connection.cookieFile != nil { apus_curl_set_string(easy, CURLOPT_COOKIELIST, "RELOAD") }
    uploading = nil
    if let upload = request.upload {
      uploading = UploadReader(upload)
      reportedByteCount = 0
      apus_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(upload.byteCount))
    } else if let body = request.body {
      apus_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
      if body.isEmpty { apus_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, "") }
      body.withUnsafeBytes { bytes in
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
        _ = apus_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: start))
      }
    }
  }

  // MARK: Callbacks

  /// Returns whether the request may be sent. Called when it is connected, and again if curl found a kept-alive
  /// connection closed.
  func mayBeSent() -> Bool {
    if request.connection.version == .http2PriorKnowledge, reuse.isAmiss(on: handle) { return false }
    sendCount += 1
    if sendCount > 1, !request.isRepeatable {
      failure = .notRetried(host: target.authority)
      return false
    }
    phase = .waiting
    lastProgress = .now
    return true
  }

  func rewindBody() { uploading?.rewind() }

  func provideBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    do throws(NetworkError) {
      let count = try uploading?.read(into: buffer) ?? 0
      lastProgress = .now
      reportProgress(isDone: count == 0)
      return count
    } catch {
      failure = error
      return apus_curl_abort_reading
    }
  }

  /// Reports progress at most 200 times per upload.
  private func reportProgress(isDone: Bool) {
    guard let total = request.upload?.byteCount, let sent = uploading?.sentByteCount else { return }
    guard sent > reportedByteCount, isDone || sent == total || sent - reportedByteCount >= total / 200 else { return }
    reportedByteCount = sent
    _ = channel.offer(.sent(HTTPUploadProgress(sentByteCount: sent, totalByteCount: total)))
    news.add(channel)
  }

  /// Processes a line of the head. Returns the number of bytes consumed; a smaller number aborts the transfer.
  func receiveHeaderLine(_ line: UnsafeRawBufferPointer) -> Int {
    headByteCount += line.count
    guard headByteCount <= Self.headLimit else {
      failure = longHead
      return 0
    }
    // Trailers are ignored.
    if !isHeadDelivered { processHeadLine(line) }
    return line.count
  }

  private func processHeadLine(_ line: UnsafeRawBufferPointer) {
    switch HeadLine(line) {
    case .status(let status, let version):
      lastProgress = .now
      self.status = Status(code: status, version: version, arrival: lastProgress)
      headerBlock = HeaderBlock()
    case .field: headerBlock.add(line)
    case .end: finishHead()
    }
  }

  private func finishHead() {
    guard let status, status.code >= 200 else { return }
    phase = .receiving
    let headers = HTTPHeaders(headerBlock)
    // Saved before the response is delivered, because the program may exit when it is.
    if let file = request.connection.cookieFile, headers["Set-Cookie"] != nil {
      do throws(FileReplacement.Failure) { try CookieFile.save(handle.easy, to: file) } catch {
        request.connection.cookieProblems?.add("\(file): \(error)")
      }
    }
    let head = HTTPHead(
      status: status.code, version: status.version, headers: headers, url: target.shown, changedToGET: changedToGET,
      arrival: status.arrival)
    if request.maximumRedirects > 0, let location = head.redirectLocation {
      redirectLocation = location
      return
    }
    isHeadDelivered = true
    if Self.isLongLived(headers) { isLongLived = true }
    encodings = headers["Content-Encoding"] == nil ? [] : Self.encodings(in: headers)
    if target.scheme == "https", apus_curl_get_long(handle.easy, CURLINFO_NUM_CONNECTS) > 0 {
      tlsSession = ServerCertificate.session(of: handle.easy)
    }
    _ = channel.offer(.head(head))
    news.add(channel)
  }

  private static func encodings(in headers: HTTPHeaders) -> [String] {
    headers.values(of: "Content-Encoding").flatMap { $0.split(separator: ",") }
      .map { $0.filter { !$0.isWhitespace } }
  }

  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastProgress = .now
    if redirectLocation != nil || bytes.isEmpty { return bytes.count }
    guard receivedBytes + bytes.count <= request.maximumResponseSize else {
      failure = .responseTooLarge(host: target.authority, limit: request.maximumResponseSize)
      return 0
    }
    let chunk = HTTPChunk(bytes: [UInt8](bytes), arrival: lastProgress)
    // libcurl keeps at most 64 MB of decoded bytes for a paused transfer, and fails beyond that. Therefore all bytes that
    // it decodes from one read are taken, up to the limit of the response, and the transfer is paused afterwards.
    if !channel.offer(.bytes(chunk), byteCount: bytes.count, mustFit: isEncoded) {
      guard isEncoded else {
        isHeld = true
        return apus_curl_pause
      }
      isToBeHeld = true
      news.mustPause = true
    }
    receivedBytes += bytes.count
    unflushedBytes += bytes.count
    if unflushedBytes >= Self.flushSize {
      // A long read takes a while, so wake the reader now.
      unflushedBytes = 0
      channel.flush()
    } else {
      news.add(channel)
    }
    return bytes.count
  }

  /// Pauses the transfer if its reader is slow. Called when curl does not work.
  func pauseIfNeeded() {
    guard isToBeHeld else { return }
    isToBeHeld = false
    isHeld = true
    curl_easy_pause(handle.easy, 1)  // CURLPAUSE_RECV
  }

  /// Resumes a paused transfer.
  func resume() {
    guard isHeld else { return }
    isHeld = false
    lastProgress = .now
    curl_easy_pause(handle.easy, 0)
  }

  /// Sets a timeout for the end of the response. A normal end allows the connection to be reused.
  func expectEnd(within limit: Duration) {
    var request = request
    request.timeouts.idle = limit
    self.request = request
    lastProgress = .now
  }

  // MARK: Deadlines

  /// Returns the instant at which this transfer times out; nil if it has no limit.
  func deadline() -> Deadline? {
    var nearest: Deadline?
    func consider(_ limit: Duration?, since: ClockInstant, _ phase: NetworkError.Phase) {
      guard let limit else { return }
      let instant = since + limit
      if let nearest, nearest.instant <= instant { return }
      nearest = Deadline(instant: instant, phase: phase, limit: limit)
    }
    consider(request.timeouts.total, since: request.totalStart ?? start, .total)
    switch phase {
    case .connecting: consider(request.timeouts.connect, since: hopStart, .connect)
    case .waiting: consider(request.timeouts.firstByte, since: lastProgress, .firstByte)
    case .receiving: if !isHeld { consider(request.timeouts.idle, since: lastProgress, .idle) }
    }
    return nearest
  }

  /// Fails the transfer because of a timeout.
  func fail(at deadline: Deadline) {
    var host = target.authority
    if deadline.phase == .connect, let proxy = request.connection.proxy, !proxy.isEmpty {
      host += " through the proxy \(RedactedURL.withoutSecrets(proxy))"
    }
    channel.finish(throwing: deadline.error(host: host))
  }

  // MARK: The end

  enum Completion { case done, again }

  /// Processes the end of curl's transfer: ends the stream, or follows a redirect.
  func complete(_ code: CURLcode) -> Completion {
    if let failure {
      channel.finish(throwing: failure)
      return .done
    }
    if code == CURLE_ABORTED_BY_CALLBACK, reuse.isRethought { return .again }
    if code != CURLE_OK {
      channel.finish(throwing: error(for: code))
      return .done
    }
    if let location = redirectLocation {
      do throws(NetworkError) {
        try follow(location)
        return .again
      } catch {
        channel.finish(throwing: error)
        return .done
      }
    }
    guard isHeadDelivered else {
      channel.finish(throwing: NetworkError.interrupted(host: target.authority, receivedBytes: 0))
      return .done
    }
    _ = channel.offer(.end(timings()))
    channel.finish()
    return .done
  }

  private func follow(_ location: String) throws(NetworkError) {
    redirectCount += 1
    guard redirectCount <= request.maximumRedirects else {
      throw .tooManyRedirects(host: target.authority, limit: request.maximumRedirects)
    }
    let next = try target.resolving(location)
    var request = request
    request.follow(status: status?.code ?? 302, sharesCredentials: target.sharesCredentials(with: next))
    guard request.mayFollow(from: target, to: next) else {
      throw .redirectRefused(host: target.authority, location: next.shown)
    }
    if request.method != self.request.method { changedToGET = true }
    request.url = next.text
    self.request = request
    target = next
    redirectLocation = nil
    status = nil
    headByteCount = 0
    phase = .connecting
    reuse = HTTP2Reuse()
    sendCount = 0
    hopStart = .now
    lastProgress = hopStart
  }

  private func timings() -> HTTPTimings {
    var timings = HTTPTimings()
    let handle = handle.easy
    let before = start.duration(to: hopStart)
    func instant(_ info: CURLINFO) -> Duration? {
      let microseconds = apus_curl_get_size(handle, info)
      return microseconds > 0 ? before + .microseconds(microseconds) : nil
    }
    timings.queue = start.duration(to: begun)
    timings.redirects = begun.duration(to: hopStart)
    timings.isConnectionReused = apus_curl_get_long(handle, CURLINFO_NUM_CONNECTS) == 0
    if !timings.isConnectionReused {
      timings.nameLookup = instant(CURLINFO_NAMELOOKUP_TIME_T) ?? .zero
      timings.connect = instant(CURLINFO_CONNECT_TIME_T) ?? .zero
      timings.tls = instant(CURLINFO_APPCONNECT_TIME_T)
    } else if target.scheme == "https" {
      timings.tls = .zero
    }
    timings.request = instant(CURLINFO_PRETRANSFER_TIME_T) ?? .zero
    timings.firstByte = instant(CURLINFO_STARTTRANSFER_TIME_T) ?? .zero
    timings.lastByte = instant(CURLINFO_TOTAL_TIME_T) ?? start.duration(to: .now)
    timings.remoteAddress = apus_curl_get_string(handle, CURLINFO_PRIMARY_IP).map { String(cString: $0) } ?? ""
    timings.remotePort = apus_curl_get_long(handle, CURLINFO_PRIMARY_PORT)
    timings.proxy = request.connection.proxy.map { proxy in
      proxy.lastIndex(of: "@").map { String(proxy[proxy.index(after: $0)...]) } ?? proxy
    }
    if !timings.isConnectionReused {
      timings.certificate = ServerCertificate(of: handle)
      timings.certificate?.session = tlsSession ?? ""
    }
    timings.wireByteCount = Int(apus_curl_get_size(handle, CURLINFO_SIZE_DOWNLOAD_T))
    timings.headerByteCount = apus_curl_get_long(handle, CURLINFO_HEADER_SIZE)
    return timings
  }

  private var longHead: NetworkError {
    .failed(host: target.authority, reason: "the fields of its response are longer than \(Self.headLimit >> 10) KiB")
  }

  private func error(for code: CURLcode) -> NetworkError {
    // libcurl's error for a single line without an end.
    if code == CURLE_OUT_OF_MEMORY, !isHeadDelivered { return longHead }
    let error = handle.failure(code).networkError(
      to: target, connection: request.connection, receivedBytes: receivedBytes)
    if case .brokenEncoding = error, let unknown = encodings.first(where: { !CurlHandle.decodes($0) }) {
      return .unknownEncoding(host: target.authority, encoding: unknown)
    }
    // The user entered another URL.
    if redirectCount > 0, case .badURL = error {
      return .badRedirect(host: channel.request.redactedURL, location: target.shown)
    }
    return error
  }
}
