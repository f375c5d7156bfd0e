/// One HTTP request: what is sent, to whom, and how long each phase may take.
public struct HTTPRequest: Sendable, Hashable {
  public var method: String
  /// An absolute `http` or `https` URL. A user and a password in it are sent as basic authentication.
  public var url: String
  public var headers: HTTPHeaders
  public var body: [UInt8]?
  /// A body that is read as it is sent; it takes the place of `body`.
  public var upload: HTTPUpload?
  public var timeouts: HTTPTimeouts
  public var connection: HTTPConnectionOptions
  /// How many redirects are followed; 0 hands the redirect itself to the caller.
  public var maximumRedirects = 10
  /// The most bytes of a decoded body that are taken before the request fails.
  public var maximumResponseSize = 1 << 30
  /// Whether the request may be sent again when a kept-alive connection turns out to be dead. A mutation may not.
  public var isRepeatable = true

  /// The URL without user, password, query and fragment: fit to be shown.
  public var shownURL: String { TargetURL.withoutSecrets(url) }

  public init(
    method: String = "GET", url: String, headers: HTTPHeaders = [:], body: [UInt8]? = nil,
    timeouts: HTTPTimeouts = .init(), connection: HTTPConnectionOptions = .init()
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.connection = connection
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
  /// The whole request, redirects included.
  public var total: Duration?

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
    case http1
    /// HTTP/2 at once, also without TLS: the server is known to speak it.
    case http2PriorKnowledge
  }

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
  public var keyFile: String?

  public init() {}
}
