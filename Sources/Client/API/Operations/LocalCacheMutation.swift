import ApusClientOperation
import ApusJSON

/// Selections that are read from the cache, changed and written back, and never sent.
public protocol LocalCacheMutation: GraphQLOperation where Data: MutableRootSelectionSet {
  /// On which root object the selections are made; `query` unless said otherwise.
  static var operationType: CompiledOperation.OperationType { get }
  /// The default values that the document gives to variables, by name; empty where it gives none.
  static var __variableDefaults: InputDict { get }
  /// The variables, in the order of the document; what is `GraphQLNullable.none` is left out.
  var __variables: InputDict { get }
}

extension LocalCacheMutation {
  public static var operationType: CompiledOperation.OperationType { .query }
  public static var __variableDefaults: InputDict { [:] }
  public var __variables: InputDict { [:] }
  public var compiled: CompiledOperation { LoweredModels.operation(Self.self) }
  public var variables: JSONValue { __variables.json }

  public func makeData(from response: ResponseData) -> Data {
    Data(_dataDict: DataDict(response, plan: response.plan(of: self)))
  }
}
