import CApusCurl

/// The certificate of a server as described by libcurl (`CURLOPT_CERTINFO`).
package struct ServerCertificate: Sendable, Hashable {
  package var subject = ""
  /// The subject alternative names.
  package var names = ""
  package var issuer = ""
  package var validFrom = ""
  package var validUntil = ""
  package var signature = ""
  /// The TLS version and cipher; empty if libcurl does not report them.
  package var session = ""

  /// Reads the first certificate of the chain, which is the server's.
  init?(of easy: UnsafeMutableRawPointer) {
    guard let chain = apus_curl_get_certificates(easy)?.pointee, chain.num_of_certs > 0,
      var line = chain.certinfo.pointee
    else { return nil }
    while true {
      if let text = line.pointee.data.map({ String(cString: $0) }), let colon = text.firstIndex(of: ":") {
        add(String(text[..<colon]), String(text[text.index(after: colon)...]))
      }
      guard let next = line.pointee.next else { break }
      line = next
    }
    if subject.isEmpty, names.isEmpty { return nil }
  }

  /// Returns the TLS version and cipher of a running transfer as named by OpenSSL. curl forgets them when the transfer
  /// ends.
  static func session(of easy: UnsafeMutableRawPointer) -> String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
      guard let start = buffer.baseAddress, apus_curl_get_tls_session(easy, start, buffer.count) else { return nil }
      return String(cString: start)
    }
  }

  private mutating func add(_ name: String, _ value: String) {
    switch name {
    case "Subject": subject = value
    case "X509v3 Subject Alternative Name": names = value
    case "Issuer": issuer = value
    case "Start date": validFrom = value
    case "Expire date": validUntil = value
    case "Signature Algorithm": signature = value
    default: break
    }
  }
}
