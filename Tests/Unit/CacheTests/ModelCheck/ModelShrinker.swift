import ApusTestSupport

/// Removes steps that are not needed from a run that ends in a difference.
struct ModelShrinker {
  let kind: CacheKind
  /// The maximum number of shorter runs to try.
  private static let limit = 1000

  init(kind: CacheKind) { self.kind = kind }

  /// Returns the shortest run found, and the difference at its end.
  func shortest(_ moves: [ModelMove]) async throws -> (moves: [ModelMove], difference: String) {
    // If everything is compared after each step, most differences appear earlier.
    var best = (moves: moves, difference: "a run of the same steps ends well")
    let thorough = moves.map { ModelMove(step: $0.step, look: $0.look, isThorough: true) }
    for moves in [thorough, moves] {
      guard let found = try await run(moves) else { continue }
      best = found
      break
    }
    var size = best.moves.count / 2
    var tries = 0
    while size > 0, tries < Self.limit {
      var start = 0
      while start < best.moves.count, tries < Self.limit {
        var fewer = best.moves
        fewer.removeSubrange(start..<min(start + size, fewer.count))
        tries += 1
        if let found = try await run(fewer) { best = found } else { start += size }
      }
      size /= 2
    }
    return best
  }

  /// Returns the moves up to the one that shows a difference.
  private func run(_ moves: [ModelMove]) async throws -> (moves: [ModelMove], difference: String)? {
    let folder = try TemporaryFolder()
    let check = try kind.check(in: folder)
    for (number, move) in moves.enumerated() {
      try await check.make(move)
      if let difference = check.difference { return (Array(moves[...number]), difference) }
    }
    return nil
  }
}
