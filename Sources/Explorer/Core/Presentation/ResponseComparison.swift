import ApusJSON

/// A comparison of the response with that of the previous run or with the pinned one: the differences, and
/// the current one.
package struct ResponseComparison: Equatable, Sendable {
  /// The data that the response is compared with.
  let before: JSONValue
  /// Whether that is the pinned response, which is then shown next to this one.
  package let isWithPinned: Bool
  /// The version of the response that was last compared, or is being compared.
  private var after: VisibleJSON?
  /// The differences; nil until the first comparison has finished.
  package private(set) var changes: [ValueChange]?
  package private(set) var index = 0
  private(set) var version = 0

  init(with before: JSONValue, isPinned: Bool = false) {
    self.before = before
    isWithPinned = isPinned
  }

  /// The display name of the compared response.
  package var words: String { isWithPinned ? "the pinned response" : "the previous run" }

  /// Whether there are more differences than the limit.
  package var isCut: Bool { (changes?.count ?? 0) >= ValueDifference.limit }

  /// Returns the effect that compares the current response; nil if that has been done or is in progress.
  mutating func find(in now: VisibleJSON) -> Effect? {
    guard !(after?.value.isIdentical(to: now.value) ?? false) else { return nil }
    after = now
    version += 1
    return .findDifferences(VisibleJSON(before, without: now.hidden), now, version: version)
  }

  mutating func found(_ changes: [ValueChange]) {
    self.changes = changes
    index = min(index, max(0, changes.count - 1))
  }

  mutating func step(by step: Int) -> ValueChange? {
    guard let changes, !changes.isEmpty else { return nil }
    index = (index + step + changes.count) % changes.count
    return changes[index]
  }
}

extension ResponseFeature {
  /// Compares with the pinned response if it is from another run, otherwise with the previous run. Ends an
  /// active comparison.
  mutating func compare(with pinned: PinnedResponse?) -> [FollowUp] {
    guard reading.comparison == nil, let comparison = comparison(with: pinned) else { return leaveComparison() }
    reading.view = .tree
    reading.comparison = comparison
    return []
  }

  func comparison(with pinned: PinnedResponse?) -> ResponseComparison? {
    if let pinned, pinned.run != run?.id, let before = pinned.data {
      return ResponseComparison(with: before, isPinned: true)
    }
    return reading.previousData.map { ResponseComparison(with: $0) }
  }

  mutating func leaveComparison() -> [FollowUp] {
    reading.comparison = nil
    tree.compare(with: nil)
    return []
  }

  /// Returns the effect that compares the current response, unless that has been done.
  mutating func comparisonEffect() -> Effect? {
    guard var comparison = reading.comparison, let data = tree.data, data.kind == .object else { return nil }
    let effect = comparison.find(in: VisibleJSON(data, without: tree.hidden))
    if effect != nil || !tree.isComparing { tree.compare(with: comparison.before) }
    reading.comparison = comparison
    return effect
  }

  mutating func differencesFound(_ changes: [ValueChange], version: Int) -> [FollowUp] {
    guard var comparison = reading.comparison, comparison.version == version else { return [] }
    let isFirst = comparison.changes == nil
    comparison.found(changes)
    reading.comparison = comparison
    guard let first = changes.first else { return [.tell("No differences from \(comparison.words)")] }
    if isFirst, !comparison.isWithPinned { tree.reveal(first) }
    return []
  }

  mutating func goToDifference(by step: Int) -> [FollowUp] {
    if let change = reading.comparison?.step(by: step) { tree.reveal(change) }
    return []
  }
}
