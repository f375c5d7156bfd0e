import ApusASCII

/// The origin of a URL: scheme, host and port (RFC 6454, section 4). `https://api.example/a` and
/// `https://API.example:443/b?c` have the origin `https://api.example`.
///
/// A header is sent only to the origin that it was configured for.
package struct Origin: Hashable, Sendable {
  package let scheme: String
  /// The host in lowercase. An IPv6 address has brackets.
  package let host: String
  /// The port, or the scheme's default port if the URL has none.
  package let port: Int

  package init?(scheme: String, host: String, port: Int?) {
    let scheme = scheme.lowercased()
    guard let ownPort = Self.ports[scheme], !host.isEmpty else { return nil }
    self.scheme = scheme
    self.host = host.lowercased()
    self.port = port ?? ownPort
  }

  /// Creates the origin of an absolute URL; `nil` if the host is written in a way that other parsers could interpret
  /// differently.
  package init?(url: String) {
    guard let separator = url.firstRange(of: "://") else { return nil }
    // Compares bytes, because a slash with a combining mark is a different `Character`.
    let authority = Array(url[separator.upperBound...].utf8.prefix { !"/?#".utf8.contains($0) })
    guard authority.allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\\") }) else { return nil }
    let start = authority.lastIndex(of: UInt8(ascii: "@")).map { $0 + 1 } ?? 0
    guard let (host, port) = Self.split(String(decoding: authority[start...], as: UTF8.self)[...]) else { return nil }
    self.init(scheme: String(url[..<separator.lowerBound]), host: String(host), port: port)
  }

  /// Splits `host:port`, as written in URLs and the `Host` header.
  package static func split(_ place: Substring) -> (host: Substring, port: Int?)? {
    let isAddress = place.first == "["
    let hostEnd = isAddress ? place.firstIndex(of: "]").map(place.index(after:)) : place.firstIndex(of: ":")
    guard !isAddress || hostEnd != nil else { return nil }
    let host = place[..<(hostEnd ?? place.endIndex)]
    let inner = isAddress ? host.dropFirst().dropLast() : host
    guard !inner.isEmpty, inner.utf8.allSatisfy({ isHostByte($0) || isAddress && $0 == UInt8(ascii: ":") }) else {
      return nil
    }
    var rest = place[host.endIndex...]
    if rest.isEmpty { return (host, nil) }
    guard rest.removeFirst() == ":" else { return nil }
    if rest.isEmpty { return (host, nil) }
    guard rest.utf8.allSatisfy(\.isDigit), let port = Int(rest), (1...65_535).contains(port) else {
      return nil
    }
    return (host, port)
  }

  /// Whether the host is this machine, by its name or as an address of the loopback interface.
  package var isLoopback: Bool {
    host == "localhost" || host == "[::1]"
      || host.hasPrefix("127.") && host.utf8.allSatisfy { $0.isDigit || $0 == 0x2E }
  }

  /// Whether credentials can be sent: encrypted, or to this machine.
  package var isSecure: Bool { scheme == "https" || isLoopback }

  private static let ports = ["http": 80, "https": 443]

  private static func isHostByte(_ byte: UInt8) -> Bool {
    byte.isNameByte || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte >= 0x80
  }
}

extension Origin: CustomStringConvertible {
  /// The origin as a URL without a path. A default port is omitted.
  package var description: String { "\(scheme)://\(host)\(Self.ports[scheme] == port ? "" : ":\(port)")" }
}
