import ApusJSON
import ApusTestSupport
import Foundation

/// A received request without the differences that have no meaning: the order of members, the boundary, the program's own headers.
struct SentRequest: Equatable, CustomStringConvertible {
  var lines: [String] = []
  var description: String { lines.joined(separator: "\n") }

  private static let headers = [
    "accept", "content-type", "x-kind", "authorization", "apollo-require-preflight", "graphql-preflight",
  ]

  init(_ request: ScriptedServer.Request, isSubscription: Bool) {
    let parts = request.target.split(separator: "?", maxSplits: 1).map(String.init)
    lines.append("\(request.method) \(parts[0])")
    for name in Self.headers where !(isSubscription && name == "accept") {
      guard let value = request.header(name) else { continue }
      lines.append("\(name): \(name == "content-type" ? String(value.prefix { $0 != ";" }) : value)")
    }
    let fields = parts.dropFirst().joined().split(separator: "&").map { field in
      field.replacing("+", with: " ").split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? "" }
        .joined(separator: "=")
    }
    lines += fields.sorted().map(Self.canonical)
    let type = request.header("Content-Type") ?? ""
    if let boundary = type.firstRange(of: "boundary=") {
      lines += Self.parts(of: request.body, boundary: String(type[boundary.upperBound...]))
    } else if !request.body.isEmpty {
      lines.append(Self.canonical(request.bodyText))
    }
  }

  /// Returns JSON with sorted members; the text after `=` if there is a name before it.
  private static func canonical(_ text: String) -> String {
    if let equals = text.firstIndex(of: "="), !text.hasPrefix("{") {
      return text[...equals] + canonical(String(text[equals...].dropFirst()))
    }
    guard let json = try? JSONSerialization.jsonObject(with: Data(text.utf8)),
      let bytes = try? JSONSerialization.data(withJSONObject: json, options: [.sortedKeys])
    else { return text }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func parts(of body: [UInt8], boundary: String) -> [String] {
    let text = String(decoding: body, as: UTF8.self).replacing("\r\n", with: "\n")
    let name = boundary.filter { $0 != "\"" }
    return text.components(separatedBy: "--\(name)").compactMap { part in
      guard let end = part.firstRange(of: "\n\n") else { return nil }
      let head = part[..<end.lowerBound].split(separator: "\n").map { line in
        line.hasPrefix("Content-Disposition") ? String(line) : line.lowercased()
      }
      let content = String(part[end.upperBound...].dropLast())
      return (head.sorted() + [canonical(content)]).joined(separator: " | ")
    }
  }
}

/// Sends the request of an HTTP file as an editor does: variables are replaced, `\{{` is literal, and `< path` is a file.
enum HTTPFileExecutor {
  static func run(_ text: String, environment: [String: String], folder: String) async throws -> String {
    var text = text.replacing(#"\{{"#, with: "\u{1}")
    for (name, value) in environment { text = text.replacing("{{\(name)}}", with: value) }
    text = text.replacing("\u{1}", with: "{{")
    let lines = text.components(separatedBy: "\n")
    let end = lines.firstIndex(of: "") ?? lines.endIndex
    let first = lines[0].split(separator: " ", maxSplits: 1)
    let isForm = lines[..<end].contains { $0.contains("multipart/") }
    var body: [String] = []
    for line in lines[min(end + 1, lines.endIndex)...] {
      body.append(line.hasPrefix("< ") ? try String(contentsOfFile: String(line.dropFirst(2)), encoding: .utf8) : line)
    }
    let file = "\(folder)/body"
    try body.joined(separator: isForm ? "\r\n" : "\n").write(toFile: file, atomically: true, encoding: .utf8)
    var words = ["-sS", "-X", String(first[0]), String(first[1])]
    for header in lines[1..<max(end, 1)] { words += ["-H", header] }
    if first[0] != "GET" { words += ["--data-binary", "@\(file)"] }
    let outcome = try await ChildProcess.run("/usr/bin/env", ["curl"] + words)
    return outcome.errors
  }
}
