import ApusSecrets

/// Restricts the web pages that may use the server, because any page in the user's browser can send requests to this
/// machine.
///
/// 1. The `Host` must be a loopback name, so that a page cannot use its own name for this server (DNS rebinding).
/// 2. Only pages from origins that the user configured may read responses (CORS, Fetch Standard, section 3.2).
/// 3. WebSockets are open to programs, to the server's own pages, and to the origins of rule 2, because CORS does not
///    apply.
package struct BrowserAccess: Sendable {
  /// The allowed origins in the form of the `Origin` header; `*` for all.
  private let allowed: Set<String>

  /// Allows only the server's own pages.
  package init() { allowed = [] }

  /// Allows pages of the given origins, too; `nil` if one of them is invalid.
  package init?(allowing origins: [String]) {
    var allowed: Set<String> = []
    for origin in origins {
      guard let name = origin == Self.everyPage ? origin : PageOrigin.name(of: origin) else { return nil }
      allowed.insert(name)
    }
    self.allowed = allowed
  }

  private static let everyPage = "*"
  private static let loopbackHosts: Set<Substring> = ["localhost", "127.0.0.1", "[::1]"]

  /// Returns the error response for a request that is not allowed; `nil` if it is allowed.
  func refusal(of request: ServerRequest) -> ServerResponse? {
    let hosts = request.all("Host").map { Origin.split($0[...])?.host.lowercased() }
    guard hosts.count == 1, let host = hosts[0], Self.loopbackHosts.contains(host[...]) else {
      return Self.text(
        421, "This server accepts only requests to localhost, 127.0.0.1 and [::1]; the Host header has another name.\n")
    }
    let isUpgrade = request.header("Upgrade") != nil
    let isPreflight = request.method == "OPTIONS" && request.header("Access-Control-Request-Method") != nil
    guard isUpgrade || isPreflight, !request.all("Origin").allSatisfy({ isAllowed($0, request) }) else { return nil }
    return Self.text(
      403, "This page may not use the server. To allow it, start the server with --cors and the page's origin.\n")
  }

  /// Returns the header fields that allow a page to read the response.
  func headers(for request: ServerRequest) -> [(name: String, value: String)] {
    guard !allowed.isEmpty else { return [] }
    let isForEveryPage = allowed.contains(Self.everyPage)
    var headers: [(name: String, value: String)] = isForEveryPage ? [] : [("Vary", "Origin")]
    guard let origin = request.header("Origin"), isForEveryPage || allowed.contains(PageOrigin.name(of: origin) ?? "")
    else {
      return headers
    }
    headers.append(("Access-Control-Allow-Origin", isForEveryPage ? Self.everyPage : origin))
    guard request.method == "OPTIONS" else { return headers }
    headers.append(("Access-Control-Allow-Methods", "GET, POST"))
    // `*` does not include `Authorization`, so the requested names are listed.
    if let names = request.header("Access-Control-Request-Headers") {
      headers.append(("Access-Control-Allow-Headers", names))
    }
    if request.header("Access-Control-Request-Private-Network") == "true" {
      headers.append(("Access-Control-Allow-Private-Network", "true"))
    }
    return headers
  }

  /// Whether a page of an origin may use the server: the server's own, or a configured one.
  private func isAllowed(_ origin: String, _ request: ServerRequest) -> Bool {
    if allowed.contains(Self.everyPage) { return true }
    guard let name = PageOrigin.name(of: origin) else { return false }
    return allowed.contains(name) || request.header("Host").flatMap { PageOrigin.name(of: "http://\($0)") } == name
  }

  private static func text(_ status: Int, _ words: String) -> ServerResponse {
    ServerResponse(status, "text/plain; charset=utf-8", .bytes(Array(words.utf8)))
  }
}
