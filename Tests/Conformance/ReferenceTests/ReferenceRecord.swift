import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Foundation

/// The results of the Python reference implementation for its own tests, recorded by `./install.sh test`.
enum ReferenceRecord {
  static let path = "\(Checkout.root)/.test-servers/reference/record.jsonl"
  static let isThere = FileManager.default.fileExists(atPath: path)
  static let absence: String = "no \(path); run ./install.sh test, which records it"

  /// An input and its result.
  struct Question: Sendable {
    let kind: String
    let text: String
    let schema: String?
    let rules: [String]?
    let options: JSONValue?
    let errors: [Complaint]
  }

  static func questions(_ kind: String) throws -> [Question] {
    try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").compactMap { line in
      let record = try JSONDocument(parsing: String(line)).root
      guard record["kind"]?.string == kind else { return nil }
      return Question(
        kind: kind, text: record["text"]?.string ?? "", schema: record["schema"]?.string,
        rules: record["rules"].flatMap { $0.isNull ? nil : $0.elements.compactMap(\.string) },
        options: record["options"],
        errors: (record["errors"] ?? .null).elements.map(Complaint.init))
    }
  }
}

/// An error in a comparable form: its locations, and its message without quotes.
struct Complaint: Hashable, Comparable, CustomStringConvertible, Sendable {
  let places: [String]
  let message: String

  init(_ error: JSONValue) {
    places = (error["locations"] ?? .null).elements.map { "\($0[0]?.int ?? 0):\($0[1]?.int ?? 0)" }
    message = error["message"]?.string ?? ""
  }

  init(_ message: String, _ locations: [SourceLocation]) {
    places = locations.map { "\($0.line):\($0.column)" }
    self.message = message
  }

  var description: String { "\(places.joined(separator: ", ")) \(message)" }

  static func < (left: Complaint, right: Complaint) -> Bool { left.description < right.description }
}
