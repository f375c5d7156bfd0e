import ApusExplorerText
import ApusJSON
import ApusSecrets

/// The extensions of a tab's requests, which may be secret like headers, and the server that they are for.
package struct RequestExtensions: Equatable, Sendable {
  package enum Server: Equatable, Sendable {
    /// No server is open yet: the extensions are for the one that is opened next.
    case next
    /// The server that was open when the extensions were typed, or that an import names.
    case origin(Origin)
    /// The extensions come from an import whose URL does not identify a server.
    case unknown

    /// Creates a value for the open server.
    package init(open origin: Origin?) { self = origin.map { .origin($0) } ?? .next }

    /// Creates a value for the server of an imported request.
    init(imported url: String) { self = Origin(url: url).map { .origin($0) } ?? .unknown }
  }

  /// The JSON object as text; empty if there are no extensions.
  package var draft: DraftText
  package private(set) var server: Server

  package init(_ draft: DraftText = DraftText(), for server: Server = .next) {
    self.draft = draft
    self.server = server
  }

  package var text: String { draft.text }

  /// Whether the extensions are withheld from a server.
  func isWithheld(from origin: Origin?) -> Bool { !text.isEmpty && server != Server(open: origin) }

  /// Returns the extensions to send to a server.
  func draft(for origin: Origin?) -> DraftText { isWithheld(from: origin) ? DraftText() : draft }

  /// Binds extensions that were written before any server was open.
  mutating func opened(_ origin: Origin?) {
    if server == .next { server = Server(open: origin) }
  }

  /// A description for the notice that the extensions were left out.
  var notice: String {
    switch server {
    case .origin(let origin): "the extensions of \(origin)"
    case .next, .unknown: "the extensions of an unknown server"
    }
  }

  /// Accepts a JSON object typed while a server is open; refuses other text.
  mutating func apply(_ typed: String, at origin: Origin?) -> [FollowUp] {
    if typed.allSatisfy(\.isWhitespace) {
      self = RequestExtensions()
      return [.notice("Requests of this tab have no extensions now")]
    }
    guard let json = try? JSONDocument(parsing: typed).root, json.kind == .object else {
      return [.notice("The extensions must be a JSON object, such as {\"trace\": true}", .warning)]
    }
    // A mark that the user left in its place is still a reference.
    var editor = Editor(draft, language: .json)
    editor.setText(JSONWriter.compact(json))
    self = RequestExtensions(editor.draft, for: Server(open: origin))
    return [.notice("Requests of this tab have these extensions now")]
  }
}
