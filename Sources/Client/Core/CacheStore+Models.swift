import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

/// Reading and writing the cache in an operation's own types, with no request.
extension CacheStore {
  /// Writes an operation's data: one that was received, or one made by the initializer of its model.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: Operation.Data, for operation: Operation
  ) async throws -> ChangedKeys where Operation.Data: SelectionSet {
    try await write(data.__data, for: operation)
  }

  /// Writes an operation's data from a data dictionary.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: DataDict, for operation: Operation
  ) async throws -> ChangedKeys {
    try await write(data.json, operation: operation.compiled, variables: operation.variables)
  }

  /// Writes the data of an operation that has it as JSON.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func write<Operation: GraphQLOperation>(
    _ data: JSONValue, for operation: Operation
  ) async throws -> ChangedKeys where Operation.Data == JSONValue {
    try await write(data, operation: operation.compiled, variables: operation.variables)
  }

  /// What the cache has of an operation; `nil` unless it is all there.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read; what the operation's own `makeData(from:)` throws,
  ///   which for generated models is nothing.
  public nonisolated func read<Operation: GraphQLOperation>(_ operation: Operation) async throws -> Operation.Data? {
    try await read(operation, on: nil)
  }

  nonisolated func read<Operation: GraphQLOperation>(
    _ operation: Operation, on key: CacheKey?
  ) async throws -> Operation.Data? {
    let read = try await read(
      operation.compiled, on: key, variables: operation.variables, allowPartial: false, allowStale: false)
    return try TypedData.whole(read, operation)
  }

  /// Changes what the cache has of a local mutation's selections: whoever watches any of it hears of it. Nothing happens
  /// when it is not all there.
  ///
  /// Reading, `body` and writing are one transaction of the cache, and only what `body` made another is written: updates
  /// at the same time, from other processes too, follow one after the other and none undoes another. What is changed is
  /// what the cache keeps; optimistic layers lie over it as before. What `body` throws leaves everything as it was.
  ///
  /// - Throws: What `body` throws; `CacheFileError` where a cache file cannot be read or written.
  @discardableResult
  public nonisolated func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: @escaping @Sendable (inout Mutation.Data) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(mutation, body) }.changedKeys
  }
}

/// Named fragments on the record under a key.
extension CacheStore {
  /// What the cache has of a fragment on the record under `key`, optimistic layers included; `nil` unless it is all there,
  /// and where the record is of a type that the fragment is not on.
  ///
  /// - Parameter variables: An object with the variables that the fragment's selections name.
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public nonisolated func read<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([])
  ) async throws -> Model? {
    try await read(FragmentSelections(fragment, variables: variables), on: key)
  }

  /// The same for a fragment that is known as text.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public nonisolated func read(_ fragment: DynamicFragment, key: CacheKey) async throws -> JSONValue? {
    let read = try await read(
      fragment.compiled, on: key, variables: fragment.variables, allowPartial: false, allowStale: false)
    return read.isComplete ? read.data : nil
  }

  /// Writes a fragment's data into the record under `key`, which need not be there; its other fields stay.
  ///
  /// - Throws: `CacheTransactionError.otherKey` where the data has the key of another record.
  @discardableResult
  public nonisolated func write<Model: Fragment>(
    _ data: Model, key: CacheKey, variables: JSONValue = .object([])
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.write(data, key: key, variables: variables) }.changedKeys
  }

  /// The same for a fragment that is known as text.
  ///
  /// - Throws: `CacheTransactionError.otherKey` where the data has the key of another record; `CacheFileError` where a
  ///   cache file cannot be read or written.
  @discardableResult
  public nonisolated func write(
    _ data: JSONValue, for fragment: DynamicFragment, key: CacheKey
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.write(data, for: fragment, key: key) }.changedKeys
  }

  /// Changes what the cache has of a fragment on the record under `key`, in one transaction of the cache: only what `body`
  /// made another is written. Nothing happens when it is not all there. A fragment with `@localCacheMutation` has fields
  /// that can be set; of another one `body` makes a new value.
  ///
  /// - Throws: What `body` throws; then everything is as it was.
  @discardableResult
  public nonisolated func update<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([]),
    _ body: @escaping @Sendable (inout Model) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(fragment, key: key, variables: variables, body) }.changedKeys
  }

  /// The same for a fragment that is known as text.
  ///
  /// - Throws: What `body` throws, `CacheTransactionError.otherKey` where it made the data of another record, and
  ///   `CacheFileError` where a cache file cannot be read or written; then everything is as it was.
  @discardableResult
  public nonisolated func update(
    _ fragment: DynamicFragment, key: CacheKey, _ body: @escaping @Sendable (inout JSONValue) throws -> Void
  ) async throws -> ChangedKeys {
    try await change(.modification) { try $0.update(fragment, key: key, body) }.changedKeys
  }
}
