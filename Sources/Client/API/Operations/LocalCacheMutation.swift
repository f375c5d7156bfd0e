import ApusClientOperation
import ApusJSON

/// Selections that are read from the cache, changed and written back. Never sent.
public protocol LocalCacheMutation: GraphQLOperation where Data: MutableRootSelectionSet {
  /// The root type of the selections; `query` by default.
  static var operationType: CompiledOperation.OperationType { get }
  /// The default values of variables in the document, by name.
  static var __variableDefaults: InputDict { get }
  /// The variables in document order. `GraphQLNullable.none` is omitted.
  var __variables: InputDict { get }
}

extension LocalCacheMutation {
  public static var operationType: CompiledOperation.OperationType { .query }
  public static var __variableDefaults: InputDict { [:] }
  public var __variables: InputDict { [:] }
  public var compiled: CompiledOperation { CompiledModelCache.operation(Self.self) }
  public var variables: JSONValue { __variables.json }

  public func makeData(from response: ResponseData) -> Data {
    Data(_dataDict: DataDict(response, plan: response.plan(of: self)))
  }
}
