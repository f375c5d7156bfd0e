import ApusClientOperation
import ApusJSON

/// An operation that a client can run: its compiled form, its variables, and how its data becomes a typed value.
///
/// Generated models conform to `GraphQLQuery`, `GraphQLMutation` and `GraphQLSubscription`, which fill all of this in.
/// Conform to one of `QueryOperation`, `MutationOperation` and `SubscriptionOperation` to bring a form of your own.
public protocol GraphQLOperation: Sendable {
  /// What a result's `data` is in Swift: a generated model, JSON, or a type of the caller's.
  associatedtype Data: Sendable

  /// The operation as every part of the client sees it.
  var compiled: CompiledOperation { get }
  /// An object with the operation's variables; an empty one when it has none.
  var variables: JSONValue { get }
  /// What becomes of data that contradicts the operation; models need `bubbling`, which is the default.
  var resultChecking: ResultChecking { get }
  /// Makes the typed value of a response's `data`, which is an object.
  ///
  /// - Throws: Whatever the operation's author chooses; the client passes it on as it is. Generated models throw
  ///   nothing.
  func makeData(from response: ResponseData) throws -> Data
}

extension GraphQLOperation {
  public var resultChecking: ResultChecking { .bubbling }
}

/// An operation that a client fetches or watches.
public protocol QueryOperation: GraphQLOperation {}

/// An operation that a client performs, once.
public protocol MutationOperation: GraphQLOperation {}

/// An operation that a client subscribes to.
public protocol SubscriptionOperation: GraphQLOperation {}
