import ApusExplorerText
import ApusSecrets

/// The headers of a tab and the server that is open: which of them are sent there, which are withheld, and the question
/// about these.
extension ExplorerState {
  /// The headers that requests of the shown tab are sent with. The one place where that is decided: a run with its pages,
  /// uploads and events, the schema, and a request that is copied have their headers from here.
  var headers: TabHeaders { tab.texts.headerOrigins.headers(for: connection.origin) }

  /// Whether the header on a line of the shown tab is withheld from the server that is open.
  package func isHeaderWithheld(line: Int) -> Bool {
    tab.texts.headerOrigins.isWithheld(line: line, from: connection.origin)
  }

  /// Binds new and changed lines of the headers to the server that is open.
  mutating func bindHeaders() {
    tabs.shown.content.texts.headerOrigins.update(from: tab.texts.headers.buffer, at: connection.origin)
  }

  /// An endpoint is open where none was: the headers and extensions that were written before are for it.
  mutating func bindHeadersToFirstEndpoint() {
    for index in tabs.all.indices {
      tabs.all[index].content.texts.headerOrigins.opened(connection.origin)
      tabs.all[index].content.extensions.opened(connection.origin)
    }
  }

  /// Whether the extensions of the shown tab are withheld from the server that is open.
  package var areExtensionsWithheld: Bool { tab.extensions.isWithheld(from: connection.origin) }

  /// Asks whether headers of another server are to be sent to this one; `nil` where there are none that were not asked
  /// about.
  mutating func askAboutWithheldHeaders(before purpose: WithheldHeaders.Purpose) -> [Effect]? {
    guard let origin = connection.origin else { return nil }
    let withheld = tab.texts.headerOrigins.withheld(from: origin)
    guard withheld.contains(where: { !$0.isDeclined }) else { return nil }
    let question = WithheldHeaders(purpose: purpose, tab: tabs.shown.id, origin: origin)
    let servers = Self.servers(of: withheld)
    return present(
      Confirmation(
        question: "Send the \(Wording.plural(withheld.count, "header"))\(servers) to \(origin)?",
        detail: "A header goes to the server for which it was typed or imported. With no, the request is sent without.",
        lines: withheld.map { Self.line(for: $0, alone: !servers.isEmpty) },
        effect: .answer(.withheldHeadersAnswered(question, sends: true)),
        refusal: .answer(.withheldHeadersAnswered(question, sends: false))))
  }

  mutating func answer(_ question: WithheldHeaders, sends: Bool) -> [Effect] {
    guard question.tab == tabs.shown.id, question.origin == connection.origin else {
      tell("Nothing was sent: another endpoint or tab is shown by now", .warning)
      return []
    }
    tabs.shown.content.texts.headerOrigins.answer(sends: sends, to: question.origin)
    switch question.purpose {
    case .run: return runOperation(isConfirmed: true)
    case .schema: return reloadSchema()
    case .runElsewhereToo(let endpoint): return runElsewhereToo(endpoint)
    }
  }

  /// The number of headers and their server: `2 headers of https://a.example`.
  static func words(for withheld: [HeaderOrigins.Withheld]) -> String {
    "\(Wording.plural(withheld.count, "header"))\(servers(of: withheld))"
  }

  /// The servers that all of the headers are for; empty where they differ, or are not known.
  private static func servers(of withheld: [HeaderOrigins.Withheld]) -> String {
    guard let first = withheld.first?.origins, !first.isEmpty, withheld.allSatisfy({ $0.origins == first }) else {
      return ""
    }
    return " of \(first.map(\.description).joined(separator: " and "))"
  }

  private static func line(for withheld: HeaderOrigins.Withheld, alone: Bool) -> String {
    let masked = "\(withheld.header.name): \u{2022}\u{2022}\u{2022}"
    if alone { return masked }
    let servers = withheld.origins.map(\.description).joined(separator: " and ")
    return "\(masked)  (\(servers.isEmpty ? "for a server that is not known" : "of \(servers)"))"
  }
}
