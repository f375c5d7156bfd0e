import ApusConfiguration
import ApusGraphQLLanguage
import ApusJSON

/// Whether a file that has no supported format may hold GraphQL requests, so that skipping it makes an import incomplete.
///
/// It does if its text is an operation, or if JSON or YAML in it has an operation as a string, or a key for a query or a body beside
/// one for a URL. A `package.json` that names a GraphQL package has none of these.
enum PossibleRequest {
  private static let urlKeys: Set<String> = ["url", "uri", "endpoint", "apiurl", "href"]
  private static let contentKeys: Set<String> = ["query", "body", "graphql", "document", "operation", "mutation"]
  /// The number of values that are examined.
  private static let limit = 100_000

  static func isIn(_ text: String, named name: String) -> Bool {
    if isOperation(text) { return true }
    if let root = try? JSONDocument(parsing: text).root { return isIn(root) }
    guard name.hasSuffix(".yml") || name.hasSuffix(".yaml"),
      let root = try? YAMLParser.parse(text, file: name, limits: .export)
    else { return false }
    return isIn(root.json)
  }

  private static func isIn(_ root: JSONValue) -> Bool {
    var waiting = [root]
    var count = 0
    while let value = waiting.popLast(), count < limit {
      count += 1
      switch value.kind {
      case .array: waiting += value.elements
      case .object:
        let keys = Set(value.members.map { $0.key.lowercased() })
        let hasURL = value.members.contains { urlKeys.contains($0.key.lowercased()) && isURL($0.value.string ?? "") }
        if hasURL, !keys.isDisjoint(with: contentKeys) { return true }
        waiting += value.members.map { $0.value }
      case .string: if isOperation(value.string ?? "") { return true }
      case .number, .bool, .null: break
      }
    }
    return false
  }

  private static func isURL(_ text: String) -> Bool { text.contains("://") || text.contains("{{") }

  /// Whether a text is a document with an operation. Plain words do not count, since every operation has braces.
  private static func isOperation(_ text: String) -> Bool {
    guard text.utf8.count < 1 << 20, text.contains("{"), text.contains("}") else { return false }
    let document = Document(parsing: text)
    return document.diagnostics.isEmpty && !document.operations.isEmpty
  }
}
