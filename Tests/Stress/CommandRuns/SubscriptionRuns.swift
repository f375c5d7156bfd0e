import ApusTestSupport

/// Subscriptions over every transport.
enum SubscriptionRuns {
  private static func transport(_ random: inout SplitMix) -> String {
    ["auto", "ws", "legacy-ws", "sse", "multipart"].randomElement(using: &random) ?? "auto"
  }

  static func countdown(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let count = Int.random(in: 0...30, using: &random)
    let milliseconds = Int.random(in: 0...3, using: &random)
    let lines = (0...count).reversed().map { #"{"data":{"countdown":\#($0)}}"# }
    let query = "subscription { countdown(from: \(count), milliseconds: \(milliseconds)) }"
    return Run(
      "subscription",
      Step(
        words: ["query", fixtures.demo, "-q", query, "--subscription-transport", transport(&random)],
        output: .lines(lines),
        length: 1.5))
  }

  /// A subscription that the program leaves after some events.
  static func left(_ fixtures: RunFixtures, _ random: inout SplitMix) -> Run {
    let count = Int.random(in: 1...5, using: &random)
    let lines = (0..<count).map { #"{"data":{"countdown":\#(1000 - $0)}}"# }
    return Run(
      "subscription --max-results",
      Step(
        words: [
          "query", fixtures.demo, "-q", "subscription { countdown(from: 1000, milliseconds: 1) }", "--max-results",
          "\(count)", "--subscription-transport", transport(&random),
        ],
        output: .lines(lines), length: 1.5))
  }
}
