import ApusJSON
import ApusSecrets

/// The extensions of a tab's requests, and the server that they are for. They may be as secret as a header.
package struct RequestExtensions: Equatable, Sendable {
  package enum Server: Equatable, Sendable {
    /// No server is open yet: the extensions are for the one that is opened next.
    case next
    /// The server that was open when they were typed, or that an import names.
    case origin(Origin)
    /// An import whose URL names no server.
    case unknown

    /// The server that is open.
    package init(open origin: Origin?) { self = origin.map { .origin($0) } ?? .next }

    /// The server of an imported request.
    init(imported url: String) { self = Origin(url: url).map { .origin($0) } ?? .unknown }
  }

  /// A JSON object as text; empty for none.
  package var text: String
  package private(set) var server: Server

  package init(_ text: String = "", for server: Server = .next) {
    self.text = text
    self.server = server
  }

  /// Whether they are withheld from the server that is open.
  func isWithheld(from origin: Origin?) -> Bool { !text.isEmpty && server != Server(open: origin) }

  /// The text that is sent to the server that is open.
  func text(for origin: Origin?) -> String { isWithheld(from: origin) ? "" : text }

  /// Binds extensions that were written before any server was open.
  mutating func opened(_ origin: Origin?) {
    if server == .next { server = Server(open: origin) }
  }

  /// The extensions and their server, for a notice that they were left out.
  var notice: String {
    switch server {
    case .origin(let origin): "the extensions of \(origin)"
    case .next, .unknown: "the extensions, which are for a server that is not known"
    }
  }

  /// Takes a JSON object that is typed while a server is open; other text is refused.
  mutating func take(_ typed: String, at origin: Origin?) -> [FollowUp] {
    if typed.allSatisfy(\.isWhitespace) {
      self = RequestExtensions()
      return [.tell("Requests of this tab have no extensions")]
    }
    guard let json = try? JSONDocument(parsing: typed).root, json.kind == .object else {
      return [.tell("The extensions must be a JSON object, such as {\"trace\": true}", .warning)]
    }
    self = RequestExtensions(JSONWriter.compact(json), for: Server(open: origin))
    return [.tell("From now on requests of this tab have these extensions")]
  }
}
