/// The limits of one validation. Most rules take linear time. The budget counts errors and paths through fragments, whose
/// number can be quadratic.
package struct ValidationBudget: Sendable {
  /// The remaining steps, of about ten nanoseconds each.
  private var steps: Int
  /// The remaining size of messages and locations, in bytes.
  private var reportSize: Int
  private var comparisons: Int
  /// The reason why validation ended early; `nil` if it did not.
  private(set) var reason: String?

  package init(steps: Int = 400_000_000, comparisons: Int = 1_000_000, reportSize: Int = 1 << 24) {
    self.steps = steps
    self.comparisons = comparisons
    self.reportSize = reportSize
  }

  var isSpent: Bool { reason != nil }

  /// Counts an error. Returns `false` if no more errors are reported.
  mutating func report(_ message: String, placeCount: Int) -> Bool {
    guard !isSpent else { return false }
    reportSize -= message.utf8.count + 64 * (placeCount + 1)
    if reportSize < 0 { reason = "Too many errors. Validation stopped." }
    return true
  }

  /// Counts steps. Returns `false` if none are left.
  mutating func spend(_ count: Int) -> Bool {
    guard !isSpent else { return false }
    steps -= count
    if steps < 0 { reason = "Too many paths through the document's fragments and values. Validation stopped." }
    return steps >= 0
  }

  /// Counts comparisons with an unknown name. Returns `false` if none are left; then only suggestions are omitted.
  mutating func compare(_ count: Int) -> Bool {
    guard count <= comparisons else { return false }
    comparisons -= count
    return true
  }
}
