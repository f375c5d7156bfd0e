import ApusDigest
import ApusJSON

/// The documents of persisted queries, by hash or id: those of files, and those that an application sent before.
package struct PersistedDocuments: Sendable {
  /// The maximum size of all documents that an application sent, in bytes. The oldest are forgotten.
  private static let limit = 16 << 20

  private var ofFiles: [String: String] = [:]
  private var sent: [String: String] = [:]
  private var order: [String] = []
  private var size = 0

  package init() {}

  /// Adds the documents of a manifest: Apollo's persisted query manifest, or Relay's file, which maps ids to documents.
  /// Returns the number of documents; `nil` if the JSON is neither.
  package mutating func add(manifest json: JSONValue) -> Int? {
    var found: [(id: String, text: String)] = []
    if let operations = json["operations"], operations.kind == .array {
      for operation in operations.elements {
        guard let id = operation["id"]?.string, let text = operation["body"]?.string else { return nil }
        found.append((id, text))
      }
    } else {
      guard json.kind == .object else { return nil }
      for (id, text) in json.members {
        guard let text = text.string else { return nil }
        found.append((id, text))
      }
    }
    for (id, text) in found { ofFiles[id] = text }
    return found.count
  }

  /// Adds a document of a file under its id.
  package mutating func add(_ text: String, id: String) { ofFiles[id] = text }

  /// Returns the document of a request. A document that is sent is remembered under its hash, and under the id that is sent with
  /// it.
  mutating func document(of parameters: OperationParameters) -> String? {
    guard let text = parameters.query else { return parameters.documentID.flatMap { sent[$0] ?? ofFiles[$0] } }
    remember(text, id: SHA256Digest.hexadecimal(of: text))
    if let id = parameters.documentID { remember(text, id: id) }
    return text
  }

  private mutating func remember(_ text: String, id: String) {
    guard sent[id] == nil, text.utf8.count < Self.limit else { return }
    sent[id] = text
    order.append(id)
    size += text.utf8.count
    while size > Self.limit {
      let oldest = order.removeFirst()
      size -= sent.removeValue(forKey: oldest)?.utf8.count ?? 0
    }
  }
}
