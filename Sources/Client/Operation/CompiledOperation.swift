import ApusASCII
import ApusJSON

/// The one form in which the executor, the normalizer, the cache reader and the merger see an operation,
/// whether it came from generated models or from a document that someone typed.
public final class CompiledOperation: Sendable {
  /// The three kinds of operation.
  public enum OperationType: String, Sendable, Hashable {
    /// The three kinds (GraphQL specification, section 2.3).
    case query, mutation, subscription
  }

  /// Whether the operation reads, writes or listens.
  public let operationType: OperationType
  /// The operation's name; `nil` for an anonymous one.
  public let name: String?
  /// The text to send: the operation and the fragments it needs.
  public let documentText: String
  /// The SHA-256 of the text in lower-case hexadecimal, where it was computed when the source was generated.
  public let documentDigest: String?
  /// The name of the root object type, such as `Query`.
  public let rootTypeName: String
  /// Whether objects of several types may be the root, as with a fragment on an interface; else it is of the type that
  /// `rootTypeName` names.
  package let rootIsAbstract: Bool
  /// What is selected on the root object.
  package let selections: CompiledSelectionSet
  /// The variables that the operation declares, in their order.
  package let variableDefinitions: [CompiledVariable]
  /// Every deferrable fragment; a fragment's `id` is its index here.
  package let fragments: [CompiledFragment]
  /// Whether something is deferred or streamed, so that the answer may come in parts.
  public let hasIncremental: Bool
  /// The plan for a request without variables, from the first one on.
  private let plan = OnceReference<PlanRoot>()

  package init(
    operationType: OperationType, name: String?, documentText: String, documentDigest: String? = nil,
    rootTypeName: String? = nil, rootIsAbstract: Bool = false, selections: CompiledSelectionSet,
    variableDefinitions: [CompiledVariable] = [],
    fragments: [CompiledFragment] = [], hasIncremental: Bool
  ) {
    self.operationType = operationType
    self.name = name
    self.documentText = documentText
    self.documentDigest = documentDigest
    self.rootTypeName =
      rootTypeName ?? operationType.rawValue.prefix(1).uppercased() + operationType.rawValue.dropFirst()
    self.rootIsAbstract = rootIsAbstract
    self.selections = selections
    self.variableDefinitions = variableDefinitions
    self.fragments = fragments
    self.hasIncremental = hasIncremental
  }

  /// What is selected on the root object, with these variables applied.
  func planRoot(_ variables: JSONValue) -> PlanRoot {
    guard variables.count == 0 else { return PlanRoot(self, variables) }
    return plan.value { PlanRoot(self, variables) }
  }

  /// Whether the document has a variable of this name, by its text: of the operations of generated models, only the variables
  /// with a default are among the definitions. One that is sent without its text may have any.
  package func hasVariable(_ name: String) -> Bool {
    if documentText.isEmpty { return true }
    let text = documentText.utf8
    return !name.isEmpty
      && text.ranges(of: "$\(name)".utf8).contains { range in
        range.upperBound == text.endIndex || !text[range.upperBound].isNameByte
      }
  }

  /// The variables as the server will see them: those given, and the defaults of those left out.
  package func effectiveVariables(_ variables: JSONValue) -> JSONValue {
    let missing = variableDefinitions.filter { $0.defaultValue != nil && variables[$0.name] == nil }
    guard !missing.isEmpty else { return variables.kind == .object ? variables : .object([]) }
    var members = variables.kind == .object ? variables.members.map { ($0.key, $0.value) } : []
    for definition in missing {
      if let value = definition.defaultValue { members.append((definition.name, value)) }
    }
    return .object(members)
  }
}

/// A variable that an operation declares.
package struct CompiledVariable: Sendable, Equatable {
  package let name: String
  /// The type as written: `[ID!]!`.
  package let typeDescription: String
  package let isNonNull: Bool
  package let defaultValue: JSONValue?

  package init(name: String, typeDescription: String, isNonNull: Bool, defaultValue: JSONValue?) {
    self.name = name
    self.typeDescription = typeDescription
    self.isNonNull = isNonNull
    self.defaultValue = defaultValue
  }
}
