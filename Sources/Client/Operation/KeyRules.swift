import ApusJSON

/// The rules that determine which fields of an object form its key. Two payloads of a response sent the same object
/// if they agree in these fields.
package struct KeyRules: Sendable {
  /// The names of key fields for all types: `id`, `_id`, `nodeId`.
  package var candidates: [String]
  /// The key fields of single types, which form one key together; empty for a type without a key.
  package var fieldsByType: [String: [String]]
  /// A function that is called first with an object's typename and its fields by name. If it returns `nil`, the fields
  /// determine the key.
  package var key: (@Sendable (_ typename: String, _ fields: JSONValue) -> String?)?

  /// The rules of an operation that was compiled without others.
  package static let standard = KeyRules()

  package init(
    candidates: [String] = CompileOptions.standardKeyCandidates, fieldsByType: [String: [String]] = [:],
    key: (@Sendable (_ typename: String, _ fields: JSONValue) -> String?)? = nil
  ) {
    self.candidates = candidates
    self.fieldsByType = fieldsByType
    self.key = key
  }

  /// Returns the text of a key field's value; `nil` if it identifies nothing. Integers and strings with the same text are
  /// equal, because some servers send IDs as integers.
  package static func text(of value: JSONValue) -> String? {
    switch value.kind {
    case .string: value.string
    case .number, .bool: value.description
    case .null, .array, .object: nil
    }
  }
}
