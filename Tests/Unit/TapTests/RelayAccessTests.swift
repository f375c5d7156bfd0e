import ApusSecrets
import Testing

@testable import ApusTap

struct RelayAccessTests {
  private static func status(_ start: String, _ lines: [String]) throws -> Int? {
    let server = try #require(Origin(url: "https://api.example/graphql"))
    let access = RelayAccess(server: server, origins: ["https://app.example:8443"])
    let head = try MessageHead(
      parsing: Array((start + "\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8), joinsFoldedLines: false)
    do {
      try access.check(head, try RequestLine(head))
      return nil
    } catch let refusal as RelayAccess.Refusal {
      return refusal.status
    }
  }

  @Test(arguments: [
    (["Host: localhost:4001"], nil), (["Host: 127.0.0.1"], nil), (["Host: [::1]:1"], nil), (["host: LOCALHOST"], nil),
    ([], 421), (["Host: evil.example"], 421), (["Host: localhost", "Host: localhost"], 421),
    (["Host: localhost.evil"], 421),
    (["Host: "], 421), (["Host: 127.0.0.1.evil.example"], 421), (["Host: user@localhost"], 421),
  ])
  func `the host is a name of this machine`(_ lines: [String], _ status: Int?) throws {
    #expect(try Self.status("GET / HTTP/1.1", lines) == status)
  }

  @Test(arguments: [
    (["Origin: http://localhost:3000"], nil), (["Origin: http://127.0.0.1:3000"], nil),
    (["Origin: https://[::1]"], nil),
    (["Origin: https://api.example"], nil), (["Origin: https://API.example:443"], nil),
    (["Origin: https://app.example:8443"], nil), (["Origin: https://app.example"], 403),
    (["Origin: http://api.example"], 403),
    (["Origin: https://api.example:8443"], 403), (["Origin: null"], 403), (["Origin: "], 403),
    (["Origin: https://localhost.evil"], 403),
    (["Origin: http://localhost:3000", "Origin: https://evil.example"], 403),
    (["Sec-Fetch-Site: cross-site"], 403), (["Sec-Fetch-Site: same-site"], nil), (["Sec-Fetch-Site: none"], nil),
    (["Sec-Fetch-Site: cross-site", "Origin: https://app.example:8443"], nil),
  ])
  func `pages are those of this machine, of the server, and of named origins`(_ lines: [String], _ status: Int?) throws
  {
    #expect(try Self.status("POST /graphql HTTP/1.1", ["Host: localhost"] + lines) == status)
  }

  @Test func `a relay is not a proxy`() throws {
    #expect(try Self.status("CONNECT api.example:443 HTTP/1.1", ["Host: localhost"]) == 405)
    #expect(try Self.status("GET http://api.example/ HTTP/1.1", ["Host: localhost"]) == 421)
    #expect(try Self.status("GET http://localhost:1/ HTTP/1.1", ["Host: localhost"]) == nil)
  }
}
