import ApusTestSupport

/// `apus serve`.
enum ServerRuns {
  /// Serves until a signal ends the server.
  static func serve(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let isMock = Bool.random(using: &random)
    return Run(
      "serve",
      Step(
        words: ["serve"] + (isMock ? ["--schema", "s.graphql"] : []),
        output: .checked { $0.hasPrefix("http://127.0.0.1:") ? nil : "the URL is missing" }, errorsAreFree: true,
        length: 2, runsUntilSignal: true),
      files: ["s.graphql": "type Query { a: Int }"])
  }
}
