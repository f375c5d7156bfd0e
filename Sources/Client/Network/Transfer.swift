import CCurl

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// One request on its way: its curl handle's options, what curl's callbacks bring, its redirects and its deadlines.
/// Lives on the network thread alone.
final class Transfer {
  /// What is over so far; each phase has its own time limit.
  enum Phase { case connecting, waiting, receiving }

  private static let flushSize = 256 << 10
  private static let uploadBufferSize = 64 << 10

  let channel: TransferChannel
  private(set) var request: HTTPRequest
  private(set) var target: TargetURL
  private var handle: UnsafeMutableRawPointer?
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(apus_curl_error_size))

  private var uploading: UploadReader?
  private var toldByteCount = 0

  private let start: ContinuousClock.Instant
  private var hopStart: ContinuousClock.Instant
  private var phase = Phase.connecting
  private var lastProgress: ContinuousClock.Instant
  private var isHeld = false
  private var sendCount = 0

  private var head: HTTPHead?
  private var isHeadDelivered = false
  private var redirectLocation: String?
  private var redirectCount = 0
  private var receivedBytes = 0
  /// Bytes offered since the reader was last woken.
  private var unflushedBytes = 0
  private let notice: (TransferChannel) -> Void
  /// An error of our own that made curl stop; it stands before curl's.
  private var failure: NetworkError?

  /// `notice` hears that the channel has something for its reader.
  init(
    channel: TransferChannel, request: HTTPRequest, start: ContinuousClock.Instant,
    notice: @escaping (TransferChannel) -> Void
  ) throws(NetworkError) {
    self.channel = channel
    self.notice = notice
    self.request = request
    self.start = start
    hopStart = start
    lastProgress = start
    target = try TargetURL(parsing: request.url)
    try request.headers.check()
    try request.connection.check()
  }

  deinit {
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  // MARK: Options

  /// Prepares a handle, new or reset, for the request as it stands now (a redirect changes it).
  func configure(_ easy: UnsafeMutableRawPointer) {
    handle = easy
    let context = Unmanaged.passUnretained(self).toOpaque()
    errorText.pointee = 0
    apus_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    apus_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    apus_curl_leave_quickly(easy)
    apus_curl_allow_only_http(easy)
    apus_curl_keep_sockets_private(easy)
    apus_curl_set_string(easy, CURLOPT_URL, target.text)
    apus_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
    apus_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    apus_curl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
    apus_curl_set_long(easy, CURLOPT_BUFFERSIZE, 64 << 10)
    apus_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int.max >> 33)  // ours is the clock, for every phase
    apus_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION, Self.bodyCallback)
    apus_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    apus_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION, Self.headerCallback)
    apus_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    apus_curl_set_prerequest_callback(easy, Self.prerequestCallback)
    apus_curl_set_pointer(easy, CURLOPT_PREREQDATA, context)
    setConnection(easy)
    setMethodAndBody(easy)
    setHeaders(easy)
  }

  private func setConnection(_ easy: UnsafeMutableRawPointer) {
    let options = request.connection
    let version =
      switch options.version {
      case .automatic: CURL_HTTP_VERSION_2TLS
      case .http1: CURL_HTTP_VERSION_1_1
      case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
      }
    apus_curl_set_long(easy, CURLOPT_HTTP_VERSION, numericCast(version))
    if options.version != .http1, target.scheme == "https" || options.version == .http2PriorKnowledge {
      apus_curl_set_long(easy, CURLOPT_PIPEWAIT, 1)
    }
    options.apply(to: easy)
  }

  private func setMethodAndBody(_ easy: UnsafeMutableRawPointer) {
    uploading = nil
    if let upload = request.upload {
      setUpload(upload, easy)
    } else if let body = request.body {
      apus_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
      body.withUnsafeBytes { bytes in
        _ = apus_curl_set_pointer(easy, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
      }
      if body.isEmpty { apus_curl_set_string(easy, CURLOPT_COPYPOSTFIELDS, "") }
      if request.method != "POST" { apus_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method) }
    } else if request.method == "HEAD" {
      apus_curl_set_long(easy, CURLOPT_NOBODY, 1)
    } else {
      apus_curl_set_long(easy, CURLOPT_HTTPGET, 1)
      if request.method != "GET" { apus_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method) }
    }
  }

  private func setUpload(_ upload: HTTPUpload, _ easy: UnsafeMutableRawPointer) {
    let context = Unmanaged.passUnretained(self).toOpaque()
    uploading = UploadReader(upload)
    toldByteCount = 0
    apus_curl_set_long(easy, CURLOPT_POST, 1)
    apus_curl_set_size(easy, CURLOPT_POSTFIELDSIZE_LARGE, Int64(upload.byteCount))
    apus_curl_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferSize)
    apus_curl_set_data_callback(easy, CURLOPT_READFUNCTION, Self.readCallback)
    apus_curl_set_pointer(easy, CURLOPT_READDATA, context)
    apus_curl_set_seek_callback(easy, Self.seekCallback)
    apus_curl_set_pointer(easy, CURLOPT_SEEKDATA, context)
    if request.method != "POST" { apus_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method) }
  }

  private func setHeaders(_ easy: UnsafeMutableRawPointer) {
    curl_slist_free_all(headerList)
    headerList = curl_slist_append(nil, "Expect:")
    if request.body != nil || request.upload != nil, request.headers["Content-Type"] == nil {
      headerList = curl_slist_append(headerList, "Content-Type:")
    }
    if request.headers["User-Agent"] == nil { headerList = curl_slist_append(headerList, "User-Agent: apus") }
    for field in request.headers.fields {
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      headerList = curl_slist_append(headerList, line)
    }
    apus_curl_set_list(easy, CURLOPT_HTTPHEADER, headerList)
  }

  // MARK: Callbacks

  private static let bodyCallback: apus_curl_data_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      .receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
  }

  private static let headerCallback: apus_curl_data_callback = { bytes, size, count, context in
    guard let context else { return 0 }
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      .receiveHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
    return size * count
  }

  private static let readCallback: apus_curl_data_callback = { bytes, size, count, context in
    guard let context else { return apus_curl_abort_reading }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      .provideBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
  }

  private static let seekCallback: curl_seek_callback = { context, offset, origin in
    guard let context, offset == 0, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().uploading?.rewind()
    return CURL_SEEKFUNC_OK
  }

  private static let prerequestCallback: apus_curl_prerequest_callback = { context, _, _, _, _ in
    guard let context else { return apus_curl_prerequest_abort }
    return Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue().mayBeSent()
      ? apus_curl_prerequest_ok : apus_curl_prerequest_abort
  }

  /// The connection stands and the request is about to be sent: for the first time, or once more by curl's own
  /// doing, since a kept-alive connection was found dead.
  private func mayBeSent() -> Bool {
    sendCount += 1
    if sendCount > 1, !request.isRepeatable {
      failure = .notRepeated(host: target.place)
      return false
    }
    phase = .waiting
    lastProgress = .now
    return true
  }

  private func provideBody(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    do throws(NetworkError) {
      let count = try uploading?.read(into: buffer) ?? 0
      lastProgress = .now
      tellProgress(isDone: count == 0)
      return count
    } catch {
      failure = error
      return apus_curl_abort_reading
    }
  }

  /// Often enough for a bar that moves, seldom enough to cost nothing.
  private func tellProgress(isDone: Bool) {
    guard let total = request.upload?.byteCount, let sent = uploading?.sentByteCount else { return }
    guard sent > toldByteCount, isDone || sent == total || sent - toldByteCount >= total / 200 else { return }
    toldByteCount = sent
    _ = channel.offer(.sent(HTTPUploadProgress(sentByteCount: sent, totalByteCount: total)))
    notice(channel)
  }

  private func receiveHeaderLine(_ line: UnsafeRawBufferPointer) {
    lastProgress = .now
    if isHeadDelivered { return }  // trailers
    var text = String(decoding: line, as: UTF8.self)[...]
    while let last = text.unicodeScalars.last, last == "\r" || last == "\n" { text.unicodeScalars.removeLast() }
    if text.hasPrefix("HTTP/") {
      let words = text.split(separator: " ", maxSplits: 2)
      let status = words.count > 1 ? Int(words[1]) ?? 0 : 0
      head = HTTPHead(
        status: status, version: String(words[0].dropFirst(5)), headers: [:], url: target.shown, arrival: lastProgress)
    } else if text.isEmpty {
      finishHead()
    } else if let colon = text.firstIndex(of: ":") {
      var value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
      while value.last == " " || value.last == "\t" { value.removeLast() }
      head?.headers.add(name: String(text[..<colon]), value: String(value))
    }
  }

  private func finishHead() {
    guard let head, head.status >= 200 else { return }
    phase = .receiving
    if request.maximumRedirects > 0, [301, 302, 303, 307, 308].contains(head.status),
      let location = head.headers["Location"], !location.isEmpty
    {
      redirectLocation = location
      return
    }
    isHeadDelivered = true
    _ = channel.offer(.head(head))
    notice(channel)
  }

  private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
    lastProgress = .now
    if redirectLocation != nil || bytes.isEmpty { return bytes.count }
    guard receivedBytes + bytes.count <= request.maximumResponseSize else {
      failure = .responseTooLarge(host: target.place, limit: request.maximumResponseSize)
      return 0
    }
    let chunk = HTTPChunk(bytes: [UInt8](bytes), arrival: lastProgress)
    guard channel.offer(.bytes(chunk), byteCount: bytes.count) else {
      isHeld = true
      return apus_curl_pause
    }
    receivedBytes += bytes.count
    unflushedBytes += bytes.count
    if unflushedBytes >= Self.flushSize {
      // A long read goes on for a while; the reader may begin.
      unflushedBytes = 0
      channel.flush()
    } else {
      notice(channel)
    }
    return bytes.count
  }

  /// The reader wants more: curl brings again what it was not allowed to.
  func letGo() {
    guard isHeld, let handle else { return }
    isHeld = false
    lastProgress = .now
    curl_easy_pause(handle, 0)
  }

  /// The reader has all it wants: the end may still come in good order, so that the connection can be kept.
  func expectEnd(within limit: Duration) {
    request.timeouts.idle = limit
    lastProgress = .now
  }

  // MARK: Deadlines

  /// The instant at which this transfer fails if nothing more happens; nil when it may wait for ever.
  func deadline() -> (instant: ContinuousClock.Instant, error: NetworkError)? {
    var nearest: (instant: ContinuousClock.Instant, error: NetworkError)?
    func consider(_ limit: Duration?, since: ContinuousClock.Instant, _ phase: NetworkError.Phase) {
      guard let limit else { return }
      let instant = since + limit
      if let nearest, nearest.instant <= instant { return }
      nearest = (instant, .timeout(phase: phase, host: target.place, limit: limit))
    }
    consider(request.timeouts.total, since: start, .total)
    switch phase {
    case .connecting: consider(request.timeouts.connect, since: hopStart, .connect)
    case .waiting: consider(request.timeouts.firstByte, since: lastProgress, .firstByte)
    case .receiving: if !isHeld { consider(request.timeouts.idle, since: lastProgress, .idle) }
    }
    return nearest
  }

  // MARK: The end

  enum Completion { case done, again }

  /// curl is done with the handle. Either the stream ends here, or a redirect asks for another request.
  func complete(_ code: CURLcode) -> Completion {
    if let failure {
      channel.finish(.failure(failure))
      return .done
    }
    if code != CURLE_OK {
      channel.finish(.failure(error(for: code)))
      return .done
    }
    if let location = redirectLocation {
      do throws(NetworkError) {
        try follow(location)
        return .again
      } catch {
        channel.finish(.failure(error))
        return .done
      }
    }
    guard isHeadDelivered else {
      channel.finish(.failure(NetworkError.cut(host: target.place, receivedBytes: 0)))
      return .done
    }
    _ = channel.offer(.end(timings()))
    channel.finish(.success(()))
    return .done
  }

  private func follow(_ location: String) throws(NetworkError) {
    redirectCount += 1
    guard redirectCount <= request.maximumRedirects else {
      throw .tooManyRedirects(host: target.place, limit: request.maximumRedirects)
    }
    let next = try target.resolving(location)
    request.follow(status: head?.status ?? 302, sharesCredentials: target.sharesCredentials(with: next))
    target = next
    redirectLocation = nil
    head = nil
    phase = .connecting
    sendCount = 0
    hopStart = .now
    lastProgress = hopStart
  }

  private func timings() -> HTTPTimings {
    var timings = HTTPTimings()
    guard let handle else { return timings }
    let before = start.duration(to: hopStart)
    func instant(_ info: CURLINFO) -> Duration? {
      let microseconds = apus_curl_get_size(handle, info)
      return microseconds > 0 ? before + .microseconds(microseconds) : nil
    }
    timings.redirects = before
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
    timings.wireByteCount = Int(apus_curl_get_size(handle, CURLINFO_SIZE_DOWNLOAD_T))
    timings.headerByteCount = apus_curl_get_long(handle, CURLINFO_HEADER_SIZE)
    return timings
  }

  private func error(for code: CURLcode) -> NetworkError {
    let failure = CurlFailure(
      code: code, text: String(cString: errorText),
      systemError: handle.map { Int32(truncatingIfNeeded: apus_curl_get_long($0, CURLINFO_OS_ERRNO)) } ?? 0,
      proxyStatus: handle.map { apus_curl_get_long($0, CURLINFO_HTTP_CONNECTCODE) } ?? 0)
    return failure.networkError(
      place: target.place, host: target.host, connection: request.connection, receivedBytes: receivedBytes)
  }
}
