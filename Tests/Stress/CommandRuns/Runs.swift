import ApusTestSupport

/// The kinds of runs and their frequencies.
enum Runs {
  private typealias Draw = @Sendable (RunFixtures, inout SplitMix) -> Run

  private static let kinds: [(weight: Int, draw: Draw)] = [
    (12, QueryRuns.plain), (16, QueryRuns.deferred), (6, QueryRuns.library), (5, QueryRuns.streamed),
    (5, QueryRuns.manyParts), (4, QueryRuns.failing), (4, QueryRuns.filtered), (4, QueryRuns.paged),
    (4, QueryRuns.recorded), (3, QueryRuns.firstResults), (3, QueryRuns.table), (8, QueryRuns.badServer),
    (3, QueryRuns.mutation), (8, SubscriptionRuns.countdown), (3, SubscriptionRuns.left), (8, CacheRuns.policies),
    (4, CacheRuns.commands), (3, DocumentRuns.schema), (3, DocumentRuns.validate), (2, DocumentRuns.pipelines),
    (3, DocumentRuns.format),
    (2, DocumentRuns.completeAndHover), (2, DocumentRuns.generate), (3, DocumentRuns.words),
    (2, DocumentRuns.wrongUsage), (3, ServerRuns.serve),
  ]

  static func draw(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    var number = Int.random(in: 0..<kinds.reduce(0) { $0 + $1.weight }, using: &random)
    for kind in kinds {
      if number < kind.weight { return kind.draw(fixtures, &random) }
      number -= kind.weight
    }
    return QueryRuns.plain(fixtures, &random)
  }
}

/// The `--output` formats that print one object.
enum Form: String, CaseIterable {
  case json, ndjson, pretty

  /// Returns the output for data that arrives as one result or as several.
  func output(_ data: String) -> Step.Output {
    switch self {
    case .json: .response(#"{"data":\#(data)}"# + "\n")
    case .ndjson: .results(data: data)
    case .pretty: .response(Pretty.text(#"{"data":\#(data)}"#) + "\n")
    }
  }
}
