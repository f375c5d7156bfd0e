import ApusClientOperation
import ApusJSON

/// An operation whose data is a generated model: its selections are known when the program is compiled.
///
/// Two operations of one type are equal when they send the same variables.
public protocol GeneratedOperation: GraphQLOperation, Hashable where Data: RootSelectionSet {
  /// The operation's name in its document.
  static var operationName: String { get }
  /// The text to send, and its digest.
  static var operationDocument: OperationDocument { get }
  /// Whether it is a query, a mutation or a subscription.
  static var operationType: CompiledOperation.OperationType { get }
  /// The default values that the document gives to variables, by name. The cache needs them where a variable is left
  /// out: the server answers as if the default had been sent.
  static var __variableDefaults: InputDict { get }
  /// The variables, in the order of the document; what is `GraphQLNullable.none` is left out.
  var __variables: InputDict { get }
}

/// A generated query.
public protocol GraphQLQuery: GeneratedOperation, QueryOperation {}

/// A generated mutation.
public protocol GraphQLMutation: GeneratedOperation, MutationOperation {}

/// A generated subscription.
public protocol GraphQLSubscription: GeneratedOperation, SubscriptionOperation {}

extension GeneratedOperation {
  public static var __variableDefaults: InputDict { [:] }
  public var __variables: InputDict { [:] }
  public var compiled: CompiledOperation { LoweredModels.operation(Self.self) }
  public var variables: JSONValue { __variables.json }

  public static func == (left: Self, right: Self) -> Bool { left.__variables == right.__variables }
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }

  /// Stands here so that no operation gets one of its own.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }

  public func makeData(from response: ResponseData) -> Data {
    Data(_dataDict: DataDict(response, plan: response.plan(of: self)))
  }
}

extension GraphQLQuery {
  /// `query`.
  public static var operationType: CompiledOperation.OperationType { .query }
}

extension GraphQLMutation {
  /// `mutation`.
  public static var operationType: CompiledOperation.OperationType { .mutation }
}

extension GraphQLSubscription {
  /// `subscription`.
  public static var operationType: CompiledOperation.OperationType { .subscription }
}
