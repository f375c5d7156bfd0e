/// What is added to an operation on its way to the compiled form.
package struct CompileOptions: Sendable {
  /// Whether `__typename` and key fields are added for the cache's sake. What is added is flagged, so that output can
  /// hide it.
  package var addTypename: Bool
  /// The key fields of object types that have other ones than `keyCandidates`.
  package var keyFields: [String: [String]]
  /// Fields of which the first that a type has is its key.
  package var keyCandidates: [String]

  package init(
    addTypename: Bool = false, keyFields: [String: [String]] = [:], keyCandidates: [String] = ["id", "_id", "nodeId"]
  ) {
    self.addTypename = addTypename
    self.keyFields = keyFields
    self.keyCandidates = keyCandidates
  }
}
