import ApusJSON

/// A comparison of the response with that of the previous run or with the pinned one: the differences, and
/// the current one. Data is compared with data; a response without data is only shown next to the pinned one.
package struct ResponseComparison: Equatable, Sendable {
  /// The data that the response is compared with; nil if that response has none.
  let before: JSONValue?
  /// Whether that is the pinned response, which is then shown next to this one.
  package let isWithPinned: Bool
  /// The version of the response that was last compared, or is being compared.
  private var after: VisibleJSON?
  /// The reason why nothing is compared.
  package private(set) var reason: String?
  /// Differences; nil until the first comparison has finished, and without data.
  package private(set) var changes: [ValueChange]?
  package private(set) var index = 0
  private(set) var version = 0

  init(with before: JSONValue?, isPinned: Bool = false) {
    self.before = before.flatMap { $0.isNull ? nil : $0 }
    isWithPinned = isPinned
  }

  /// The display name of the compared response.
  package var words: String { isWithPinned ? "the pinned response" : "the previous run" }

  /// Whether there are more differences than the limit.
  package var isCut: Bool { (changes?.count ?? 0) >= ValueDifference.limit }

  /// Returns the effect that compares the current response; nil if that has been done or is in progress. `now` is nil
  /// for a response without data.
  mutating func find(in now: VisibleJSON?) -> Effect? {
    guard let now, let before else {
      (after, changes) = (nil, nil)
      reason = now == nil ? "The response has no data to compare" : "The pinned response has no data to compare with"
      // A comparison that is still running has the data of an earlier response.
      version += 1
      return nil
    }
    guard after?.value.isSame(as: now.value) != true else { return nil }
    after = now
    reason = nil
    version += 1
    return .reading(.findDifferences(VisibleJSON(before, without: now.hidden), now, version: version))
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
    if let pinned, pinned.run != run?.id { return ResponseComparison(with: pinned.data, isPinned: true) }
    return reading.previousData.map { ResponseComparison(with: $0) }
  }

  mutating func leaveComparison() -> [FollowUp] {
    reading.comparison = nil
    tree.compare(with: nil)
    return []
  }

  /// Returns the effect that compares the current response, unless that has been done.
  mutating func comparisonEffect() -> Effect? {
    guard var comparison = reading.comparison else { return nil }
    let data = content == .data ? tree.data.map { VisibleJSON($0, without: tree.hidden) } : nil
    let effect = comparison.find(in: data)
    if comparison.reason != nil {
      if tree.isComparing { tree.compare(with: nil) }
    } else if effect != nil || !tree.isComparing {
      tree.compare(with: comparison.before)
    }
    reading.comparison = comparison
    return effect
  }

  mutating func differencesFound(_ changes: [ValueChange], version: Int) -> [FollowUp] {
    guard var comparison = reading.comparison, comparison.version == version else { return [] }
    let isFirst = comparison.changes == nil
    comparison.found(changes)
    reading.comparison = comparison
    guard let first = changes.first else { return [.notice("No differences from \(comparison.words)")] }
    if isFirst, !comparison.isWithPinned { tree.reveal(first) }
    return []
  }

  mutating func goToDifference(by step: Int) -> [FollowUp] {
    if let change = reading.comparison?.step(by: step) { tree.reveal(change) }
    return []
  }
}
