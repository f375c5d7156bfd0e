/// The text of a generated operation, made when the source was: two runs of a program send the same bytes.
public struct OperationDocument: Sendable {
  /// The operation's own text and the named fragments that it uses, those that fragments use among them.
  public struct Definition: Sendable {
    public let operationDefinition: String
    public let fragments: [any Fragment.Type]

    public init(_ operationDefinition: String, fragments: [any Fragment.Type] = []) {
      self.operationDefinition = operationDefinition
      self.fragments = fragments
    }

    /// The whole document: the operation, then each fragment once, a line each.
    public var text: String {
      ([operationDefinition] + fragments.map { $0.fragmentDefinition }).joined(separator: "\n")
    }
  }

  public let definition: Definition
  /// The SHA-256 of `definition.text` in lower-case hexadecimal, which names the operation to servers that keep it;
  /// `nil` lets the client compute it when it needs it.
  public let operationIdentifier: String?

  public init(definition: Definition, operationIdentifier: String? = nil) {
    self.definition = definition
    self.operationIdentifier = operationIdentifier
  }
}
