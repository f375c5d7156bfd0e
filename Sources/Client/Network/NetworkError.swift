/// Why a request did not bring a whole response. Each case tells in one line what failed, where, and what to do;
/// none of them holds a header's value, a password or a query string.
public enum NetworkError: Error, Sendable, Hashable {
  /// The phase in which time ran out.
  public enum Phase: String, Sendable, Hashable {
    /// Until the connection was there, TLS included.
    case connect
    /// From there to the response's first byte.
    case firstByte
    /// Between two reads of the body.
    case idle
    /// The whole request.
    case total
  }

  /// libcurl is not there: why, and what to install.
  case missingLibrary(String)
  /// The URL cannot be sent to; `reason` says why: it has no host, say, or is neither http nor https.
  case badURL(url: String, reason: String)
  /// A header field has a name or a value that no header may have (RFC 9110, section 5.5).
  case badHeader(name: String)
  /// A file with certificates or a key cannot be used; `purpose` says what it was to be.
  case unreadableFile(path: String, purpose: String)
  /// A file to be sent cannot be read, or is shorter than it was.
  case unreadableUpload(path: String)
  /// No address was found for the host, or for the proxy.
  case dnsFailure(host: String)
  /// Nobody listens there.
  case connectionRefused(host: String)
  /// The process has as many files and connections open as the system allows; `place` names the connection or file.
  case tooManyOpenFiles(place: String)
  /// There is no way to the host, for another reason.
  case connectionFailed(host: String, reason: String)
  /// The TLS handshake failed.
  case tlsFailure(host: String, reason: String)
  /// The server's certificate is of no authority that is trusted, has expired, or is another host's.
  case untrustedCertificate(host: String, reason: String)
  /// The proxy cannot be reached or refused.
  case proxyFailure(proxy: String, reason: String)
  /// A phase took longer than `HTTPTimeouts` allows.
  case timeout(phase: Phase, host: String, limit: Duration)
  /// The connection ended before the response did.
  case cut(host: String, receivedBytes: Int)
  /// The server closed a kept-alive connection as a request that may not be repeated was sent on it.
  case notRepeated(host: String)
  /// The body grew beyond `HTTPRequest.maximumResponseSize`, in bytes.
  case responseTooLarge(host: String, limit: Int)
  /// The server redirected more often than `HTTPRequest.maximumRedirects`.
  case tooManyRedirects(host: String, limit: Int)
  /// A redirect leads to something that is no http or https URL.
  case badRedirect(host: String, location: String)
  /// A redirect would have taken the request's body where nobody meant it to go.
  case redirectRefused(host: String, location: String)
  /// What the server sent is no HTTP.
  case notHTTP(host: String)
  /// The upgrade to a WebSocket was answered with 101, but not as a WebSocket server does.
  case notWebSocket(host: String)
  /// The compressed body cannot be decompressed.
  case brokenEncoding(host: String)
  /// The compressed body continues after its end, with a second gzip member, for example; libcurl reads only the first.
  case continuedEncoding(host: String)
  /// Something else failed, in libcurl's words.
  case failed(host: String, reason: String)
}

extension NetworkError {
  /// Whether the network or the server failed, rather than the request: another source may answer in their place.
  public var isTransportFailure: Bool {
    switch self {
    case .missingLibrary, .badURL, .badHeader, .unreadableFile, .unreadableUpload, .responseTooLarge,
      .redirectRefused:
      false
    default: true
    }
  }
}

extension NetworkError: CustomStringConvertible {
  public var description: String {
    switch self {
    case .missingLibrary(let reason): "cannot use the network: \(PlainText.line(reason))"
    case .badURL(let url, let reason):
      "“\(PlainText.line(url))” is not a URL to send to: \(PlainText.line(reason))"
    case .badHeader(let name):
      "the header “\(PlainText.line(name))” holds a character that no header may hold; check its name and value"
    case .unreadableFile(let path, let purpose):
      "cannot use \(PlainText.line(path)) as \(purpose); check that it is there, readable and in PEM form"
    case .unreadableUpload(let path):
      "cannot read \(PlainText.line(path)) to its end; check that it is there, readable and not being changed"
    case .dnsFailure(let host):
      "no address found for \(PlainText.line(host)); check the host name and the network"
    case .connectionRefused(let host):
      "\(PlainText.line(host)) refused the connection; check that the server runs and listens on that port"
    case .tooManyOpenFiles(let place):
      "cannot open \(PlainText.line(place)): the process has as many files and connections open as it may (EMFILE); "
        + "raise that limit (ulimit -n) or run fewer requests and subscriptions at a time"
    case .connectionFailed(let host, let reason):
      "cannot connect to \(PlainText.line(host)): \(PlainText.line(reason)); check the address and the network"
    case .tlsFailure(let host, let reason):
      "no secure connection to \(PlainText.line(host)): \(PlainText.line(reason)); "
        + "check that the server speaks https on that port"
    case .untrustedCertificate(let host, let reason):
      "the certificate of \(PlainText.line(host)) is not trusted: \(PlainText.line(reason)); "
        + "name the authority to trust (cacert) or, for a server of your own, skip the check (insecure)"
    case .proxyFailure(let proxy, let reason):
      "the proxy \(PlainText.line(proxy)) failed: \(PlainText.line(reason)); check the proxy's address and credentials"
    case .timeout(let phase, let host, let limit):
      timeoutDescription(phase, PlainText.line(host), PlainText.milliseconds(limit))
    case .cut(let host, let receivedBytes):
      receivedBytes == 0
        ? "\(PlainText.line(host)) closed the connection without an answer; try again or look at the server's log"
        : "\(PlainText.line(host)) cut the connection after \(receivedBytes) bytes; the response is not whole"
    case .notRepeated(let host):
      "\(PlainText.line(host)) closed the connection before it answered; "
        + "the request was not sent again, for it may have taken effect: look before you repeat it"
    case .responseTooLarge(let host, let limit):
      "the response of \(PlainText.line(host)) is larger than \(limit) bytes; ask for less or raise the limit"
    case .tooManyRedirects(let host, let limit):
      "\(PlainText.line(host)) redirected more than \(limit) times; check the URL"
    case .badRedirect(let host, let location):
      "\(PlainText.line(host)) redirected to “\(PlainText.line(location))”, which is no http or https URL"
    case .redirectRefused(let host, let location):
      "\(PlainText.line(host)) redirected to \(PlainText.line(location)), where what was sent would have gone along; "
        + "use that URL if it is the right one, or allow it (redirect-anywhere)"
    case .notHTTP(let host):
      "\(PlainText.line(host)) does not answer in HTTP; check the port and whether it is http or https"
    case .notWebSocket(let host):
      "\(PlainText.line(host)) does not answer as a WebSocket server does; check the path of the URL"
    case .brokenEncoding(let host):
      "the compressed response of \(PlainText.line(host)) is damaged; try again or look at the server"
    case .continuedEncoding(let host):
      "the compressed response of \(PlainText.line(host)) continues after its end (a second gzip member), which is not "
        + "read; request it uncompressed (header Accept-Encoding: identity) or look at the server"
    case .failed(let host, let reason):
      "the request to \(PlainText.line(host)) failed: \(PlainText.line(reason))"
    }
  }

  private func timeoutDescription(_ phase: Phase, _ host: String, _ limit: String) -> String {
    switch phase {
    case .connect: "no connection to \(host) within \(limit); check the address or allow more time"
    case .firstByte: "\(host) did not begin to answer within \(limit); try again or allow more time"
    case .idle: "\(host) sent nothing for \(limit) in the middle of its response; it is not whole"
    case .total: "the request to \(host) was not done within \(limit); allow more time"
    }
  }
}

/// Text from elsewhere, made fit for one line of a terminal.
package enum PlainText {
  /// Control characters (and those that turn the direction of text) become spaces, runs of white space one space;
  /// what is longer than `limit` characters is cut with an ellipsis.
  package static func line(_ text: String, limit: Int = 300) -> String {
    var result = ""
    var count = 0
    var pendingSpace = false
    for scalar in text.unicodeScalars {
      if isBlank(scalar) {
        pendingSpace = !result.isEmpty
        continue
      }
      guard count < limit else { return result + "…" }
      if pendingSpace {
        result.append(" ")
        count += 1
        pendingSpace = false
      }
      result.unicodeScalars.append(scalar)
      count += 1
    }
    return result
  }

  private static func isBlank(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate: true
    default: false
    }
  }

  package static func milliseconds(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
    return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
  }
}
