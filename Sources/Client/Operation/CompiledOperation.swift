import ApusASCII
public import ApusGraphQLLanguage
import ApusJSON

/// The compiled form of an operation, generated or parsed from text. The executor, normalizer, cache reader and merger
/// all use it.
public final class CompiledOperation: Sendable {
  /// The type of an operation. Generated models use this name, since their schema may have a type of the short one.
  public typealias OperationType = ApusGraphQLLanguage.OperationType

  /// The type of the operation.
  public let operationType: OperationType
  /// The operation's name; `nil` for an anonymous operation.
  public let name: String?
  /// The text to send: the operation and its fragments.
  public let documentText: String
  /// The map from locations in the sent text to the document as written; `nil` if the two are the same.
  package let sourceMap: SourceMap?
  /// The SHA-256 digest of the text in lowercase hexadecimal, if the generator computed it.
  public let documentDigest: String?
  /// The name of the root type, such as `Query`.
  public let rootTypeName: String
  /// Whether a schema or a fragment determined `rootTypeName`. Otherwise, it is the default name.
  package let isRootTypeKnown: Bool
  /// The name of the schema's query root type; `nil` without a schema.
  package let queryTypeName: String?
  /// Whether the root object can have several types, as in a fragment on an interface. Otherwise its type is
  /// `rootTypeName`.
  package let rootIsAbstract: Bool
  /// Selections on the root object.
  package let selections: CompiledSelectionSet
  /// Declared variables, in order.
  package let variableDefinitions: [CompiledVariable]
  /// Deferrable fragments. A fragment's `id` is its index.
  package let fragments: [CompiledFragment]
  /// Whether the operation contains `@defer` or `@stream`, so that the response may be incremental.
  public let hasIncremental: Bool
  /// Rules for the keys of its objects, as far as they are known without a cache.
  package let keyRules: KeyRules
  /// The plan for requests without variables, created on first use.
  private let plan = OnceReference<PlanRoot>()

  package init(
    operationType: OperationType, name: String?, documentText: String, sourceMap: SourceMap? = nil,
    documentDigest: String? = nil, rootTypeName: String? = nil, queryTypeName: String? = nil,
    rootIsAbstract: Bool = false,
    selections: CompiledSelectionSet,
    variableDefinitions: [CompiledVariable] = [],
    fragments: [CompiledFragment] = [], hasIncremental: Bool, keyRules: KeyRules = .standard
  ) {
    self.operationType = operationType
    self.name = name
    self.documentText = documentText
    self.sourceMap = sourceMap
    self.documentDigest = documentDigest
    self.rootTypeName =
      rootTypeName ?? operationType.rawValue.prefix(1).uppercased() + operationType.rawValue.dropFirst()
    isRootTypeKnown = rootTypeName != nil
    self.queryTypeName = queryTypeName
    self.rootIsAbstract = rootIsAbstract
    self.selections = selections
    self.variableDefinitions = variableDefinitions
    self.fragments = fragments
    self.hasIncremental = hasIncremental
    self.keyRules = keyRules
  }

  /// Returns the plan of the root object for these variables.
  func planRoot(_ variables: JSONValue) -> PlanRoot {
    guard variables.count == 0 else { return PlanRoot(self, variables) }
    return plan.value { PlanRoot(self, variables) }
  }

  /// Whether the document text contains a variable. The variable definitions cannot be used, because for generated
  /// models they contain only variables with defaults. An operation without text may have any variable.
  package func hasVariable(_ name: String) -> Bool {
    if documentText.isEmpty { return true }
    let text = documentText.utf8
    return !name.isEmpty
      && text.ranges(of: "$\(name)".utf8).contains { range in
        range.upperBound == text.endIndex || !text[range.upperBound].isNameByte
      }
  }

  /// Returns the variables as the server sees them, with the defaults of omitted variables.
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

/// A variable definition.
package struct CompiledVariable: Sendable, Equatable {
  package let name: String
  /// The type as written, such as `[ID!]!`.
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
