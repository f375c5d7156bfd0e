import ApusSecrets

/// Which web pages may use the server. Any page in the user's browser can send requests to this machine.
///
/// 1. A request must be for a loopback name: a page that lets its own name lead here (DNS rebinding) is refused.
/// 2. Only pages of origins that the user named may read an answer (CORS, Fetch Standard, section 3.2).
/// 3. A WebSocket is opened by programs, by the server's own pages, and by those of rule 2: CORS does not cover it.
package struct BrowserAccess: Sendable {
  /// The origins as a browser writes them; `*` for every page.
  private let allowed: Set<String>

  /// No page but the server's own.
  package init() { allowed = [] }

  /// Pages of these origins, too. `nil` where one of them is not an origin.
  package init?(allowing origins: [String]) {
    var allowed: Set<String> = []
    for origin in origins {
      guard let name = origin == Self.everyPage ? origin : Self.name(of: origin) else { return nil }
      allowed.insert(name)
    }
    self.allowed = allowed
  }

  private static let everyPage = "*"
  private static let loopbackHosts: Set<Substring> = ["localhost", "127.0.0.1", "[::1]"]

  /// The origin as a browser writes it: scheme, host, and the port where it is not the scheme's own. `null` is none: every
  /// page can have it.
  private static func name(of origin: String) -> String? {
    guard let separator = origin.firstRange(of: "://") else { return nil }
    let rest = origin[separator.upperBound...]
    if let known = Origin(url: origin) {
      return rest.utf8.contains { "/?#@".utf8.contains($0) } ? nil : known.description
    }
    // Browser extensions have other schemes.
    let scheme = origin[..<separator.lowerBound]
    guard !["http", "https"].contains(scheme), scheme.first?.isLetter == true, !rest.isEmpty,
      (scheme + rest).utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"/?#@,;\"'\\".utf8.contains($0) })
    else { return nil }
    return origin.lowercased()
  }

  /// The answer to a request that the server does not take; `nil` for one that it takes.
  func refusal(of request: HTTPRequest) -> HTTPAnswer? {
    let hosts = request.all("Host").map { Origin.split($0[...])?.host.lowercased() }
    guard hosts.count == 1, let host = hosts[0], Self.loopbackHosts.contains(host[...]) else {
      return Self.text(
        421, "This server answers requests to localhost, 127.0.0.1 and [::1] alone; the Host header names another.\n")
    }
    let isUpgrade = request.header("Upgrade") != nil
    let isPreflight = request.method == "OPTIONS" && request.header("Access-Control-Request-Method") != nil
    guard isUpgrade || isPreflight, !request.all("Origin").allSatisfy({ isAllowed($0, request) }) else { return nil }
    return Self.text(
      403, "This page may not use the server. To allow it, start the server with --cors and the page's origin.\n")
  }

  /// The header fields that let a page read an answer.
  func headers(for request: HTTPRequest) -> [(name: String, value: String)] {
    guard !allowed.isEmpty else { return [] }
    let isForEveryPage = allowed.contains(Self.everyPage)
    var headers: [(name: String, value: String)] = isForEveryPage ? [] : [("Vary", "Origin")]
    guard let origin = request.header("Origin"), isForEveryPage || allowed.contains(Self.name(of: origin) ?? "") else {
      return headers
    }
    headers.append(("Access-Control-Allow-Origin", isForEveryPage ? Self.everyPage : origin))
    guard request.method == "OPTIONS" else { return headers }
    headers.append(("Access-Control-Allow-Methods", "GET, POST"))
    // `*` does not cover `Authorization`: the requested names are allowed.
    if let names = request.header("Access-Control-Request-Headers") {
      headers.append(("Access-Control-Allow-Headers", names))
    }
    if request.header("Access-Control-Request-Private-Network") == "true" {
      headers.append(("Access-Control-Allow-Private-Network", "true"))
    }
    return headers
  }

  /// Whether a page of an origin may use the server: one that the server gave out itself, or one that the user named.
  private func isAllowed(_ origin: String, _ request: HTTPRequest) -> Bool {
    if allowed.contains(Self.everyPage) { return true }
    guard let name = Self.name(of: origin) else { return false }
    return allowed.contains(name) || request.header("Host").flatMap { Self.name(of: "http://\($0)") } == name
  }

  private static func text(_ status: Int, _ words: String) -> HTTPAnswer {
    HTTPAnswer(status, "text/plain; charset=utf-8", .bytes(Array(words.utf8)))
  }
}
