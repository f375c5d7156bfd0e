import ApusClientNetwork
import ApusTestSupport
import Testing

@Suite("Redirects", .timeLimit(.minutes(1)))
struct RedirectTests {
  /// Returns a summary of the request that follows a redirect of a POST with this status.
  private func followed(_ status: Int) async throws -> String {
    let redirect = ScriptedAnswer.response(
      status: status, headers: [("Location", "/moved?x=1")], framing: .contentLength, [.text("gone")])
    let (result, requests) = try await exchange([redirect, .json("{}")]) {
      $0.method = "POST"
      $0.headers = ["Content-Type": "application/json", "Authorization": "Bearer hush"]
      $0.body = Array("body".utf8)
    }
    #expect(result.text == "{}")
    let last = try #require(requests.last)
    let type = last.header("Content-Type") ?? "no type"
    return "\(last.method) \(last.target) \(type) \(last.bodyText) \(last.header("Authorization") ?? "no key")"
  }

  @Test(arguments: [303])
  func `303 turns a POST into a GET`(_ status: Int) async throws {
    #expect(try await followed(status) == "GET /moved?x=1 no type  Bearer hush")
  }

  @Test(arguments: [301, 302, 307, 308])
  func `other redirects keep the method and the body`(_ status: Int) async throws {
    #expect(try await followed(status) == "POST /moved?x=1 application/json body Bearer hush")
  }

  @Test
  func `credentials of a netrc file are not used for the target of a redirect`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("netrc", "default login ada password hush\n")
    let other = try ScriptedServer([.json("{}")])
    let server = try ScriptedServer([
      .response(
        status: 302, headers: [("Location", "http://localhost:\(other.port)/x")], framing: .contentLength, [])
    ])
    let result = await exchange(server.url) { $0.connection.netrcFile = folder.path("netrc") }
    #expect(result.text == "{}")
    #expect(try #require(server.requests.first).header("Authorization") == "Basic YWRhOmh1c2g=")
    #expect(try #require(other.requests.first).header("Authorization") == nil)
  }

  @Test
  func `headers with credentials are not sent to another host`() async throws {
    let other = try ScriptedServer([.json("{}")])
    let server = try ScriptedServer([
      .response(
        status: 307, headers: [("Location", "http://localhost:\(other.port)/x")], framing: .contentLength, [])
    ])
    let result = await exchange(server.url) {
      $0.method = "POST"
      $0.headers = [
        "Content-Type": "application/hush", "Accept": "text/hush", "Authorization": "Bearer hush",
        "X-Api-Key": "hush", "Cookie": "hush", "User-Agent": "hush", "Accept-Language": "hush",
        "Accept-Encoding": "hush", "Cache-Control": "hush", "Origin": "https://hush.example", "Referer": "hush",
      ]
      $0.setOwnHeader("Accept", "application/json")
      $0.setOwnHeader("Content-Type", "application/json")
      $0.body = Array("body".utf8)
    }
    #expect(result.text == "{}")
    let request = try #require(other.requests.first)
    #expect(request.bodyText == "body" && request.header("Accept") == "application/json")
    #expect(request.header("Content-Type") == "application/json")
    #expect(request.header("User-Agent")?.hasPrefix("apus/") == true, "\(request.header("User-Agent") ?? "")")
    #expect(!request.headers.contains { $0.value.contains("hush") })
    #expect(result.head?.url == "http://localhost:\(other.port)/x")
  }

  @Test(arguments: [307, 308])
  func `a non-repeatable request is not redirected to another origin unless allowed`(_ status: Int) async throws {
    let other = try ScriptedServer([.json("{}")])
    let server = try ScriptedServer([
      .response(
        status: status, headers: [("Location", "http://localhost:\(other.port)/x?token=hush")], framing: .contentLength,
        [])
    ])
    func result(_ mayLeave: Bool) async -> Exchange {
      await exchange(server.url) {
        $0.method = "POST"
        $0.body = Array("body".utf8)
        $0.isRepeatable = false
        $0.allowsCrossOriginBody = mayLeave
      }
    }
    let refused = await result(false)
    #expect(
      refused.networkError
        == .redirectRefused(host: "127.0.0.1:\(server.port)", location: "http://localhost:\(other.port)/x"))
    #expect(other.requests.isEmpty)
    #expect(await result(true).text == "{}")
    #expect(other.requests.map(\.bodyText) == ["body"])
  }

  @Test
  func `credentials are not sent to another port of the same host`() async throws {
    let other = try ScriptedServer([.json("{}")])
    let server = try ScriptedServer([
      .response(status: 302, headers: [("Location", other.url)], framing: .contentLength, [])
    ])
    _ = await exchange(server.url) { $0.headers = ["Authorization": "Bearer hush"] }
    #expect(try #require(other.requests.first).header("Authorization") == nil)
  }

  @Test
  func `endless redirects and redirects to other schemes are errors`() async throws {
    let (circle, requests) = try await exchange([
      .response(status: 302, headers: [("Location", "/again")], framing: .contentLength, [])
    ]) { $0.maximumRedirects = 3 }
    #expect(requests.count == 4)
    guard case .tooManyRedirects(_, 3) = circle.networkError else {
      Issue.record("\(String(describing: circle.error))")
      return
    }
    let (file, _) = try await exchange([
      .response(status: 302, headers: [("Location", "file:///etc/passwd")], framing: .contentLength, [])
    ])
    guard case .badRedirect(_, "file:///etc/passwd") = file.networkError else {
      Issue.record("\(String(describing: file.error))")
      return
    }
  }

  @Test
  func `a non-repeatable request is not retried when its reused connection is closed`() async throws {
    for isRepeatable in [true, false] {
      let server = try ScriptedServer { _, index in index == 1 ? .raw([.close]) : .json("{}") }
      let transport = HTTPTransport()
      #expect(await exchange(server.url, transport).text == "{}")
      let second = await exchange(server.url, transport) {
        $0.method = "POST"
        $0.body = Array("mutation".utf8)
        $0.isRepeatable = isRepeatable
      }
      #expect(server.requests.count == (isRepeatable ? 3 : 2))
      #expect((second.error == nil) == isRepeatable)
      if !isRepeatable { #expect(second.networkError == .notRetried(host: "127.0.0.1:\(server.port)")) }
    }
  }

  @Test(arguments: [
    ("https://evil.example/@good.example/graphql", "https://evil.example/@good.example/graphql"),
    ("https://evil.example/\u{301}@good.example", "https://evil.example/\u{301}@good.example"),
    ("https://user:pass@good.example/a@b?token=x", "https://good.example/a@b"),
    ("https://user:pa/ss@good.example/", "https://good.example/"),
  ])
  func `a displayed URL has the actual host and no credentials`(url: String, shown: String) {
    #expect(HTTPRequest(url: url).redactedURL == shown)
  }
}
