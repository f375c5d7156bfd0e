import ApusPlatform
import ApusSecrets
import CApusCurl

/// A failure reported by curl. This is the only place that converts it to a `NetworkError`.
struct CurlError {
  let code: CURLcode
  let text: String
  let systemError: Int32
  /// The status of the proxy's answer to `CONNECT`; 0 if it did not answer or was not asked.
  let proxyStatus: Int
  /// Whether OpenSSL rejected the certificate of the proxy.
  let rejectsProxyCertificate: Bool
  /// The port of the server or proxy to which the connection was opened; 0 for none.
  let connectedPort: Int

  func networkError(
    to target: TargetURL, connection: HTTPConnectionOptions, receivedBytes: Int
  ) -> NetworkError {
    let (authority, host) = (target.authority, target.host)
    let proxy = Self.shownProxy(connection.proxy)
    // libcurl quotes a malformed proxy with its password.
    let reason = connection.namedProxies.reduce(reason) { $0.replacing($1, with: RedactedURL.withoutSecrets($1)) }
    let systemReason = systemError == 0 ? reason : String(cString: strerror(systemError))
    if let error = tlsErrorOfProxy(to: target, connection, reason) { return error }
    if isLackOfDescriptors { return .tooManyOpenFiles(place: "a connection to \(authority)") }
    switch code {
    case CURLE_URL_MALFORMAT: return .badURL(url: authority, reason: reason)
    case CURLE_COULDNT_RESOLVE_HOST: return .dnsFailure(host: host)
    case CURLE_COULDNT_RESOLVE_PROXY: return .proxyFailure(proxy: proxy, reason: "no address found for it")
    case CURLE_PROXY: return .proxyFailure(proxy: proxy, reason: reason)
    case CURLE_COULDNT_CONNECT:
      if let path = connection.unixSocket { return .connectionFailed(host: "socket \(path)", reason: systemReason) }
      if let named = connection.proxy, !named.isEmpty { return .proxyFailure(proxy: proxy, reason: systemReason) }
      if systemError == ECONNREFUSED { return .connectionRefused(host: authority) }
      return .connectionFailed(host: authority, reason: systemReason)
    case CURLE_OPERATION_TIMEDOUT: return .connectionFailed(host: authority, reason: "timed out")
    case CURLE_SSL_CERTPROBLEM:
      if let key = connection.keyFile, text.contains("private key") {
        return .unreadableFile(path: key, purpose: "the client key")
      }
      let file = connection.certificateFile ?? connection.keyFile ?? "the certificate"
      return .unreadableFile(path: file, purpose: "the client certificate")
    case CURLE_SSL_CACERT_BADFILE:
      return .unreadableFile(
        path: connection.certificateAuthorityFile ?? "the system's bundle", purpose: "the certificate authority")
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
      CURLE_SSL_INVALIDCERTSTATUS:
      return .untrustedCertificate(host: authority, reason: reason)
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_CIPHER,
      CURLE_USE_SSL_FAILED, CURLE_SSL_SHUTDOWN_FAILED, CURLE_SSL_CRL_BADFILE, CURLE_SSL_CLIENTCERT:
      return .tlsFailure(host: authority, reason: hasLostCause(connection, target) ? Self.lostCause : reason)
    case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM:
      if proxyStatus >= 300 { return .proxyFailure(proxy: proxy, reason: "it answered \(proxyStatus)") }
      // With TLS 1.3, a server rejects the client after the handshake.
      if text.contains(" alert ") { return .tlsFailure(host: authority, reason: reason) }
      return .interrupted(host: authority, receivedBytes: receivedBytes)
    case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL: return .notHTTP(host: authority)
    case CURLE_BAD_CONTENT_ENCODING: return .brokenEncoding(host: authority)
    // The body is not written to a file, so this means that libcurl's decoder rejected bytes.
    case CURLE_WRITE_ERROR: return .continuedEncoding(host: authority)
    default: return .failed(host: authority, reason: reason)
    }
  }

  /// Returns the error if the TLS connection to an https proxy failed; `nil` if another one did, such as the one to the
  /// server through the proxy.
  private func tlsErrorOfProxy(
    to target: TargetURL, _ connection: HTTPConnectionOptions, _ reason: String
  ) -> NetworkError? {
    guard let proxy = connection.proxy(for: target.scheme), proxy.lowercased().hasPrefix("https://"),
      proxyStatus == 0, rejectsProxyCertificate && !connection.isProxyInsecure || isConnected(to: proxy, connection)
    else { return nil }
    let shown = RedactedURL.withoutSecrets(proxy)
    switch code {
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS:
      return .untrustedProxyCertificate(proxy: shown, reason: reason)
    case CURLE_SSL_CACERT_BADFILE:
      return .unreadableFile(
        path: connection.proxyCertificateAuthorityFile ?? "the system's bundle",
        purpose: "the certificate authority of the proxy")
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_USE_SSL_FAILED:
      return .proxyFailure(proxy: shown, reason: "no secure connection: \(reason)")
    // With TLS 1.3, a proxy rejects the client after the handshake.
    case CURLE_RECV_ERROR where text.contains(" alert "), CURLE_SEND_ERROR where text.contains(" alert "):
      return .proxyFailure(proxy: shown, reason: "no secure connection: \(reason)")
    default: return nil
    }
  }

  private static let lostCause =
    "its certificate is not trusted (cacert), or it closed the connection; through an https proxy, libcurl reports no cause"

  /// Whether libcurl lost the cause of a TLS failure: sending an alert through the TLS connection to a proxy clears OpenSSL's
  /// list of errors.
  private func hasLostCause(_ connection: HTTPConnectionOptions, _ target: TargetURL) -> Bool {
    proxyStatus == 200 && text.contains("SSL_ERROR_SYSCALL")
      && connection.proxy(for: target.scheme)?.lowercased().hasPrefix("https://") == true
  }

  /// Whether the connection was opened to the proxy. A proxy of the environment may have been skipped because of
  /// `no_proxy`, which libcurl does not report, so its port is compared.
  private func isConnected(to proxy: String, _ connection: HTTPConnectionOptions) -> Bool {
    connection.proxy != nil || Origin(url: proxy)?.port == connectedPort
  }

  /// Whether the process has no free descriptor. libcurl rarely reports this, so the check tries to open one.
  private var isLackOfDescriptors: Bool {
    switch code {
    case CURLE_COULDNT_CONNECT, CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_SSL_CACERT_BADFILE,
      CURLE_SSL_CERTPROBLEM, CURLE_FAILED_INIT, CURLE_OUT_OF_MEMORY:
      systemError == EMFILE || systemError == ENFILE || !FileDescriptor.isAvailable
    default: false
    }
  }

  private var reason: String {
    text.isEmpty ? String(cString: curl_easy_strerror(code)) : text
  }

  private static func shownProxy(_ proxy: String?) -> String {
    guard let proxy, !proxy.isEmpty else { return "named by the environment" }
    return RedactedURL.withoutSecrets(proxy)
  }
}

/// Whether a path leads to a file, not a folder, that this process may read.
func isReadable(_ path: String) -> Bool {
  var status = stat()
  return access(path, R_OK) == 0 && stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
}
