import ClientAPI
import ClientCache
import ClientRequestChain
import JSON

/// Reading and writing the cache in an operation's own types, with no request.
extension CacheStore {
  /// Writes an operation's data: one that was received, or one made by the initializer of its model.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: Operation.Data, for operation: Operation
  ) async throws -> ChangedKeys where Operation.Data: SelectionSet {
    try await write(data.__data, for: operation)
  }

  /// Writes an operation's data from a data dictionary.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: DataDict, for operation: Operation
  ) async throws -> ChangedKeys {
    try await write(data.json, operation: operation.compiled, variables: operation.variables)
  }

  /// What the cache has of an operation; `nil` unless it is all there.
  public nonisolated func read<Operation: GraphQLOperation>(_ operation: Operation) async throws -> Operation.Data? {
    let read = try await read(operation.compiled, variables: operation.variables)
    return read.isComplete ? try TypedData.make(read, operation) : nil
  }

  /// Changes what the cache has of a local mutation's selections: whoever watches any of it hears of it. Nothing happens
  /// when it is not all there.
  @discardableResult
  public nonisolated func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: (inout Mutation.Data) throws -> Void
  ) async throws -> ChangedKeys {
    guard var data = try await read(mutation) else { return ChangedKeys() }
    try body(&data)
    return try await write(data, for: mutation)
  }
}
