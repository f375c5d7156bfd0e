import ApusClientFormats
import ApusClientNetwork
import ApusConfiguration
import ApusExplorerCore
import ApusPlatform
import ApusSecrets

/// What was pasted into the line for imports: a request, what another program keeps its requests in, or the path of a file
/// with either.
enum RequestImport {
  /// More than any collection has that was typed by hand.
  private static let limit = 16 << 20

  /// Reads a request, a file's text or a path. Headers that authenticate the user are secrets from then on.
  static func read(_ text: String, secrets: SecretValues) -> ImportAnswer {
    let line = text.filter { !$0.isNewline } == text ? trimmed(text) : ""
    guard !line.isEmpty, let path = path(line) else {
      return requests(of: text, named: "the pasted text", secrets)
    }
    do {
      guard let text = try contents(of: path) else { return requests(of: text, named: "the pasted text", secrets) }
      return requests(of: text, named: path.split(separator: "/").last.map(String.init) ?? path, secrets)
    } catch {
      return .failed("\(error)")
    }
  }

  private static func requests(of text: String, named name: String, _ secrets: SecretValues) -> ImportAnswer {
    var collection = ImportedCollection()
    let failure: String?
    do throws(ImportFailure) {
      try collection.add(ForeignText(text), named: name)
      failure = nil
    } catch {
      failure = "\(error)"
    }
    // One request is taken as such: that keeps what a collection has no place for.
    if collection.requests.count <= 1, let one = SharedRequest(importing: ForeignText(text)) {
      return .found([ImportedRequest(title: "", request: ExchangedRequest(one))], leftOut: [])
    }
    let imported = ImportedRequests(collection)
    guard !imported.entries.isEmpty else {
      let left = imported.leftOut.isEmpty ? "" : ": \(imported.leftOut.joined(separator: ", "))"
      return .failed(failure ?? "There is no GraphQL request in \(name)\(left)")
    }
    for header in imported.entries.flatMap(\.request.headers) where header.isAuthentication {
      secrets.add(header: header.name, header.text, isLive: true)
    }
    return .found(
      imported.entries.map { ImportedRequest(title: $0.place, request: ExchangedRequest($0.request)) },
      leftOut: imported.leftOut)
  }

  private static func trimmed(_ text: String) -> String {
    var text = text.drop { $0 == " " || $0 == "\"" || $0 == "'" }
    while text.last == " " || text.last == "\"" || text.last == "'" { text.removeLast() }
    return String(text)
  }

  /// The file that a line names; nil for a line that is a request itself.
  private static func path(_ line: String) -> String? {
    guard !line.hasPrefix("curl "), !line.hasPrefix("{"), !line.hasPrefix("["), line.utf8.count < 4096 else {
      return nil
    }
    guard line.hasPrefix("~/"), let home = getenv("HOME") else { return line }
    return String(cString: home) + line.dropFirst()
  }

  /// nil where there is no such file, or where the line is too long for the name of one.
  private static func contents(of path: String) throws(ConfigurationError) -> String? {
    guard path.split(separator: "/").allSatisfy({ $0.utf8.count <= Int(NAME_MAX) }) else { return nil }
    return try UserFile.read(path, limit: limit).map { String(decoding: $0, as: UTF8.self) }
  }
}

extension ExchangedRequest {
  fileprivate init(_ request: SharedRequest) {
    self.init(
      url: request.url, headers: request.headers.map { .init(name: $0.name, value: $0.value) }, query: request.query,
      variables: request.variables, operationName: request.operationName, leftOut: request.leftOut)
    extensions = request.extensions
  }
}
