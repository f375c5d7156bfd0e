import ReaderAPI

/// One bird: the cached data immediately, then the server's, with each deferred fragment as it arrives.
struct BirdPage: Sendable {
  private let session: Session

  init(_ session: Session) {
    self.session = session
  }

  func show(_ id: String, on screen: Screen) async throws {
    // A line is shown only if it is new or its text has changed.
    var lines = ShownLines(screen)
    var isShown = false
    do {
      let options = Session.options(.cacheAndNetwork)
      for try await result in session.client.fetch(query: BirdPageQuery(id: id), options: options) {
        guard let bird = result.data?.bird else {
          screen.show(result.errors.first.map { "\(Screen.Mark.failed) \($0.message)" } ?? "there is no such bird")
          continue
        }
        isShown = true
        show(bird, on: &lines)
      }
    } catch  where isShown {
      screen.show("\(Screen.Mark.failed) showing saved data: \(error)")
    }
  }

  private func show(_ bird: BirdPageQuery.Data.Bird, on lines: inout ShownLines) {
    lines.show("name", "\(bird.name), \(bird.species.commonName), ring \(bird.ring)")
    lines.show("station", "  ringed at \(bird.station.name), \(bird.station.country)")
    if let notes = bird.notes { lines.show("notes", "  \"\(notes)\"") }
    lines.show(
      "life",
      part(bird.fragments.$life, "its flights") { life in
        let history = life.migrationHistory
        return "\(history.flightCount) flights, \(Int(history.totalDistance)) km"
      })
    lines.show(
      "sighting",
      part(bird.fragments.$sighting, "where it was seen") { part in
        part.lastSeen.map { "last seen at \($0.station.name)" } ?? "never seen again"
      })
  }

  /// Returns the line for a deferred fragment in any state.
  private func part<Value: Deferrable>(
    _ state: Deferred<Value>.State, _ subject: String, _ text: (Value) -> String
  ) -> String {
    switch state {
    case .pending: "  \(Screen.Mark.pending) \(subject)"
    case .fulfilled(let value): "  \(Screen.Mark.done) \(text(value))"
    case .failed(let errors): "  \(Screen.Mark.failed) \(subject): \(errors.first?.message ?? "unknown error")"
    case .notExecuted: "  \(Screen.Mark.failed) \(subject): not asked for"
    }
  }
}
