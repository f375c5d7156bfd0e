import ApusClientAPI
import ApusClientCache
import ApusClientOperation
import ApusClientResultExecution
import ApusJSON

/// Converts JSON data to the operation's data type. Errors of the operation's initializer are rethrown unchanged.
package enum OperationDecoder {
  /// Converts JSON. A JSON null is data for operations whose type can represent it, as `JSONValue` can; for models it
  /// is nil.
  static func decode<Operation: GraphQLOperation>(
    _ json: JSONValue?, _ operation: Operation, fragments: [DeferredFragment], plan: SelectionPlan? = nil
  ) throws -> Operation.Data? {
    guard let json else { return nil }
    if json.isNull { return JSONValue.null as? Operation.Data }
    return try operation.makeData(from: ResponseData(json, fragments: fragments, plan: plan))
  }

  /// Converts the data of a cache read; nil if there is none.
  package static func decode<Operation: GraphQLOperation>(
    _ read: CacheRead, _ operation: Operation
  ) throws -> Operation.Data? {
    try self.read(read, operation).data
  }

  /// Converts the data of a cache read; `nil` unless it is complete.
  package static func complete<Operation: GraphQLOperation>(
    _ read: CacheRead, _ operation: Operation
  ) throws -> Operation.Data? {
    let (data, read) = try self.read(read, operation)
    return read.isComplete ? data : nil
  }

  /// Converts the data of a cache read. Missing fields make the nearest nullable field null. The data is checked
  /// against the operation again, so that invalid cached data is a cache miss.
  package static func read<Operation: GraphQLOperation>(
    _ read: CacheRead, _ operation: Operation
  ) throws -> (data: Operation.Data?, read: CacheRead) {
    guard let json = read.data else { return (nil, read) }
    guard operation.resultChecking == .propagateNulls else {
      return (try decode(json, operation, fragments: read.fragments), read)
    }
    let plan = SelectionPlan(operation: operation.compiled, variables: operation.variables)
    let fulfilled = read.fragments.filter { $0.state == .fulfilled }
    let result = ResultExecutor.execute(
      json, plan: plan, fulfilled: fulfilled.map { (fragmentID: $0.fragmentID, path: $0.objectPath) })
    let read = result.errors.isEmpty ? read : checked(read, result)
    return (try decode(result.coerced, operation, fragments: read.fragments, plan: plan), read)
  }

  private static func checked(_ read: CacheRead, _ result: ResultExecutor.Result) -> CacheRead {
    var read = read
    for (number, fragment) in read.fragments.enumerated() {
      let failures = result.failures.filter { $0.fragmentID == fragment.fragmentID && $0.path == fragment.objectPath }
      guard !failures.isEmpty, fragment.state == .fulfilled else { continue }
      read.fragments[number] = fragment.withState(
        .failed(failures.map { GraphQLError($0.error) }), after: fragment.settledAfter)
      read.isComplete = false
    }
    // Missing fields of a partial read were already reported.
    guard read.isComplete else { return read }
    read.errors += result.errors.map { GraphQLError($0) }
    read.missing += result.contradictions.map(\.path)
    read.isComplete = read.missing.isEmpty
    return read
  }
}
