import BirdsAPI

/// Shows each result of a bird as it arrives.
func showBird(at url: String) async throws {
  let client = GraphQLClient(url: url, store: CacheStore())
  for try await result in client.fetch(query: BirdDetailsQuery(id: "b42")) {
    guard let bird = result.data?.bird else { continue }
    switch bird.fragments.$history {
    case .pending: print("\(bird.name), \(bird.species.commonName): its flights are being counted")
    case .fulfilled(let part): print("\(bird.name) flew \(part.migrationHistory.flightCount) times")
    case .failed(let errors): print("\(bird.name): \(errors)")
    case .notExecuted: print("\(bird.name) has no history")
    }
  }
}
