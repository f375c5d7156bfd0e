import ApusClientOperation
import ApusJSON

/// An operation whose data is a generated model.
///
/// Two operations of one type are equal if their variables are equal.
public protocol GeneratedOperation: GraphQLOperation, Hashable where Data: RootSelectionSet {
  /// The operation's name in its document.
  static var operationName: String { get }
  /// The text to send, and its digest.
  static var operationDocument: OperationDocument { get }
  /// Whether the operation is a query, mutation or subscription.
  static var operationType: CompiledOperation.OperationType { get }
  /// The default values of variables in the document, by name. The cache needs them for omitted variables.
  static var __variableDefaults: InputDict { get }
  /// The variables in document order. `GraphQLNullable.none` is omitted.
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
  public var compiled: CompiledOperation { CompiledModelCache.operation(Self.self) }
  public var variables: JSONValue { __variables.json }

  public static func == (left: Self, right: Self) -> Bool { left.__variables == right.__variables }
  public func hash(into hasher: inout Hasher) { hasher.combine(__variables) }

  /// Implemented here so that the compiler does not generate it for every operation.
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
