/// Options for additions to a compiled operation.
package struct CompileOptions: Sendable {
  /// Whether `__typename` and key fields are added for the cache. They are marked, so that output can hide them.
  package var addTypename: Bool
  /// The key fields of object types that differ from `keyCandidates`.
  package var keyFields: [String: [String]]
  /// The candidates for the key field; the first one that a type has is used.
  package var keyCandidates: [String]

  /// The candidates of an operation that was compiled without others.
  package static let standardKeyCandidates = ["id", "_id", "nodeId"]

  package init(
    addTypename: Bool = false, keyFields: [String: [String]] = [:],
    keyCandidates: [String] = CompileOptions.standardKeyCandidates
  ) {
    self.addTypename = addTypename
    self.keyFields = keyFields
    self.keyCandidates = keyCandidates
  }
}
