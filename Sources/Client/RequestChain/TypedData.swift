import ClientAPI
import ClientCache
import ClientOperation
import ClientResultExecution
import JSON

/// JSON data as the operation's own type. What the operation throws is thrown as it is: whoever wrote it knows it.
package enum TypedData {
  /// JSON null is a value where the type has room for it, as JSON itself has; for a model it is no data.
  static func make<Operation: GraphQLOperation>(
    _ json: JSONValue?, _ operation: Operation, fragments: [DeferredFragment], plan: SelectionPlan? = nil
  ) throws -> Operation.Data? {
    guard let json else { return nil }
    if json.isNull { return JSONValue.null as? Operation.Data }
    return try operation.makeData(from: ResponseData(json, fragments: fragments, plan: plan))
  }

  /// What a cache has of an operation. What a partial read lacks, and what another operation may have written of another
  /// type, makes the nearest nullable place null; `nil` when nothing is left.
  package static func make<Operation: GraphQLOperation>(
    _ read: CacheRead, _ operation: Operation
  ) throws -> Operation.Data? {
    guard let json = read.data else { return nil }
    guard operation.resultChecking == .bubbling else { return try make(json, operation, fragments: read.fragments) }
    let plan = SelectionPlan(operation: operation.compiled, variables: operation.variables)
    let result = ResultExecutor.execute(json, plan: plan)
    return try make(result.data, operation, fragments: read.fragments, plan: plan)
  }
}
