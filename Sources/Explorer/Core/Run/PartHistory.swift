/// The results of a run, one for each part, kept so that a person can step back through them.
///
/// They share all that the parts between them did not change, so keeping them costs little.
package struct PartHistory: Hashable, Sendable {
  /// Of more parts than this the oldest are forgotten.
  static let limit = 1000

  private var results: [RunResult] = []
  /// How many parts are forgotten.
  private var firstIndex = 0
  /// Which part is shown; nil follows the newest.
  package private(set) var shownIndex: Int?

  package init() {}

  package var count: Int { firstIndex + results.count }
  package var isInPast: Bool { shownIndex != nil }

  package mutating func add(_ result: RunResult) {
    results.append(result)
    guard results.count > Self.limit else { return }
    results.removeFirst(Self.limit / 10)
    firstIndex += Self.limit / 10
    if let shown = shownIndex { shownIndex = max(shown, firstIndex) }
  }

  /// The part to show when one steps by so many; nil when there is none in that direction.
  mutating func step(by step: Int) -> RunResult? {
    let newest = count - 1
    let index = (shownIndex ?? newest) + step
    guard index >= firstIndex, index <= newest, index != shownIndex ?? newest else { return nil }
    shownIndex = index == newest ? nil : index
    return results[index - firstIndex]
  }

  /// Back to the newest part.
  mutating func showNewest() -> RunResult? {
    shownIndex = nil
    return results.last
  }
}
