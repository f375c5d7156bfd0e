import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

/// Reads and writes of the cache with typed data, without a request.
extension CacheStore {
  /// Writes the data of an operation, such as a model from its initializer. Only what differs from the cache is written.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: Operation.Data, for operation: Operation
  ) async throws -> ChangedKeys where Operation.Data: SelectionSet {
    try await write(data.__data, for: operation)
  }

  /// Writes an operation's data from a data dictionary. Only what differs from the cache is written.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: DataDict, for operation: Operation
  ) async throws -> ChangedKeys {
    try await write(
      data.json, operation: operation.compiled, variables: operation.variables, options: .localChange)
  }

  /// Writes the data of an operation whose data is JSON. Only what differs from the cache is written.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: JSONValue, for operation: Operation
  ) async throws -> ChangedKeys where Operation.Data == JSONValue {
    try await write(data, operation: operation.compiled, variables: operation.variables, options: .localChange)
  }

  /// Returns the cached data of an operation; `nil` unless it is complete.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read; the errors of the operation's `makeData(from:)`, which
  ///   does not throw for generated models.
  public nonisolated func read<Operation: GraphQLOperation>(_ operation: Operation) async throws -> Operation.Data? {
    try await read(operation, on: nil)
  }

  nonisolated func read<Operation: GraphQLOperation>(
    _ operation: Operation, on key: CacheKey?
  ) async throws -> Operation.Data? {
    let read = try await read(
      operation.compiled, on: key, variables: operation.variables, allowPartial: false, allowStale: false)
    return try OperationDecoder.complete(read, operation)
  }

  /// Updates the cached data of a local mutation, and notifies its watchers. Does nothing if the data is incomplete.
  ///
  /// Reading, `body` and writing are one cache transaction, and only the fields that `body` changes are written.
  /// Concurrent updates, even from other processes, run one after another, so that none overwrites another. The stored
  /// data is updated; optimistic layers still apply on top of it. If `body` throws, nothing changes.
  ///
  /// - Throws: The errors of `body`; `CacheFileError` if a cache file cannot be read or written.
  @discardableResult
  public nonisolated func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: @escaping @Sendable (inout Mutation.Data) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(mutation, body) }.changedKeys
  }
}

/// Fragments on the record with a key.
extension CacheStore {
  /// Returns the cached data of a fragment on the record with `key`, including optimistic layers; `nil` if the data is
  /// incomplete, or the fragment's type condition does not apply to the record.
  ///
  /// - Parameter variables: An object with the variables that the fragment uses.
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public nonisolated func read<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([])
  ) async throws -> Model? {
    try await read(FragmentSelections(fragment, variables: variables), on: key)
  }

  /// Returns the cached data of a fragment compiled from source text; `nil` unless it is complete.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public nonisolated func read(_ fragment: DynamicFragment, key: CacheKey) async throws -> JSONValue? {
    let read = try await read(
      fragment.compiled, on: key, variables: fragment.variables, allowPartial: false, allowStale: false)
    return read.isComplete ? read.data : nil
  }

  /// Writes a fragment's data to the record with `key`, which is created if missing. Other fields of the record are
  /// kept.
  ///
  /// - Throws: `CacheTransactionError.otherKey` if the data has the key of another record.
  @discardableResult
  public nonisolated func write<Model: Fragment>(
    _ data: Model, key: CacheKey, variables: JSONValue = .object([])
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.write(data, key: key, variables: variables) }.changedKeys
  }

  /// Writes the data of a fragment compiled from source text to the record with `key`.
  ///
  /// - Throws: `CacheTransactionError.otherKey` if the data has the key of another record; `CacheFileError` if a cache
  ///   file cannot be read or written.
  @discardableResult
  public nonisolated func write(
    _ data: JSONValue, for fragment: DynamicFragment, key: CacheKey
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.write(data, for: fragment, key: key) }.changedKeys
  }

  /// Updates a fragment on the record with `key` in one cache transaction. Only the fields that `body` changes are
  /// written. Does nothing if the data is incomplete. The fields of a fragment with `@localCacheMutation` can be set;
  /// for other fragments `body` assigns a new value.
  ///
  /// - Throws: The errors of `body`; then nothing changes.
  @discardableResult
  public nonisolated func update<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([]),
    _ body: @escaping @Sendable (inout Model) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(fragment, key: key, variables: variables, body) }.changedKeys
  }

  /// Updates a fragment compiled from source text on the record with `key`.
  ///
  /// - Throws: The errors of `body`, `CacheTransactionError.otherKey` if the new data has the key of another record,
  ///   and `CacheFileError` if a cache file cannot be read or written; then nothing changes.
  @discardableResult
  public nonisolated func update(
    _ fragment: DynamicFragment, key: CacheKey, _ body: @escaping @Sendable (inout JSONValue) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(fragment, key: key, body) }.changedKeys
  }
}
