import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

/// Typed access to a transaction for operations and fragments.
extension CacheTransaction {
  /// Returns the cached data of an operation; `nil` unless it is complete.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read; the errors of the operation's `makeData(from:)`.
  public func read<Operation: GraphQLOperation>(_ operation: Operation) throws -> Operation.Data? {
    try read(operation, on: nil)
  }

  private func read<Operation: GraphQLOperation>(
    _ operation: Operation, on key: CacheKey?
  ) throws -> Operation.Data? {
    try OperationDecoder.complete(try read(operation.compiled, on: key, variables: operation.variables), operation)
  }

  /// Writes the data of an operation, such as a model from its initializer. Only what differs from the cache is written.
  public mutating func write<Operation: GraphQLOperation>(
    _ data: Operation.Data, for operation: Operation
  ) where Operation.Data: SelectionSet {
    write(data.__data.json, operation: operation.compiled, variables: operation.variables)
  }

  /// Writes the data of an operation whose data is JSON.
  public mutating func write<Operation: GraphQLOperation>(
    _ data: JSONValue, for operation: Operation
  ) where Operation.Data == JSONValue {
    write(data, operation: operation.compiled, variables: operation.variables)
  }

  /// Updates the cached data of a local mutation. Only the fields that `body` changes are written. Does nothing and
  /// returns false if the data is incomplete.
  ///
  /// - Throws: The errors of `body`; `CacheFileError` if a cache file cannot be read.
  @discardableResult
  public mutating func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: (inout Mutation.Data) throws -> Void
  ) throws -> Bool {
    try update(mutation, on: nil, body)
  }

  // MARK: Fragments

  /// Returns the cached data of a fragment on the record with `key`; `nil` if the data is incomplete, or the fragment's
  /// type condition does not apply to the record.
  ///
  /// - Parameter variables: An object with the variables that the fragment uses.
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public func read<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([])
  ) throws -> Model? {
    try read(FragmentSelections(fragment, variables: variables), on: key)
  }

  /// Returns the cached data of a fragment compiled from source text; `nil` unless it is complete.
  ///
  /// - Throws: `CacheFileError` if a cache file cannot be read.
  public func read(_ fragment: DynamicFragment, key: CacheKey) throws -> JSONValue? {
    let read = try read(fragment.compiled, on: key, variables: fragment.variables)
    return read.isComplete ? read.data : nil
  }

  /// Writes a fragment's data to the record with `key`, which is created if missing. Other fields of the record are
  /// kept.
  ///
  /// - Throws: `CacheTransactionError.otherKey` if the data has the key of another record; `CacheFileError` if a cache
  ///   file cannot be read.
  public mutating func write<Model: Fragment>(
    _ data: Model, key: CacheKey, variables: JSONValue = .object([])
  ) throws {
    try write(data.__data.json, fragment: CompiledModelCache.fragment(Model.self), on: key, variables: variables)
  }

  /// Writes the data of a fragment compiled from source text to the record with `key`.
  ///
  /// - Throws: `CacheTransactionError.otherKey` if the data has the key of another record; `CacheFileError` if a cache
  ///   file cannot be read.
  public mutating func write(_ data: JSONValue, for fragment: DynamicFragment, key: CacheKey) throws {
    try write(data, fragment: fragment.compiled, on: key, variables: fragment.variables)
  }

  /// Updates a fragment on the record with `key`. Only the fields that `body` changes are written. Does nothing and
  /// returns false if the data is incomplete. The fields of a fragment with `@localCacheMutation` can be set; for other
  /// fragments `body` assigns a new value.
  ///
  /// - Throws: The errors of `body`, `CacheTransactionError.otherKey` if the new data has the key of another record,
  ///   and `CacheFileError` if a cache file cannot be read.
  @discardableResult
  public mutating func update<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([]), _ body: (inout Model) throws -> Void
  ) throws -> Bool {
    try update(FragmentSelections(fragment, variables: variables), on: key, body)
  }

  /// Updates a fragment compiled from source text on the record with `key`.
  ///
  /// - Throws: The errors of `body`, `CacheTransactionError.otherKey` if the new data has the key of another record,
  ///   and `CacheFileError` if a cache file cannot be read.
  @discardableResult
  public mutating func update(
    _ fragment: DynamicFragment, key: CacheKey, _ body: (inout JSONValue) throws -> Void
  ) throws -> Bool {
    try update(fragment.compiled, on: key, variables: fragment.variables) { read in
      guard var data = read.data else { return nil }
      let before = data
      try body(&data)
      return (before, after: data)
    }
  }

  private mutating func update<Operation: GraphQLOperation>(
    _ operation: Operation, on key: CacheKey?, _ body: (inout Operation.Data) throws -> Void
  ) throws -> Bool where Operation.Data: SelectionSet {
    try update(operation.compiled, on: key, variables: operation.variables) { read in
      guard var data = try OperationDecoder.complete(read, operation) else { return nil }
      let before = data.__data.json
      try body(&data)
      return (before, after: data.__data.json)
    }
  }
}
