import BirdsAPI

/// Renames a bird. A watch first shows the expected name, then the server's; a rejected name is rolled back.
func renameBird(at url: String) async throws {
  let store = CacheStore()
  let client = GraphQLClient(url: url, store: store)
  for try await _ in client.fetch(query: BirdDetailsQuery(id: "b42")) {}
  func name() async throws -> String {
    try await store.read(BirdNameLocalCacheMutation(id: "b42"))?.bird?.name ?? "nobody"
  }
  func rename(_ id: String, to name: String, probably: String) async throws -> [GraphQLError] {
    let answer = RenameMutation.Data(renameBird: .init(bird: .init(id: "b42", name: probably), previousName: ""))
    var errors: [GraphQLError] = []
    for try await result in client.perform(mutation: RenameMutation(id: id, name: name), optimistic: answer) {
      errors = result.errors
    }
    return errors
  }

  let before = try await name()
  _ = try await rename("b42", to: "Beryl", probably: "Amelia")
  print("\(before) is called \(try await name()) now")
  let errors = try await rename("no such bird", to: "Nobody", probably: "Nobody")
  print("refused \(errors.count), still called \(try await name())")
  try await store.update(BirdNameLocalCacheMutation(id: "b42")) { $0.bird?.name += ", here alone" }
  print("in the cache: \(try await name())")
}
