import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

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

  /// What a cache has of an operation, or nil when nothing is left of it.
  package static func make<Operation: GraphQLOperation>(
    _ read: CacheRead, _ operation: Operation
  ) throws -> Operation.Data? {
    try self.read(read, operation).data
  }

  /// What a cache has of an operation; `nil` unless it is all there.
  package static func whole<Operation: GraphQLOperation>(
    _ read: CacheRead, _ operation: Operation
  ) throws -> Operation.Data? {
    let (data, read) = try self.read(read, operation)
    return read.isComplete ? data : nil
  }

  /// What a cache has of an operation. What a partial read lacks makes the nearest nullable place null. The data is
  /// executed once more, whoever wrote it: were it not what the operation asks for, the read would be a miss.
  package static func read<Operation: GraphQLOperation>(
    _ read: CacheRead, _ operation: Operation
  ) throws -> (data: Operation.Data?, read: CacheRead) {
    guard let json = read.data else { return (nil, read) }
    guard operation.resultChecking == .bubbling else {
      return (try make(json, operation, fragments: read.fragments), read)
    }
    let plan = SelectionPlan(operation: operation.compiled, variables: operation.variables)
    let fulfilled = read.fragments.filter { $0.state == .fulfilled }
    let result = ResultExecutor.execute(
      json, plan: plan, fulfilled: fulfilled.map { (fragmentID: $0.fragmentID, path: $0.path) })
    let read = result.errors.isEmpty ? read : judged(read, result)
    return (try make(result.coerced, operation, fragments: read.fragments, plan: plan), read)
  }

  private static func judged(_ read: CacheRead, _ result: ResultExecutor.Result) -> CacheRead {
    var read = read
    for (number, fragment) in read.fragments.enumerated() {
      let failures = result.failures.filter { $0.fragmentID == fragment.fragmentID && $0.path == fragment.path }
      guard !failures.isEmpty, fragment.state == .fulfilled else { continue }
      read.fragments[number] = fragment.settled(
        .failed(failures.map { GraphQLError($0.error) }), after: fragment.settledAfter)
      read.isComplete = false
    }
    // What a partial read lacks was told where it is missing.
    guard read.isComplete else { return read }
    read.errors += result.errors.map { GraphQLError($0) }
    read.missing += result.contradictions.map(\.path)
    read.isComplete = read.missing.isEmpty
    return read
  }
}
