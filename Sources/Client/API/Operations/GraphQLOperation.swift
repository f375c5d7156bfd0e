import ApusClientOperation
import ApusJSON

/// An operation that a client can run: its compiled form, its variables, and the conversion of its data.
///
/// Generated models conform to `GraphQLQuery`, `GraphQLMutation` and `GraphQLSubscription`, which implement all
/// requirements. For other kinds of data, conform to `QueryOperation`, `MutationOperation` or `SubscriptionOperation`.
public protocol GraphQLOperation: Sendable {
  /// The type of a result's `data`: a generated model, JSON, or a custom type.
  associatedtype Data: Sendable

  /// The compiled operation.
  var compiled: CompiledOperation { get }
  /// Variables, as a JSON object.
  var variables: JSONValue { get }
  /// The handling of data that does not match the operation. Models need `propagateNulls`, the default.
  var resultChecking: ResultChecking { get }
  /// Converts a response's `data`, which is an object.
  ///
  /// - Throws: Any error, which the client passes on. Generated models do not throw.
  func makeData(from response: ResponseData) throws -> Data
}

extension GraphQLOperation {
  public var resultChecking: ResultChecking { .propagateNulls }
}

/// An operation that a client can fetch or watch.
public protocol QueryOperation: GraphQLOperation {}

/// An operation that a client can perform.
public protocol MutationOperation: GraphQLOperation {}

/// An operation that a client can subscribe to.
public protocol SubscriptionOperation: GraphQLOperation {}
