/// The reason why a request did not return a complete response. Each description is one line that says what failed,
/// where, and what to do. None contains header values, passwords or query strings.
public enum NetworkError: Error, Sendable, Hashable {
  /// The phase that timed out.
  public enum Phase: String, Sendable, Hashable {
    /// Until the connection is established, including TLS.
    case connect
    /// From there to the first byte of the response.
    case firstByte
    /// Between two reads of the body.
    case idle
    /// The whole request.
    case total
  }

  /// libcurl cannot be loaded. The value says why and what to install.
  case missingLibrary(String)
  /// The URL is invalid; for example, it has no host or is neither http nor https.
  case badURL(url: String, reason: String)
  /// The name or value of a header field is invalid (RFC 9110, section 5.5).
  case badHeader(name: String)
  /// A certificate or key file cannot be read; `purpose` describes its use.
  case unreadableFile(path: String, purpose: String)
  /// A file to upload cannot be read, or became shorter.
  case unreadableUpload(path: String)
  /// The address of the host or proxy was not found.
  case dnsFailure(host: String)
  /// The server refused the connection.
  case connectionRefused(host: String)
  /// The process has reached its limit of open files; `place` is the connection or file to be opened.
  case tooManyOpenFiles(place: String)
  /// The host cannot be reached for another reason.
  case connectionFailed(host: String, reason: String)
  /// The TLS handshake failed.
  case tlsFailure(host: String, reason: String)
  /// The server's certificate is not from a trusted authority, has expired, or is for another host.
  case untrustedCertificate(host: String, reason: String)
  /// The proxy cannot be reached or rejected the request.
  case proxyFailure(proxy: String, reason: String)
  /// The certificate of the https proxy is not from a trusted authority, has expired, or is for another host.
  case untrustedProxyCertificate(proxy: String, reason: String)
  /// A phase exceeded its limit in `HTTPTimeouts`.
  case timeout(phase: Phase, host: String, limit: Duration)
  /// The connection was closed before the response was complete.
  case interrupted(host: String, receivedBytes: Int)
  /// The server closed a kept-alive connection while a request that must not be repeated was sent.
  case notRetried(host: String)
  /// The body exceeded `HTTPRequest.maximumResponseSize`, in bytes.
  case responseTooLarge(host: String, limit: Int)
  /// The server redirected more often than `HTTPRequest.maximumRedirects`.
  case tooManyRedirects(host: String, limit: Int)
  /// A redirect leads to a URL that is not http or https.
  case badRedirect(host: String, location: String)
  /// A redirect would have sent the request's body to an unintended server.
  case redirectRefused(host: String, location: String)
  /// The response is not HTTP.
  case notHTTP(host: String)
  /// The response to a WebSocket upgrade has status 101, but is not a valid handshake.
  case notWebSocket(host: String)
  /// The body has an encoding that this libcurl cannot decode (RFC 9110, section 8.4).
  case unknownEncoding(host: String, encoding: String)
  /// The compressed body cannot be decoded.
  case brokenEncoding(host: String)
  /// The compressed body continues after its end, for example with a second gzip member. libcurl reads only the first.
  case continuedEncoding(host: String)
  /// Another error, with libcurl's message.
  case failed(host: String, reason: String)
}

extension NetworkError {
  /// Whether the network or server failed rather than the request, so that another source, such as the cache, may be
  /// used.
  public var isTransportFailure: Bool {
    switch self {
    case .missingLibrary, .badURL, .badHeader, .unreadableFile, .unreadableUpload, .responseTooLarge,
      .redirectRefused:
      false
    case .dnsFailure, .connectionRefused, .tooManyOpenFiles, .connectionFailed, .tlsFailure, .untrustedCertificate,
      .proxyFailure, .untrustedProxyCertificate, .timeout, .interrupted, .notRetried, .tooManyRedirects, .badRedirect,
      .notHTTP, .notWebSocket,
      .unknownEncoding, .brokenEncoding, .continuedEncoding, .failed:
      true
    }
  }
}

extension NetworkError {
  /// Returns the end of the message about a file: certificates and keys must be in PEM form.
  private static func form(ofFileFor purpose: String) -> String {
    ["certificate", "key"].contains { purpose.contains($0) } ? ", is readable and in PEM form" : " and is readable"
  }

  /// Returns the advice for a refused certificate. Another authority does not help if the host differs or the
  /// certificate has expired.
  private static func remedy(for reason: String, isProxy: Bool = false) -> String {
    let reason = reason.lowercased()
    let skip =
      isProxy
      ? "for your own proxy, skip the check (proxy-insecure)" : "for your own server, skip the check (insecure)"
    if reason.contains("match") { return "use a host name that the certificate has or, \(skip)" }
    if reason.contains("expired") || reason.contains("not yet valid") {
      return "check this computer's clock and have the certificate renewed or, \(skip)"
    }
    return "specify the authority to trust (\(isProxy ? "proxy-cacert" : "cacert")) or, \(skip)"
  }
}

extension NetworkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missingLibrary(let reason): "cannot use the network: \(SingleLineText.line(reason))"
    case .badURL(let url, let reason):
      "'\(SingleLineText.line(url))' is not a valid URL: \(SingleLineText.line(reason))"
    case .badHeader(let name):
      "the header '\(SingleLineText.line(name))' contains an invalid character; check its name and value"
    case .unreadableFile(let path, let purpose):
      "cannot use \(SingleLineText.line(path)) as \(purpose); check that it exists\(Self.form(ofFileFor: purpose))"
    case .unreadableUpload(let path):
      "cannot read \(SingleLineText.line(path)) to its end; check that it exists, is readable and is not being changed"
    case .dnsFailure(let host):
      "no address found for \(SingleLineText.line(host)); check the host name and the network"
    case .connectionRefused(let host):
      "\(SingleLineText.line(host)) refused the connection; check that the server runs and listens on that port"
    case .tooManyOpenFiles(let place):
      "cannot open \(SingleLineText.line(place)): the process has reached its limit of open files (EMFILE); "
        + "raise that limit (ulimit -n) or run fewer requests and subscriptions at a time"
    case .connectionFailed(let host, let reason):
      "cannot connect to \(SingleLineText.line(host)): \(SingleLineText.line(reason)); check the address and the network"
    case .tlsFailure(let host, let reason):
      "no secure connection to \(SingleLineText.line(host)): \(SingleLineText.line(reason)); "
        + (reason.contains("certificate required")
          ? "specify a client certificate that the server accepts (cert, key)"
          : "check that the server speaks https on that port")
    case .untrustedCertificate(let host, let reason):
      "the certificate of \(SingleLineText.line(host)) is not trusted: \(SingleLineText.line(reason)); \(Self.remedy(for: reason))"
    case .proxyFailure(let proxy, let reason):
      "the proxy \(SingleLineText.line(proxy)) failed: \(SingleLineText.line(reason)); check the proxy's address and credentials"
    case .untrustedProxyCertificate(let proxy, let reason):
      "the certificate of the proxy \(SingleLineText.line(proxy)) is not trusted: \(SingleLineText.line(reason)); "
        + Self.remedy(for: reason, isProxy: true)
    case .timeout(let phase, let host, let limit):
      timeoutDescription(phase, SingleLineText.line(host), SingleLineText.milliseconds(limit))
    case .interrupted(let host, let receivedBytes):
      receivedBytes == 0
        ? "\(SingleLineText.line(host)) closed the connection without an answer; try again or look at the server's log"
        : "\(SingleLineText.line(host)) cut the connection after \(receivedBytes) bytes; the response is incomplete"
    case .notRetried(let host):
      "\(SingleLineText.line(host)) closed the connection before it answered; "
        + "the request was not repeated, because it may have taken effect; check before you repeat it"
    case .responseTooLarge(let host, let limit):
      "the response of \(SingleLineText.line(host)) is larger than \(limit) bytes; request less data or raise the limit"
    case .tooManyRedirects(let host, let limit):
      "\(SingleLineText.line(host)) redirected more than \(limit) times; check the URL"
    case .badRedirect(let host, let location):
      "\(SingleLineText.line(host)) redirected to '\(SingleLineText.line(location))', which is not an http or https URL"
    case .redirectRefused(let host, let location):
      "\(SingleLineText.line(host)) redirected the request to another server, \(SingleLineText.line(location)); "
        + "use that URL directly, or allow such redirects (redirect-anywhere)"
    case .notHTTP(let host):
      "\(SingleLineText.line(host)) does not answer in HTTP; check the port and whether it is http or https"
    case .notWebSocket(let host):
      "\(SingleLineText.line(host)) does not answer as a WebSocket server does; check the path of the URL"
    case .unknownEncoding(let host, let encoding):
      "the response of \(SingleLineText.line(host)) is encoded as \(SingleLineText.line(encoding, limit: 60)), which cannot be "
        + "decoded; request it uncompressed (header Accept-Encoding: identity) or check the server"
    case .brokenEncoding(let host):
      "the compressed response of \(SingleLineText.line(host)) is corrupt; try again or check the server"
    case .continuedEncoding(let host):
      "the compressed response of \(SingleLineText.line(host)) continues after its end (a second gzip member), which is not "
        + "supported; request it uncompressed (header Accept-Encoding: identity) or check the server"
    case .failed(let host, let reason):
      "the request to \(SingleLineText.line(host)) failed: \(SingleLineText.line(reason))"
    }
  }

  private func timeoutDescription(_ phase: Phase, _ host: String, _ limit: String) -> String {
    switch phase {
    case .connect: "no connection to \(host) within \(limit); check the address or allow more time"
    case .firstByte: "\(host) did not respond within \(limit); try again or allow more time"
    case .idle: "\(host) sent nothing for \(limit) in the middle of its response, which is incomplete"
    case .total: "the request to \(host) did not complete within \(limit); allow more time"
    }
  }
}
