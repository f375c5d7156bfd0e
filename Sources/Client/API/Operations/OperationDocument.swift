/// The text of a generated operation, which is the same in every run.
public struct OperationDocument: Sendable {
  /// The text of an operation, and all named fragments that it uses directly or indirectly.
  public struct Definition: Sendable {
    /// The operation definition, without fragments.
    public let operationDefinition: String
    /// Models of the named fragments, without duplicates.
    public let fragments: [any Fragment.Type]

    /// Creates a document from an operation definition and its fragments.
    public init(_ operationDefinition: String, fragments: [any Fragment.Type] = []) {
      self.operationDefinition = operationDefinition
      self.fragments = fragments
    }

    /// The whole document: the operation, then each fragment on its own line.
    public var text: String {
      ([operationDefinition] + fragments.map { $0.fragmentDefinition }).joined(separator: "\n")
    }
  }

  /// The operation definition and its fragments.
  public let definition: Definition
  /// The SHA-256 digest of `definition.text` in lowercase hexadecimal, which identifies a persisted query; `nil` if the
  /// client should compute it.
  public let operationIdentifier: String?

  /// Creates a document, optionally with the digest from the generator.
  public init(definition: Definition, operationIdentifier: String? = nil) {
    self.definition = definition
    self.operationIdentifier = operationIdentifier
  }
}
