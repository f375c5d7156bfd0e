import ApusFormatting
import ApusExplorerText
import ApusSecrets

/// Coordinates a tab's headers with the open server: which headers are sent, which are withheld, and the confirmation
/// for the withheld ones.
extension ExplorerState {
  /// The headers for requests of the shown tab. This is the only place that decides it: runs with their pages, uploads
  /// and events, schema requests and copied requests all use these.
  var headers: TabHeaders { tab.editors.completeHeaders(for: connection.origin) }

  /// Whether the header on a line of the shown tab is withheld from the open server.
  package func isHeaderWithheld(line: Int) -> Bool {
    tab.editors.headerOrigins.isWithheld(line: line, from: connection.origin)
  }

  /// Binds new and changed header lines to the open server.
  mutating func bindHeaders() {
    tabs.shown.content.editors.headerOrigins.update(from: tab.editors.headers.buffer, at: connection.origin)
  }

  /// Binds headers and extensions that were written before an endpoint was open to the endpoint of their tab.
  mutating func bindHeadersToOpenEndpoints() {
    for index in tabs.all.indices {
      let origin = endpoints[tabs.all[index].endpoint].connection.origin
      tabs.all[index].content.editors.headerOrigins.opened(origin)
      tabs.all[index].content.extensions.opened(origin)
    }
  }

  /// Whether the extensions of the shown tab are withheld from the open server.
  package var areExtensionsWithheld: Bool { tab.extensions.isWithheld(from: connection.origin) }

  /// Asks the user whether to send headers of another server to this one; `nil` if there are none or the user has
  /// declined them all.
  mutating func askAboutWithheldHeaders(before purpose: WithheldHeaders.Purpose) -> [Effect]? {
    guard let origin = connection.origin else { return nil }
    let withheld = tab.editors.headerOrigins.withheld(from: origin)
    guard withheld.contains(where: { !$0.isDeclined }) else { return nil }
    let question = WithheldHeaders(purpose: purpose, tab: tabs.shown.id, origin: origin)
    let servers = Self.servers(of: withheld)
    return present(
      ConfirmationPopup(
        question: "Send the \(DisplayFormat.plural(withheld.count, "header"))\(servers) to \(origin)?",
        detail: (withheld.contains { $0.sentTo == nil }
          ? "Headers are sent only to the server that they were entered for."
          : "You did not enter these headers; the application sent them.")
          + " If you decline, the request is sent without them.",
        lines: withheld.map { Self.line(for: $0, alone: !servers.isEmpty) },
        confirmation: .send(.withheldHeadersAnswered(question, sends: true)),
        refusal: .send(.withheldHeadersAnswered(question, sends: false))))
  }

  mutating func answer(_ question: WithheldHeaders, sends: Bool) -> [Effect] {
    guard question.tab == tabs.shown.id, question.origin == connection.origin else { return reportNothingSent() }
    tabs.shown.content.editors.headerOrigins.answer(sends: sends, to: question.origin)
    switch question.purpose {
    case .run(let confirmed): return runOperation(confirmed: confirmed)
    case .schema: return reloadSchema()
    case .runOnOtherEndpoint(let endpoint): return runOnOtherEndpoint(endpoint)
    }
  }

  /// Returns the number of headers and their server: `2 headers of https://a.example`.
  static func words(for withheld: [HeaderOrigins.Withheld]) -> String {
    "\(DisplayFormat.plural(withheld.count, "header"))\(servers(of: withheld))"
  }

  /// Returns the servers of the headers; empty if they differ or are unknown.
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
    let unknown = withheld.sentTo.map { "sent by the application to \($0)" } ?? "for an unknown server"
    return "\(masked)  (\(servers.isEmpty ? unknown : "of \(servers)"))"
  }
}
