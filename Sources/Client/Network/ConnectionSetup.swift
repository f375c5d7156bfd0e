import ApusPlatform
import CApusCurl

/// Sets what says how a connection is made on a curl handle: the same for a request and for a WebSocket.
extension HTTPConnectionOptions {
  func apply(to easy: UnsafeMutableRawPointer) {
    // An empty name is no proxy; curl then need not look through the environment for each request.
    if let proxy = proxy ?? (Self.environmentNamesProxy ? nil : "") { apus_curl_set_string(easy, CURLOPT_PROXY, proxy) }
    if let unixSocket { apus_curl_set_string(easy, CURLOPT_UNIX_SOCKET_PATH, unixSocket) }
    if isInsecure {
      apus_curl_set_long(easy, CURLOPT_SSL_VERIFYPEER, 0)
      apus_curl_set_long(easy, CURLOPT_SSL_VERIFYHOST, 0)
    }
    if let certificateAuthorityFile {
      apus_curl_set_string(easy, CURLOPT_CAINFO, certificateAuthorityFile)
      // The system's folder of authorities would be trusted beside it.
      apus_curl_set_string(easy, CURLOPT_CAPATH, nil)
    }
    if let certificateFile { apus_curl_set_string(easy, CURLOPT_SSLCERT, certificateFile) }
    if let keyFile { apus_curl_set_string(easy, CURLOPT_SSLKEY, keyFile) }
    // Without one OpenSSL asks on the terminal, in the midst of whatever is shown there.
    if certificateFile != nil || keyFile != nil { apus_curl_set_string(easy, CURLOPT_KEYPASSWD, "") }
    if let netrcFile {
      apus_curl_set_long(easy, CURLOPT_NETRC, numericCast(CURL_NETRC_OPTIONAL.rawValue))
      apus_curl_set_string(easy, CURLOPT_NETRC_FILE, netrcFile)
    }
    if let cookieFile { apus_curl_set_string(easy, CURLOPT_COOKIEFILE, cookieFile) }
  }

  private static let proxyVariables = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]

  private static var environmentNamesProxy: Bool { proxyVariables.contains { getenv($0) != nil } }

  /// The proxies that may be used, as they were written: with their passwords.
  var namedProxies: [String] {
    if let proxy { return proxy.isEmpty ? [] : [proxy] }
    return Self.proxyVariables.compactMap { getenv($0).map { String(cString: $0) } }.filter { !$0.isEmpty }
  }

  /// That the files named can be read; what is in them is curl's to judge.
  func check() throws(NetworkError) {
    for (path, purpose) in [
      (certificateAuthorityFile, "the certificate authority"), (certificateFile, "the client certificate"),
      (keyFile, "the client key"), (netrcFile, "the netrc file"),
    ] {
      guard let path else { continue }
      guard isReadable(path) else { throw .unreadableFile(path: path, purpose: purpose) }
    }
    if version == .http3, !apus_curl_has_feature(CURL_VERSION_HTTP3) {
      throw .missingLibrary("this libcurl speaks no HTTP/3; leave it out, or use one that was built with it")
    }
    if let cookieFile { try CookieFile.check(cookieFile) }
  }
}

extension HTTPHeaders {
  /// That no field could break out of its line.
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
