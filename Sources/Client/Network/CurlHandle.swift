import ApusPlatform
import CApusCurl

/// A curl easy handle with its options. If the next request differs only in its body, no other options need to be set.
final class CurlHandle {
  private static let uploadBufferSize = 64 << 10
  /// The size of curl's receive buffer. From 64 KB on, the C library would compact its heap each time a buffer is
  /// freed.
  private static let receiveBufferSize = 60 << 10

  let easy: UnsafeMutableRawPointer
  private let errorText = UnsafeMutablePointer<CChar>.allocate(capacity: Int(apus_curl_error_size))
  private var headerList: UnsafeMutablePointer<curl_slist>?
  /// The request, without its body, that the options belong to; nil if they belong to something else.
  private var prepared: Prepared?
  private struct Prepared {
    let request: HTTPRequest
    let target: TargetURL
  }

  private var isUsed = false
  /// The observer of the connection, kept alive while the options refer to it.
  private var trace: HTTPTrace?
  /// The transfer that curl's callbacks report to.
  var transfer: Transfer?

  init?() {
    guard let easy = curl_easy_init() else { return nil }
    self.easy = easy
    errorText.pointee = 0
  }

  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  /// Resets all options. Connections are not part of the handle and stay open.
  func reset() {
    guard isUsed else { return }
    isUsed = false
    prepared = nil
    curl_easy_reset(easy)
    trace = nil
    curl_slist_free_all(headerList)
    headerList = nil
  }

  /// Returns the target of a request if the previous one was similar, so that nothing needs to be checked again.
  func target(of request: HTTPRequest) -> TargetURL? {
    guard let prepared, prepared.request.isCarried(like: request) else { return nil }
    errorText.pointee = 0
    return prepared.target
  }

  // MARK: Options

  /// Sets the options that requests and WebSockets share. The target must outlive this use of the handle.
  func prepareConnection(to target: TargetURL, _ options: HTTPConnectionOptions) {
    isUsed = true
    errorText.pointee = 0
    apus_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    apus_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    apus_curl_leave_quickly(easy)
    apus_curl_allow_only_http(easy)
    apus_curl_keep_sockets_private(easy)
    apus_curl_set_url(easy, target.parsed.handle)
    apus_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    apus_curl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
    apus_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, Int.max >> 33)  // each phase has its own timeout
    options.apply(to: easy)
    if target.scheme == "https" || target.scheme == "wss" { apus_curl_set_long(easy, CURLOPT_CERTINFO, 1) }
    trace = options.trace
    trace?.apply(to: easy)
  }

  /// Sets all options for a request except its body.
  func prepare(for request: HTTPRequest, _ target: TargetURL) {
    reset()
    prepareConnection(to: target, request.connection)
    apus_curl_set_string(easy, CURLOPT_ACCEPT_ENCODING, "")
    apus_curl_set_long(easy, CURLOPT_BUFFERSIZE, Self.receiveBufferSize)
    setCallbacks()
    if request.upload != nil {
      apus_curl_set_long(easy, CURLOPT_UPLOAD_BUFFERSIZE, Self.uploadBufferSize)
      setUploadCallbacks()
    }
    setVersion(request.connection.version, isTLS: target.scheme == "https")
    setMethod(of: request)
    setHeaders(of: request)
    var bare = request
    bare.body = bare.body == nil ? nil : []
    prepared = Prepared(request: bare, target: target)
  }

  private func setVersion(_ version: HTTPConnectionOptions.Version, isTLS: Bool) {
    let offered =
      switch version {
      case .automatic: CURL_HTTP_VERSION_2TLS
      case .http1: CURL_HTTP_VERSION_1_1
      case .http2PriorKnowledge: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
      case .http3: CURL_HTTP_VERSION_3
      }
    apus_curl_set_long(easy, CURLOPT_HTTP_VERSION, numericCast(offered))
    if version == .http2PriorKnowledge || (version == .automatic || version == .http3) && isTLS {
      apus_curl_set_long(easy, CURLOPT_PIPEWAIT, 1)
    }
  }

  /// Makes the next request reuse an HTTP/2 connection without TLS.
  func joinHTTP2() {
    apus_curl_set_long(easy, CURLOPT_HTTP_VERSION, numericCast(CURL_HTTP_VERSION_2_0))
    prepared = nil
  }

  /// Makes the next request open a new connection.
  func connectAlone() {
    apus_curl_set_long(easy, CURLOPT_FRESH_CONNECT, 1)
    prepared = nil
  }

  /// Whether the current request opened its connection.
  var isConnectionNew: Bool { apus_curl_get_long(easy, CURLINFO_NUM_CONNECTS) > 0 }

  private func setMethod(of request: HTTPRequest) {
    let usual: String
    if request.upload != nil || request.body != nil {
      apus_curl_set_long(easy, CURLOPT_POST, 1)
      usual = "POST"
    } else if request.method == "HEAD" {
      apus_curl_set_long(easy, CURLOPT_NOBODY, 1)
      usual = "HEAD"
    } else {
      apus_curl_set_long(easy, CURLOPT_HTTPGET, 1)
      usual = "GET"
    }
    if request.method != usual { apus_curl_set_string(easy, CURLOPT_CUSTOMREQUEST, request.method) }
  }

  /// The encodings that the loaded libcurl can decode; nil if there are none.
  private static let acceptedEncodings: String? = {
    var names = apus_curl_has_feature(CURL_VERSION_LIBZ) ? ["deflate", "gzip"] : []
    if apus_curl_has_feature(CURL_VERSION_BROTLI) { names.append("br") }
    if apus_curl_has_feature(CURL_VERSION_ZSTD) { names.append("zstd") }
    return names.isEmpty ? nil : names.joined(separator: ", ")
  }()

  /// Whether the loaded libcurl decodes a content encoding.
  static func decodes(_ encoding: String) -> Bool {
    let name = encoding.lowercased().replacing("x-gzip", with: "gzip")
    return ["", "identity", "none"].contains(name)
      || acceptedEncodings?.split(separator: ", ").contains(name[...]) == true
  }

  private func setHeaders(of request: HTTPRequest) {
    headerList = curl_slist_append(nil, "Expect:")
    if request.body != nil || request.upload != nil, request.headers["Content-Type"] == nil {
      headerList = curl_slist_append(headerList, "Content-Type:")
    }
    // Without this, curl would add `*/*`.
    if request.headers["Accept"] == nil { headerList = curl_slist_append(headerList, "Accept:") }
    // curl would add the same two fields, but more slowly: 5 percent of the time of a small request.
    if request.headers["Accept-Encoding"] == nil, let accepted = Self.acceptedEncodings {
      headerList = curl_slist_append(headerList, "Accept-Encoding: \(accepted)")
    }
    if request.headers["User-Agent"] == nil {
      headerList = curl_slist_append(headerList, "User-Agent: \(ApusVersion.userAgent)")
    }
    for field in request.headers.fields {
      let line = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
      headerList = curl_slist_append(headerList, line)
    }
    apus_curl_set_list(easy, CURLOPT_HTTPHEADER, headerList)
  }

  // MARK: Callbacks

  private func setCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    apus_curl_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
      CurlHandle.transfer(of: context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
    }
    apus_curl_set_pointer(easy, CURLOPT_WRITEDATA, context)
    apus_curl_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
      CurlHandle.transfer(of: context)?.receiveHeaderLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
        ?? 0
    }
    apus_curl_set_pointer(easy, CURLOPT_HEADERDATA, context)
    apus_curl_set_prerequest_callback(easy) { context, _, _, _, _ in
      CurlHandle.transfer(of: context)?.mayBeSent() == true ? apus_curl_prerequest_ok : apus_curl_prerequest_abort
    }
    apus_curl_set_pointer(easy, CURLOPT_PREREQDATA, context)
  }

  private func setUploadCallbacks() {
    let context = Unmanaged.passUnretained(self).toOpaque()
    apus_curl_set_data_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
      CurlHandle.transfer(of: context)?.provideBody(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
        ?? apus_curl_abort_reading
    }
    apus_curl_set_pointer(easy, CURLOPT_READDATA, context)
    apus_curl_set_seek_callback(easy) { context, offset, origin in
      guard offset == 0, origin == SEEK_SET, let transfer = CurlHandle.transfer(of: context) else {
        return CURL_SEEKFUNC_CANTSEEK
      }
      transfer.rewindBody()
      return CURL_SEEKFUNC_OK
    }
    apus_curl_set_pointer(easy, CURLOPT_SEEKDATA, context)
  }

  /// Returns the transfer of a callback's context. curl calls back only while the handle is in use, and therefore
  /// alive.
  private static func transfer(of context: UnsafeMutableRawPointer?) -> Transfer? {
    context.flatMap { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue().transfer }
  }

  // MARK: Failures

  func failure(_ code: CURLcode) -> CurlError {
    CurlError(
      code: code, text: String(cString: errorText),
      systemError: Int32(truncatingIfNeeded: apus_curl_get_long(easy, CURLINFO_OS_ERRNO)),
      proxyStatus: apus_curl_get_long(easy, CURLINFO_HTTP_CONNECTCODE),
      rejectsProxyCertificate: apus_curl_get_long(easy, CURLINFO_PROXY_SSL_VERIFYRESULT) != 0,
      connectedPort: apus_curl_get_long(easy, CURLINFO_PRIMARY_PORT))
  }
}
