import ApusPlatform
import CApusCurl

/// Applies connection options to a curl handle, for requests and for WebSockets.
extension HTTPConnectionOptions {
  func apply(to easy: UnsafeMutableRawPointer) {
    // An empty name means no proxy, which saves curl from searching the environment on each request.
    if let proxy = proxy ?? (Self.environmentNamesProxy ? nil : "") { apus_curl_set_string(easy, CURLOPT_PROXY, proxy) }
    if isProxyInsecure {
      apus_curl_set_long(easy, CURLOPT_PROXY_SSL_VERIFYPEER, 0)
      apus_curl_set_long(easy, CURLOPT_PROXY_SSL_VERIFYHOST, 0)
    }
    if let proxyCertificateAuthorityFile {
      apus_curl_set_string(easy, CURLOPT_PROXY_CAINFO, proxyCertificateAuthorityFile)
      apus_curl_set_string(easy, CURLOPT_PROXY_CAPATH, nil)
    }
    if let unixSocket { apus_curl_set_string(easy, CURLOPT_UNIX_SOCKET_PATH, unixSocket) }
    if isInsecure {
      apus_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
      apus_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
    }
    if let certificateAuthorityFile {
      apus_curl_set_string(easy, CURLOPT_CAINFO, certificateAuthorityFile)
      // Otherwise the system's certificate folder would be trusted as well.
      apus_curl_set_string(easy, CURLOPT_CAPATH, nil)
    }
    if let certificateFile { apus_curl_set_string(easy, CURLOPT_SSLCERT, certificateFile) }
    if let keyFile { apus_curl_set_string(easy, CURLOPT_SSLKEY, keyFile) }
    // Without a password OpenSSL would prompt on the terminal, over the screen.
    if certificateFile != nil || keyFile != nil { apus_curl_set_string(easy, CURLOPT_KEYPASSWD, "") }
    if let netrcFile {
      apus_curl_set_long(easy, CURLOPT_NETRC, numericCast(CURL_NETRC_OPTIONAL.rawValue))
      apus_curl_set_string(easy, CURLOPT_NETRC_FILE, netrcFile)
    }
    if let cookieFile { apus_curl_set_string(easy, CURLOPT_COOKIEFILE, cookieFile) }
  }

  private static let proxyVariables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  private static var environmentNamesProxy: Bool { proxyVariables.contains { getenv($0) != nil } }

  /// The proxies that may be used, including their passwords.
  package var namedProxies: [String] {
    if let proxy { return proxy.isEmpty ? [] : [proxy] }
    return Self.proxyVariables.compactMap { getenv($0).map { String(cString: $0) } }.filter { !$0.isEmpty }
  }

  /// Returns the URL of the proxy for targets of a scheme, given or from the environment; `nil` for none. Exceptions in
  /// `no_proxy` are not considered.
  func proxy(for scheme: String) -> String? {
    if let proxy { return proxy.isEmpty ? nil : proxy }
    let own = scheme == "https" ? ["https_proxy", "HTTPS_PROXY"] : ["http_proxy"]
    let named = (own + ["all_proxy", "ALL_PROXY"]).lazy.compactMap { getenv($0).map { String(cString: $0) } }
    return named.first { !$0.isEmpty }
  }

  /// Checks that the given files are readable. curl checks their contents.
  func check() throws(NetworkError) {
    for (path, purpose) in [
      (certificateAuthorityFile, "the certificate authority"),
      (proxyCertificateAuthorityFile, "the certificate authority of the proxy"),
      (certificateFile, "the client certificate"),
      (keyFile, "the client key"), (netrcFile, "the netrc file"),
    ] {
      guard let path else { continue }
      guard isReadable(path) else { throw .unreadableFile(path: path, purpose: purpose) }
    }
    if version == .http3, !apus_curl_has_feature(CURL_VERSION_HTTP3) {
      throw .missingLibrary("this libcurl was built without HTTP/3; drop --http3")
    }
    if let cookieFile { try CookieFile.check(cookieFile) }
  }
}

extension HTTPHeaders {
  /// Checks that no field contains a line break.
  func check() throws(NetworkError) {
    for field in fields {
      let isName = { (byte: UInt8) in byte > 0x20 && byte < 0x7F && byte != 0x3A }
      let isValue = { (byte: UInt8) in byte >= 0x20 && byte != 0x7F || byte == 0x09 }
      guard !field.name.isEmpty, field.name.utf8.allSatisfy(isName), field.value.utf8.allSatisfy(isValue) else {
        throw .badHeader(name: field.name)
      }
    }
  }
}
