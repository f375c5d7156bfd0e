import ClientOperation
import JSON

/// An operation that a client can run: its compiled form, its variables, and how its data becomes a typed value.
public protocol GraphQLOperation: Sendable {
  associatedtype Data: Sendable

  /// The operation as every part of the client sees it.
  var compiled: CompiledOperation { get }
  /// An object with the operation's variables; an empty one when it has none.
  var variables: JSONValue { get }
  /// Makes the typed value of a response's `data`, which is an object.
  func makeData(from json: JSONValue) throws -> Data
}

/// An operation that someone typed: its data stays JSON.
public struct DynamicOperation: GraphQLOperation {
  public let compiled: CompiledOperation
  public let variables: JSONValue

  public init(compiled: CompiledOperation, variables: JSONValue = .object([])) {
    self.compiled = compiled
    self.variables = variables
  }

  public func makeData(from json: JSONValue) -> JSONValue { json }
}

/// What a caller sends along with a request for its own interceptors.
public protocol RequestContext: Sendable {}
