import ClientAPI
import JSON

/// The cache read and written through models.
extension CacheStore {
  /// What the cache has of a query, as its model; `nil` when something of it is missing.
  public nonisolated func read<Query: QueryOperation>(query: Query) async throws -> Query.Data? {
    let read = try await read(query.compiled, variables: query.variables)
    guard let json = read.data else { return nil }
    return try query.makeData(from: ResponseData(json, fragments: read.fragments, plan: nil))
  }

  /// Writes a query's data as if the server had answered it.
  @discardableResult
  public nonisolated func write<Query: GeneratedOperation>(
    _ data: Query.Data, query: Query
  ) async throws -> ChangedKeys {
    try await write(data.__data.json, operation: query.compiled, variables: query.variables)
  }

  /// What the cache has of a local cache mutation's selections; `nil` when something of it is missing.
  public nonisolated func read<Mutation: LocalCacheMutation>(_ mutation: Mutation) async throws -> Mutation.Data? {
    let read = try await read(mutation.compiled, variables: mutation.variables)
    guard let json = read.data else { return nil }
    return try mutation.makeData(from: ResponseData(json, fragments: read.fragments, plan: nil))
  }

  /// Reads what a local cache mutation selects, lets `body` change it, and writes it back; false, and nothing is
  /// written, when something of it is missing. What others write meanwhile, to the same fields, is overwritten.
  ///
  ///     try await store.update(BirdNameLocalCacheMutation(id: "b42")) { $0.bird?.name = "Ada" }
  @discardableResult
  public nonisolated func update<Mutation: LocalCacheMutation>(
    _ mutation: Mutation, _ body: @Sendable (inout Mutation.Data) throws -> Void
  ) async throws -> Bool {
    guard var data = try await read(mutation) else { return false }
    try body(&data)
    try await write(data.__data.json, operation: mutation.compiled, variables: mutation.variables)
    return true
  }
}
