import ApusSecrets

/// Restricts the requests that a relay forwards, because any page in the user's browser can send requests to this machine.
///
/// | request | forwarded |
/// |---|---|
/// | to another host than `localhost`, `127.0.0.1` and `[::1]`, or to none or several | no: a page may use its own name for this server (DNS rebinding) |
/// | without an `Origin`, of a program | yes |
/// | without an `Origin`, but of another site by `Sec-Fetch-Site`: an image or a form of a page | no |
/// | with the `Origin` of a loopback host, of the server, or of one that the user named | yes |
/// | with another `Origin`, with `null`, which any page can have, or with several | no |
/// | `CONNECT` | no: a relay is not a proxy |
struct RelayAccess: Sendable {
  /// The refusal of a request.
  struct Refusal: Error, Equatable {
    let status: Int
    /// The message for the application and for the user, as one line.
    let reason: String
  }

  private let allowed: Set<String>

  /// - Parameters:
  ///   - server: The origin to which requests are forwarded.
  ///   - origins: Further origins of pages, in the form of `PageOrigin`.
  init(server: Origin, origins: Set<String>) {
    allowed = origins.union([server.description])
  }

  /// Throws if a request may not be forwarded.
  func check(_ head: MessageHead, _ line: RequestLine) throws(Refusal) {
    guard line.method != "CONNECT" else {
      throw Refusal(status: 405, reason: "CONNECT is not supported: use this address as the URL, not as a proxy")
    }
    let hosts = head.values("host") + (line.authority.map { [$0] } ?? [])
    guard hosts.count == (line.authority == nil ? 1 : 2), hosts.allSatisfy(Self.isLoopback) else {
      throw Refusal(
        status: 421, reason: "the Host header must be localhost, 127.0.0.1 or [::1], which only this machine can reach")
    }
    let origins = head.values("origin")
    guard !origins.isEmpty else {
      guard head.elements("sec-fetch-site") != ["cross-site"] else {
        throw Refusal(status: 403, reason: "a page of another site sent the request")
      }
      return
    }
    guard origins.count == 1, isAllowed(origins[0]) else {
      throw Refusal(
        status: 403,
        reason: "pages of the origin \(printable(origins[0])) may not use the server; allow them with --origin")
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    guard let name = Origin.split(host[...])?.host.lowercased() else { return false }
    return ["localhost", "127.0.0.1", "[::1]"].contains(name)
  }

  private func isAllowed(_ origin: String) -> Bool {
    guard let name = PageOrigin.name(of: origin) else { return false }
    return allowed.contains(name) || Origin(url: name)?.isLoopback == true
  }
}
