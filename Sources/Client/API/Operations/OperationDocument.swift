/// The text of a generated operation, made when the source was: two runs of a program send the same bytes.
public struct OperationDocument: Sendable {
  /// The operation's own text and the named fragments that it uses, those that fragments use among them.
  public struct Definition: Sendable {
    /// The operation's text, without the fragments that it uses.
    public let operationDefinition: String
    /// The models of the named fragments whose text belongs to the document, each once.
    public let fragments: [any Fragment.Type]

    /// A document from the operation's text and the fragments that it uses.
    public init(_ operationDefinition: String, fragments: [any Fragment.Type] = []) {
      self.operationDefinition = operationDefinition
      self.fragments = fragments
    }

    /// The whole document: the operation, then each fragment once, a line each.
    public var text: String {
      ([operationDefinition] + fragments.map { $0.fragmentDefinition }).joined(separator: "\n")
    }
  }

  /// The operation's text and its fragments.
  public let definition: Definition
  /// The SHA-256 of `definition.text` in lower-case hexadecimal, which names the operation to servers that keep it;
  /// `nil` lets the client compute it when it needs it.
  public let operationIdentifier: String?

  /// A document, with its digest where the generator computed it.
  public init(definition: Definition, operationIdentifier: String? = nil) {
    self.definition = definition
    self.operationIdentifier = operationIdentifier
  }
}
