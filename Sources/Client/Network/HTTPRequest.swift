/// One HTTP request: what is sent, to whom, and how long each phase may take.
///
/// A value; that it is one reference inside makes it cheap to hand on.
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
    var mayLeaveWithBody = false
    var isLongLived = false
  }

  private var members: CopyOnWrite<Members>

  /// The request's method: `GET`, `POST` (RFC 9110, section 9).
  public var method: String {
    get { members.value.method }
    set { members.value.method = newValue }
  }
  /// An absolute `http` or `https` URL. A user and a password in it are sent as basic authentication.
  public var url: String {
    get { members.value.url }
    set { members.value.url = newValue }
  }
  /// The header fields that are sent, beside those that the transport adds by itself, such as `Host` and
  /// `Content-Length`.
  public var headers: HTTPHeaders {
    get { members.value.headers }
    _modify { yield &members.value.headers }
  }
  /// The body's bytes; `nil` for none.
  public var body: [UInt8]? {
    get { members.value.body }
    _modify { yield &members.value.body }
  }
  /// A body that is read as it is sent; it takes the place of `body`.
  public var upload: HTTPUpload? {
    get { members.value.upload }
    set { members.value.upload = newValue }
  }
  /// How long each phase may take.
  public var timeouts: HTTPTimeouts {
    get { members.value.timeouts }
    _modify { yield &members.value.timeouts }
  }
  /// How the connection is made: version of HTTP, proxy, TLS.
  public var connection: HTTPConnectionOptions {
    get { members.value.connection }
    _modify { yield &members.value.connection }
  }
  /// How many redirects are followed, 10 unless said otherwise; 0 hands the redirect itself to the caller.
  public var maximumRedirects: Int {
    get { members.value.maximumRedirects }
    set { members.value.maximumRedirects = newValue }
  }
  /// The most bytes of a decoded body that are taken before the request fails: 1 GB unless said otherwise.
  public var maximumResponseSize: Int {
    get { members.value.maximumResponseSize }
    set { members.value.maximumResponseSize = newValue }
  }
  /// Whether the request may be sent again when a kept-alive connection turns out to be dead. A mutation may not.
  public var isRepeatable: Bool {
    get { members.value.isRepeatable }
    set { members.value.isRepeatable = newValue }
  }

  /// Whether a redirect that keeps the body (307 and 308; RFC 9110, sections 15.4.8 and 15.4.9) may take it from https to
  /// http, or what may not be repeated, a mutation, to another origin. Without it such a redirect is an error.
  public var mayLeaveWithBody: Bool {
    get { members.value.mayLeaveWithBody }
    set { members.value.mayLeaveWithBody = newValue }
  }

  /// Whether the response is expected to last, as that of a subscription: no limit on connections counts it.
  package var isLongLived: Bool {
    get { members.value.isLongLived }
    set { members.value.isLongLived = newValue }
  }

  /// The URL without user, password, query and fragment: fit to be shown.
  public var shownURL: String { TargetURL.withoutSecrets(url) }

  /// A request; everything else has its default, and can be set.
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

  /// Whether all that curl has to be told of both requests is the same but for the bytes of the body.
  func isCarried(like other: HTTPRequest) -> Bool {
    url == other.url && method == other.method && (body == nil) == (other.body == nil) && upload == nil
      && other.upload == nil && headers == other.headers && connection == other.connection
  }
}

/// How long each phase of a request may take; nil is for ever. Precise to the millisecond.
public struct HTTPTimeouts: Sendable, Hashable {
  /// Name lookup, connection, proxy and TLS handshake together.
  public var connect: Duration? = .seconds(30)
  /// From the request's start on the connection to the response's status line.
  public var firstByte: Duration?
  /// Between two reads of the response's body. A deferred part may take its time, so there is no default.
  public var idle: Duration?
  /// The whole request, redirects included. A subscription goes on: there it limits each phase until it is live.
  public var total: Duration?

  /// Limits for the phases; what is left out may take for ever, but for `connect`.
  public init(
    connect: Duration? = .seconds(30), firstByte: Duration? = nil, idle: Duration? = nil, total: Duration? = nil
  ) {
    self.connect = connect
    self.firstByte = firstByte
    self.idle = idle
    self.total = total
  }
}

/// How the connection to the server is made: protocol version, proxy and TLS.
public struct HTTPConnectionOptions: Sendable, Hashable {
  /// The HTTP versions that are offered.
  public enum Version: Sendable, Hashable {
    /// HTTP/2 where TLS agrees on it, else 1.1.
    case automatic
    /// HTTP/1.1 alone.
    case http1
    /// HTTP/2 at once, also without TLS: the server is known to speak it.
    case http2PriorKnowledge
    /// HTTP/3 over QUIC, else an older one. Few libraries have it: with one that has not, a request fails and says so.
    case http3
  }

  /// Which versions of HTTP are offered.
  public var version: Version = .automatic
  /// A proxy's URL. nil takes it from the environment (`http_proxy`, `https_proxy`, `all_proxy`, `no_proxy`),
  /// an empty string connects directly.
  public var proxy: String?
  /// A Unix socket to connect to in place of the URL's host.
  public var unixSocket: String?
  /// Accept any certificate of any host.
  public var isInsecure = false
  /// A PEM file with the authorities to trust, in place of the system's.
  public var certificateAuthorityFile: String?
  /// A PEM file with the client's certificate, and one with its key when that is a file of its own.
  public var certificateFile: String?
  /// A PEM file with the key of the client's certificate; `nil` where it is in `certificateFile`.
  public var keyFile: String?
  /// A netrc file: the user and the password for a host, where the request has no `Authorization` of its own.
  public var netrcFile: String?
  /// A file of cookies, in Netscape's form: what is in it is sent, and what servers set is kept in it. It is made where
  /// there is none, for its user alone.
  public var cookieFile: String?
  /// Hears what goes over each connection.
  public var trace: HTTPTrace?

  /// The system's authorities, the environment's proxy, HTTP/2 where the server agrees.
  public init() {}
}
