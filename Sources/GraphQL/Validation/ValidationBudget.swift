/// The limits of one validation. Most rules take time in proportion to the document; where errors, or ways through
/// fragments, can be as many as its square, they are counted here.
package struct ValidationBudget: Sendable {
  /// One step is about ten nanoseconds.
  private var steps: Int
  /// Bytes of messages and of their places.
  private var reportSize: Int
  private var comparisons: Int
  /// Why validation ended early.
  private(set) var reason: String?

  package init(steps: Int = 400_000_000, comparisons: Int = 1_000_000, reportSize: Int = 1 << 24) {
    self.steps = steps
    self.comparisons = comparisons
    self.reportSize = reportSize
  }

  var isSpent: Bool { reason != nil }

  /// Counts an error; false when no more are reported.
  mutating func report(_ message: String, placeCount: Int) -> Bool {
    guard !isSpent else { return false }
    reportSize -= message.utf8.count + 64 * (placeCount + 1)
    if reportSize < 0 { reason = "Too many errors. Validation stopped." }
    return true
  }

  /// Counts steps; false when none are left.
  mutating func spend(_ count: Int) -> Bool {
    guard !isSpent else { return false }
    steps -= count
    if steps < 0 { reason = "Too many ways through the document's fragments and values. Validation stopped." }
    return steps >= 0
  }

  /// Counts names that are compared with one that is not known; false when no more are. Only suggestions are lost.
  mutating func compare(_ count: Int) -> Bool {
    guard count <= comparisons else { return false }
    comparisons -= count
    return true
  }
}
