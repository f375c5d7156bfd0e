import ApusJSON
import ApusTestSupport

/// `apus lsp` in a folder, started by an editor that requests diagnostics.
struct EditorProcess {
  /// The error if the server ends before it answers a request.
  private struct EndedEarly: Error {
    let method: String
  }

  private let process: ChildProcess
  private let folder: TemporaryFolder
  private var lastRequest = 0

  /// - Parameter place: The editor's folder inside the folder, in which the server runs.
  init(
    in folder: TemporaryFolder, _ place: String = "", _ options: [String] = [], environment: [String: String]? = nil
  ) async throws {
    self.folder = folder
    process = try ChildProcess(
      "/usr/bin/env", ["-C", place.isEmpty ? folder.root : folder.path(place), Checkout.apus, "lsp"] + options,
      environment: environment ?? folder.asHome)
    _ = try await ask(
      "initialize",
      ["rootUri": JSONValue(uri(place)), "capabilities": ["textDocument": ["diagnostic": [:]]]])
    notify("initialized", [:])
  }

  private func uri(_ name: String) -> String { name.isEmpty ? "file://\(folder.root)" : "file://\(folder.path(name))" }

  private func send(_ message: JSONValue) {
    let body = JSONWriter.compact(message)
    process.write("Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
  }

  func notify(_ method: String, _ params: JSONValue) {
    send(["jsonrpc": "2.0", "method": JSONValue(method), "params": params])
  }

  func open(_ name: String, _ text: String) {
    let languages = ["ts": "typescript", "js": "javascript", "py": "python", "md": "markdown", "graphql": "graphql"]
    let ending = name.split(separator: ".").last.map(String.init) ?? ""
    notify(
      "textDocument/didOpen",
      [
        "textDocument": [
          "uri": JSONValue(uri(name)), "languageId": JSONValue(languages[ending] ?? ending), "version": 1,
          "text": JSONValue(text),
        ]
      ])
  }

  func changed(_ name: String) {
    notify("workspace/didChangeWatchedFiles", ["changes": [["uri": JSONValue(uri(name)), "type": 1]]])
  }

  /// Returns the result of a request.
  ///
  /// No line break follows a message. A further request completes the line, because its response begins with a header line.
  mutating func ask(_ method: String, _ params: JSONValue) async throws -> JSONValue {
    lastRequest += 1
    let id = lastRequest
    send(["jsonrpc": "2.0", "id": JSONValue(id), "method": JSONValue(method), "params": params])
    ping()
    while let line = await process.nextLine() {
      guard let start = line.firstIndex(of: "{") else { continue }
      let end = line.range(of: "Content-Length:", options: .backwards)?.lowerBound ?? line.endIndex
      guard let message = try? JSONDocument(parsing: String(line[start..<end])).root, message["method"] == nil else {
        continue
      }
      if message["id"]?.int == id { return message["result"] ?? .null }
      ping()
    }
    throw EndedEarly(method: method)
  }

  private func ping() {
    send(["jsonrpc": "2.0", "id": "ping", "method": "apus/ping"])
  }

  /// Returns the diagnostics of the server, one per line: `file:line:column rule`.
  mutating func errors() async throws -> [String] {
    let result = try await ask("workspace/diagnostic", ["previousResultIds": []])
    return (result["items"] ?? .null).elements.flatMap { report -> [String] in
      let path = (report["uri"]?.string ?? "").dropFirst(uri("").utf8.count + 1)
      return (report["items"] ?? .null).elements.filter { $0["severity"]?.int == 1 }.map { diagnostic in
        let start = diagnostic["range"]?["start"]
        let place = "\((start?["line"]?.int ?? -1) + 1):\((start?["character"]?.int ?? -1) + 1)"
        return "\(path):\(place) \(diagnostic["code"]?.string ?? "")"
      }
    }.sorted()
  }

  /// Returns the parameters of a request at a position, which counts from 1.
  func place(_ name: String, _ line: Int, _ column: Int) -> JSONValue {
    [
      "textDocument": ["uri": JSONValue(uri(name))],
      "position": ["line": JSONValue(line - 1), "character": JSONValue(column - 1)],
    ]
  }

  func close() async {
    process.closeInput()
    _ = await process.outcome()
  }
}
