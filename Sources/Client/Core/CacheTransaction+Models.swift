import ApusClientAPI
import ApusClientCache
import ApusClientRequestChain
import ApusJSON

/// A transaction in the types of operations and fragments.
extension CacheTransaction {
  /// What the cache has of an operation; `nil` unless it is all there.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read; what the operation's own `makeData(from:)` throws.
  public func read<Operation: GraphQLOperation>(_ operation: Operation) throws -> Operation.Data? {
    try read(operation, on: nil)
  }

  private func read<Operation: GraphQLOperation>(
    _ operation: Operation, on key: CacheKey?
  ) throws -> Operation.Data? {
    try TypedData.whole(try read(operation.compiled, on: key, variables: operation.variables), operation)
  }

  /// Writes an operation's data: one that was received, or one made by the initializer of its model.
  public mutating func write<Operation: GraphQLOperation>(
    _ data: Operation.Data, for operation: Operation
  ) where Operation.Data: SelectionSet {
    write(data.__data.json, operation: operation.compiled, variables: operation.variables)
  }

  /// Writes the data of an operation that has it as JSON.
  public mutating func write<Operation: GraphQLOperation>(
    _ data: JSONValue, for operation: Operation
  ) where Operation.Data == JSONValue {
    write(data, operation: operation.compiled, variables: operation.variables)
  }

  /// Changes what the cache has of a local mutation's selections; only what `body` made another is written. False, and
  /// nothing happens, when it is not all there.
  ///
  /// - Throws: What `body` throws; `CacheFileError` where a cache file cannot be read.
  @discardableResult
  public mutating func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: (inout Mutation.Data) throws -> Void
  ) throws -> Bool {
    try update(mutation, on: nil, body)
  }

  // MARK: Fragments

  /// What the cache has of a fragment on the record under `key`; `nil` unless it is all there, and where the record is of
  /// a type that the fragment is not on.
  ///
  /// - Parameter variables: An object with the variables that the fragment's selections name.
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public func read<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([])
  ) throws -> Model? {
    try read(FragmentSelections(fragment, variables: variables), on: key)
  }

  /// The same for a fragment that is known as text.
  ///
  /// - Throws: `CacheFileError` where a cache file cannot be read.
  public func read(_ fragment: DynamicFragment, key: CacheKey) throws -> JSONValue? {
    let read = try read(fragment.compiled, on: key, variables: fragment.variables)
    return read.isComplete ? read.data : nil
  }

  /// Writes a fragment's data into the record under `key`, which need not be there; its other fields stay.
  ///
  /// - Throws: `CacheTransactionError.otherKey` where the data has the key of another record; `CacheFileError` where a
  ///   cache file cannot be read.
  public mutating func write<Model: Fragment>(
    _ data: Model, key: CacheKey, variables: JSONValue = .object([])
  ) throws {
    try write(data.__data.json, fragment: LoweredModels.fragment(Model.self), on: key, variables: variables)
  }

  /// The same for a fragment that is known as text.
  ///
  /// - Throws: `CacheTransactionError.otherKey` where the data has the key of another record; `CacheFileError` where a
  ///   cache file cannot be read.
  public mutating func write(_ data: JSONValue, for fragment: DynamicFragment, key: CacheKey) throws {
    try write(data, fragment: fragment.compiled, on: key, variables: fragment.variables)
  }

  /// Changes what the cache has of a fragment on the record under `key`; only what `body` made another is written. False,
  /// and nothing happens, when it is not all there. A fragment with `@localCacheMutation` has fields that can be set; of
  /// another one `body` makes a new value.
  ///
  /// - Throws: What `body` throws, `CacheTransactionError.otherKey` where it made the data of another record, and
  ///   `CacheFileError` where a cache file cannot be read.
  @discardableResult
  public mutating func update<Model: Fragment>(
    _ fragment: Model.Type, key: CacheKey, variables: JSONValue = .object([]), _ body: (inout Model) throws -> Void
  ) throws -> Bool {
    try update(FragmentSelections(fragment, variables: variables), on: key, body)
  }

  /// The same for a fragment that is known as text.
  ///
  /// - Throws: What `body` throws, `CacheTransactionError.otherKey` where it made the data of another record, and
  ///   `CacheFileError` where a cache file cannot be read.
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
      guard var data = try TypedData.whole(read, operation) else { return nil }
      let before = data.__data.json
      try body(&data)
      return (before, after: data.__data.json)
    }
  }
}
