import ApusSecrets

/// An HTTP request with its timeouts and connection options.
///
/// A value type that stores a single reference, so that copies are cheap.
public struct HTTPRequest: Sendable, Hashable {
  private struct Members: Sendable, Hashable {
    var method: String
    var url: String
    var headers: HTTPHeaders
    var body: [UInt8]?
    var upload: HTTPUpload?
    var timeouts: HTTPTimeouts
    var connection: HTTPConnectionOptions
    var maximumRedirects = 10
    var maximumResponseSize = 1 << 30
    var isRepeatable = true
    var allowsCrossOriginBody = false
    var isLongLived = false
    var ownHeaders: HTTPHeaders = [:]
    var totalStart: ClockInstant?
  }

  private var members: CopyOnWrite<Members>

  /// The method, such as `GET` or `POST` (RFC 9110, section 9).
  public var method: String {
    get { members.value.method }
    set { members.value.method = newValue }
  }
  /// The absolute `http` or `https` URL. A user and password in it are sent as basic authentication.
  public var url: String {
    get { members.value.url }
    set { members.value.url = newValue }
  }
  /// Header fields, in addition to those that the transport adds, such as `Host` and `Content-Length`. A redirect to
  /// another origin gets none of them.
  public var headers: HTTPHeaders {
    get { members.value.headers }
    _modify { yield &members.value.headers }
  }
  /// The body; `nil` for none.
  public var body: [UInt8]? {
    get { members.value.body }
    _modify { yield &members.value.body }
  }
  /// A body that is read while it is sent. It replaces `body`.
  public var upload: HTTPUpload? {
    get { members.value.upload }
    set { members.value.upload = newValue }
  }
  /// Timeouts of the phases.
  public var timeouts: HTTPTimeouts {
    get { members.value.timeouts }
    _modify { yield &members.value.timeouts }
  }
  /// Connection options: HTTP version, proxy, TLS.
  public var connection: HTTPConnectionOptions {
    get { members.value.connection }
    _modify { yield &members.value.connection }
  }
  /// The maximum number of redirects, by default 10. With 0, the caller gets the redirect as the response.
  public var maximumRedirects: Int {
    get { members.value.maximumRedirects }
    set { members.value.maximumRedirects = newValue }
  }
  /// The maximum size of a decoded body in bytes, by default 1 GB. A larger one fails the request.
  public var maximumResponseSize: Int {
    get { members.value.maximumResponseSize }
    set { members.value.maximumResponseSize = newValue }
  }
  /// Whether the request may be sent again if a kept-alive connection was closed. False for mutations.
  public var isRepeatable: Bool {
    get { members.value.isRepeatable }
    set { members.value.isRepeatable = newValue }
  }

  /// Whether a redirect that keeps the body (307 and 308; RFC 9110, sections 15.4.8 and 15.4.9) may lead from https to
  /// http, or a request that is not repeatable, such as a mutation, to another origin. Otherwise such a redirect is an
  /// error.
  public var allowsCrossOriginBody: Bool {
    get { members.value.allowsCrossOriginBody }
    set { members.value.allowsCrossOriginBody = newValue }
  }

  /// Whether the response is expected to be long-lived, as for a subscription. It does not count for connection limits.
  package var isLongLived: Bool {
    get { members.value.isLongLived }
    set { members.value.isLongLived = newValue }
  }

  /// Header fields that the client itself needs, with its own values. A redirect to another origin gets them in place
  /// of `headers`, each of which the user may have typed.
  package var ownHeaders: HTTPHeaders {
    get { members.value.ownHeaders }
    _modify { yield &members.value.ownHeaders }
  }

  /// The instant from which the total time limit counts; `nil` for the instant of sending. Set by `countTotal`.
  var totalStart: ClockInstant? { members.value.totalStart }

  /// Counts the total time limit from an earlier instant, because several requests of one operation share it.
  ///
  /// - Throws: `NetworkError.timeout` if the time is over.
  package mutating func countTotal(from start: ClockInstant) throws(NetworkError) {
    guard let total = timeouts.total else { return }
    guard ClockInstant.now < start + total else { throw totalTimeout }
    members.value.totalStart = start
  }

  /// The error of an exceeded total time limit.
  package var totalTimeout: NetworkError {
    let host = (try? TargetURL(parsing: url))?.authority ?? redactedURL
    return .timeout(phase: .total, host: host, limit: timeouts.total ?? .zero)
  }

  /// Sets a header field to a value of the client, unless the user typed another.
  package mutating func setOwnHeader(_ name: String, _ value: String) {
    ownHeaders[name] = value
    if headers[name] == nil { headers[name] = value }
  }

  /// The URL without user, password, query and fragment, for display.
  public var redactedURL: String { RedactedURL.withoutSecrets(url) }

  /// Creates a request. Other properties have their defaults.
  public init(
    method: String = "GET", url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    timeouts: HTTPTimeouts = .init(), connection: HTTPConnectionOptions = .init()
  ) {
    members = CopyOnWrite(
      Members(method: method, url: url, headers: headers, body: body, timeouts: timeouts, connection: connection))
  }

  public static func == (left: HTTPRequest, right: HTTPRequest) -> Bool {
    left.members.isIdentical(to: right.members) || left.members.value == right.members.value
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(members.value) }

  /// Whether two requests differ at most in the bytes of their bodies.
  func isCarried(like other: HTTPRequest) -> Bool {
    url == other.url && method == other.method && (body == nil) == (other.body == nil) && upload == nil
      && other.upload == nil && headers == other.headers && connection == other.connection
  }
}

/// The timeouts of a request's phases, with millisecond precision; nil for no limit.
public struct HTTPTimeouts: Sendable, Hashable {
  /// Name lookup, connecting, proxy and TLS handshake combined.
  public var connect: Duration? = .seconds(30)
  /// The limit from sending the request to the status line of the response.
  public var firstByte: Duration?
  /// The limit between two reads of the body. There is no default, because a deferred fragment may take long.
  public var idle: Duration?
  /// The whole request: redirects, all attempts, the renewal of a token, the waits between them, and the response to
  /// its last part. For a subscription, it limits each phase until the subscription is active.
  public var total: Duration?

  /// Creates timeouts. Omitted ones, except `connect`, have no limit.
  public init(
    connect: Duration? = .seconds(30), firstByte: Duration? = nil, idle: Duration? = nil, total: Duration? = nil
  ) {
    self.connect = connect
    self.firstByte = firstByte
    self.idle = idle
    self.total = total
  }
}

/// The options of a connection: HTTP version, proxy and TLS.
public struct HTTPConnectionOptions: Sendable, Hashable {
  /// The HTTP versions to offer.
  public enum Version: Sendable, Hashable {
    /// HTTP/2 if negotiated over TLS, otherwise 1.1.
    case automatic
    /// Only HTTP/1.1.
    case http1
    /// HTTP/2 without negotiation, also without TLS, for a server that is known to support it.
    case http2PriorKnowledge
    /// HTTP/3 over QUIC, or an older version. Few builds of libcurl support it; with others the request fails with an
    /// error.
    case http3
  }

  /// The HTTP versions to offer.
  public var version: Version = .automatic
  /// The URL of a proxy. nil uses the environment (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`); an empty
  /// string connects directly.
  public var proxy: String?
  /// Whether any certificate of an https proxy is accepted. `isInsecure` is about the server.
  public var isProxyInsecure = false
  /// A PEM file with the certificate authorities that are trusted for an https proxy, instead of the system's.
  /// `certificateAuthorityFile` is about the server.
  public var proxyCertificateAuthorityFile: String?
  /// A Unix socket to connect to instead of the URL's host.
  public var unixSocket: String?
  /// Whether any certificate is accepted.
  public var isInsecure = false
  /// A PEM file with the trusted certificate authorities, instead of the system's.
  public var certificateAuthorityFile: String?
  /// A PEM file with the client certificate, and optionally its key.
  public var certificateFile: String?
  /// A PEM file with the key of the client certificate; `nil` if it is in `certificateFile`.
  public var keyFile: String?
  /// A netrc file with credentials per host, used if the request has no `Authorization` header.
  public var netrcFile: String?
  /// A cookie file in Netscape format. Its cookies are sent, and cookies from servers are saved to it. It is created if
  /// needed, readable only by the user.
  public var cookieFile: String?
  /// The collector of failures to save cookies, which do not fail a request.
  package var cookieProblems: CookieProblems?
  /// The observer of the connection.
  public var trace: HTTPTrace?

  /// Creates the default options: the system's authorities, the proxy from the environment, HTTP/2 if negotiated.
  public init() {}
}
