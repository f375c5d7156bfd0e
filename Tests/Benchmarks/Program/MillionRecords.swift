import ApusClientCache
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// A cache with a million records: the items' response fifty times, each time with different ids.
enum MillionRecords {
  static let parts = 50

  static func write(into store: CacheStore) async throws {
    let schema = Schema.load(sdl: ItemsResponse.schema)
    let response = String(decoding: ItemsResponse.data(), as: UTF8.self)
    for part in 0..<parts {
      let query = try CompiledOperation.compile(
        Document(parsing: ItemsResponse.query.replacing("items {", with: "items(part: \(part)) {")), schema: schema,
        options: CompileOptions(addTypename: true))
      let text = response.replacing("\"item-", with: "\"item-\(part)-").replacing("\"user-", with: "\"user-\(part)-")
      try await store.write(try JSONDocument(parsing: text).root, operation: query)
    }
  }
}
