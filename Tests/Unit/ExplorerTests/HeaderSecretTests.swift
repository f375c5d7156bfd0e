import ApusExplorerCore
import ApusExplorerText
import Testing

/// Secrets in headers, including commented-out ones: they are neither saved nor displayed.
@Suite struct HeaderSecretTests {
  /// Returns the headers of a tab as they are saved to a file.
  private func saved(_ headers: String) -> [String] {
    var tab = SavedSession.Tab(id: 1)
    tab.headers = SavedSession.EditorContent(headers)
    return SavedSession(tabs: [tab]).withoutSecrets().tabs.flatMap(\.headers.buffer.lines)
  }

  @Test func `a commented-out header is saved without its secret`() {
    let once = saved(
      """
      # X-Api-Key: abc123secretvalue
      #Cookie: sid=cookievalue77
        ## Authorization: Basic dXNlcjpwYXNz
      # Authorization: Bearer $TOKEN
      # see the wiki: all of it
      X-Trace: 1
      """)
    #expect(
      once == [
        "# X-Api-Key: •••", "# Cookie: •••", "# Authorization: •••", "# Authorization: Bearer $TOKEN",
        "# see the wiki: all of it",
        "X-Trace: 1",
      ])
    #expect(saved(once.joined(separator: "\n")) == once)
  }

  @Test func `a commented-out header is parsed with its value column`() throws {
    let line = "  #  X-Ring: a1"
    let header = try #require(HeaderLine(commentedOut: line))
    #expect(header.name == "X-Ring" && header.value == "a1")
    #expect(Array(line.utf8)[header.valueColumn...].elementsEqual("a1".utf8))
    for other in ["X-Ring: a1", "# see the wiki: all of it", "#", ""] {
      #expect(HeaderLine(commentedOut: other) == nil, "\(other)")
    }
  }

  /// Returns the screen with visible headers while the query has the focus.
  private func rows(_ headers: String, folding lines: ClosedRange<Int>? = nil, wraps: Bool = false) -> [String] {
    var state = BirdStation.state(after: [])
    state.tab.editors.headers = Editor(headers, language: .plain)
    state.tab.editors.headers.wraps = wraps
    if let lines { state.tab.editors.headers.fold(lines) }
    for command in [Command.focusHeaders, .focusQuery] { _ = update(&state, .commandInvoked(command)) }
    return screen(state, 120, 40)
  }

  @Test func `commented-out secrets are masked`() {
    let rows = rows(
      "# X-Api-Key: abc123secretvalue\n#Cookie: sid=cookievalue77\n# Authorization: Basic dXNlcjpwYXNz\n# a note: kept")
    for shown in ["# X-Api-Key: ••••••••", "#Cookie: ••••••••", "# Authorization: ••••••••", "# a note: kept"] {
      #expect(rows.contains { $0.contains(shown) }, "\(shown)")
    }
    for secret in ["abc123", "cookievalue", "sid=", "Basic", "dXNlcjpwYXNz"] {
      #expect(!rows.contains { $0.contains(secret) }, "\(secret)")
    }
  }

  @Test func `a secret below folded lines is masked`() {
    let rows = rows("# one\n# two\n# three\nAuthorization: Bearer sekrit-value-123\nX-Trace: 17", folding: 0...2)
    #expect(rows.contains { $0.contains("# one") } && !rows.contains { $0.contains("# two") })
    #expect(rows.contains { $0.contains("Authorization: ••••••••") })
    #expect(rows.contains { $0.contains("X-Trace: 17") })
    #expect(!rows.contains { $0.contains("sekrit") || $0.contains("Bearer") })
  }

  @Test func `a wrapped secret is masked on each of its rows`() {
    let secret = Array(repeating: "sekrit-value", count: 12).joined(separator: " ")
    let rows = rows("X-Trace: 17\nX-Api-Key: \(secret)", wraps: true)
    #expect(rows.contains { $0.contains("X-Api-Key: ••••••••") })
    #expect(!rows.contains { $0.contains("sekrit") || $0.contains("value") })
  }
}
