import ReaderAPI

/// Renames a bird. Every view shows the new name immediately, and the old one again if the server rejects it.
struct Renaming: Sendable {
  private let session: Session

  init(_ session: Session) {
    self.session = session
  }

  func rename(_ id: String, to name: String, on screen: Screen) async throws {
    let before = try await cachedName(of: id)
    // Simulates a screen with several views: each watch of the bird receives every name.
    let watching = Task {
      var shown = before
      for try await result in session.client.watch(query: NameQuery(id: id), cachePolicy: .cacheOnly) {
        guard let name = result.data?.bird?.fragments.birdName.name, name != shown else { continue }
        screen.show("  \(Screen.Mark.pending) \(name)")
        shown = name
      }
    }

    // The expected response covers the cache until the server responds or fails.
    let probable = RenameMutation.Data(
      renameBird: .init(bird: .init(id: id, name: name), previousName: before ?? ""))
    var refusal: String?
    do {
      let mutation = RenameMutation(id: id, name: name)
      for try await result in session.client.perform(mutation: mutation, optimistic: probable) {
        refusal = result.errors.first?.message
      }
    } catch {
      refusal = "\(error)"
    }
    watching.cancel()
    _ = await watching.result
    let after = try await cachedName(of: id) ?? name
    if let refusal {
      screen.show("\(Screen.Mark.failed) still called \(after): \(refusal)")
    } else {
      screen.show("\(Screen.Mark.done) \(before ?? "the bird") is called \(after) now")
    }
  }

  /// The cached name, including expected responses.
  private func cachedName(of id: String) async throws -> String? {
    try await session.store.read(BirdName.self, key: CacheKey("Bird:\(id)"))?.name
  }
}
