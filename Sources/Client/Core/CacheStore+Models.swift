import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

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
    let answer = try TypedData.read(
      try await read(operation.compiled, variables: operation.variables), operation)
    return answer.read.isComplete ? answer.data : nil
  }

  /// Changes what the cache has of a local mutation's selections: whoever watches any of it hears of it. Nothing happens
  /// when it is not all there.
  ///
  /// Reading, `body` and writing are one transaction of the cache, and only what `body` made another is written: updates
  /// at the same time, from other processes too, follow one after the other and none undoes another. What is changed is
  /// what the cache keeps; optimistic layers lie over it as before. What `body` throws leaves everything as it was.
  @discardableResult
  public nonisolated func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: @escaping @Sendable (inout Mutation.Data) throws -> Void
  ) async throws -> ChangedKeys {
    try await update(mutation.compiled, variables: mutation.variables) { read in
      let answer = try TypedData.read(read, mutation)
      guard answer.read.isComplete, var data = answer.data else { return nil }
      let before = data.__data.json
      try body(&data)
      return (before, after: data.__data.json)
    }
  }
}
