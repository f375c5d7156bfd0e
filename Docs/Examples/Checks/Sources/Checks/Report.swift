import Synchronization

/// The checks by topic, and the failed ones.
final class Report: Sendable {
  private struct State {
    var theme = ""
    var counts: [(theme: String, count: Int)] = []
    var failures: [String] = []
  }

  private let state = Mutex(State())

  /// Runs the checks of a topic. A thrown error counts as a failed check.
  func theme(_ name: String, _ checks: (Report) async throws -> Void) async {
    state.withLock {
      $0.theme = name
      $0.counts.append((name, 0))
    }
    do {
      try await checks(self)
    } catch {
      check("goes to its end: \(error)", false)
    }
    print("\(state.withLock { $0.counts.last?.count ?? 0 }) of \(name)")
  }

  /// Records a check with its name.
  func check(_ what: String, _ holds: Bool) {
    state.withLock {
      $0.counts[$0.counts.count - 1].count += 1
      if !holds { $0.failures.append("\($0.theme): \(what)") }
    }
  }

  /// Compares a value, and prints it if it differs.
  func check<Value: Equatable>(_ what: String, _ found: Value, is expected: Value) {
    check(found == expected ? what : "\(what): \(found), not \(expected)", found == expected)
  }

  var count: Int { state.withLock { $0.counts.reduce(0) { $0 + $1.count } } }
  var failures: [String] { state.withLock { $0.failures } }
}
