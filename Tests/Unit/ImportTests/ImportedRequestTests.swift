import ApusClientFormats
import ApusClientImports
import ApusClientRequests
import ApusSecrets
import Testing

/// Requests of other programs, with combining marks after significant characters.
@Suite struct ImportedRequestTests {
  private func words(_ text: String) -> [String] {
    ShellScript(text.utf8).words.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `a quote before a combining mark is recognized`() {
    let query = "{ a(b: \"\u{301}x\", c: \"it's \u{301}\", d: \"'\u{301}\") }"
    let request = RequestDraft(url: "https://a.example/\u{301}", headers: [], query: query)
    #expect(RequestDraft(importing: request.curlCommand)?.query.text == query)
    #expect(words(ShellWords.quoted("\u{301}'\u{301}")) == ["\u{301}'\u{301}"])
    #expect(words("\"a\"\u{301} \\\"\u{301} \"\\\"\u{301}\"") == ["a\u{301}", "\"\u{301}", "\"\u{301}"])
  }

  @Test func `quotes in a shell header are escaped`() throws {
    let header = RequestDraft.Header(name: "X", value: try SecretText("$TOKEN \"\u{301}"))
    let request = RequestDraft(url: "https://a.example", headers: [header], query: "{ a }")
    #expect(request.curlCommand.contains("\\\"\u{301}\""))
  }

  @Test func `an HTTP file with CRLF is read`() throws {
    let text = "### Birds\r\nPOST https://a.example/graphql\r\nK: v\r\n\r\n{\"query\":\"{ a }\"}\r\n"
    let request = try #require(RequestDraft(importing: text))
    #expect(request.url == "https://a.example/graphql")
    #expect(request.headers.map(\.name) == ["K"])
    #expect(request.query == "{ a }")
  }
}
