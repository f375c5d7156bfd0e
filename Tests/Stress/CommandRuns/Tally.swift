import ApusTestSupport
import Synchronization

/// The result of a step.
struct Verdict: Sendable {
  /// The kind of run, by which results are counted.
  let kind: String
  /// The command in shell syntax.
  let command: String
  let end: ProgramRun.End
  /// The signals that were sent to the program.
  var sent: [Int32] = []
  /// A description of the failure, or nil.
  let fault: String?
}

/// Counts results and prints failures.
final class Tally: Sendable {
  private struct State {
    var counts: [String: Int] = [:]
    var ends: [String: Int] = [:]
    var interrupted = 0
    var deaths = 0
    var faults = 0
  }
  private let state = Mutex(State())
  /// The maximum number of printed failures.
  private static let shownFaults = 30

  func add(_ verdict: Verdict, index: Int, _ options: CommandRunOptions) {
    let number = state.withLock { state in
      state.counts[verdict.kind, default: 0] += 1
      state.ends["\(verdict.end)", default: 0] += 1
      state.interrupted += verdict.sent.isEmpty ? 0 : 1
      if case .signal(let number) = verdict.end, !verdict.sent.contains(number) { state.deaths += 1 }
      state.faults += verdict.fault == nil ? 0 : 1
      return state.faults
    }
    guard let fault = verdict.fault, number <= Self.shownFaults else { return }
    say(
      """
      FAULT in run \(index) (\(verdict.kind)): \(fault)
        \(verdict.command)
        again: Tests/Stress/CommandRuns/run 1 --seed \(options.seed) --from \(index)
      """)
  }

  func add(leaks: [String]) {
    state.withLock { $0.faults += leaks.count }
    for leak in leaks { say("FAULT: \(leak)") }
  }

  /// Prints the figures. Returns false if any run failed.
  func summary(seconds: Double) -> Bool {
    let state = state.withLock { $0 }
    let runs = state.counts.values.reduce(0, +)
    for (kind, count) in state.counts.sorted(by: { $0.key < $1.key }) { say("  \(kind): \(count)") }
    let ends = state.ends.sorted { $0.value > $1.value }.map { "\($0.value) × \($0.key)" }
    say("ends: \(ends.joined(separator: ", "))")
    say(
      "\(runs) programs in \(Int(seconds)) s (\(Int(Double(runs) / max(1, seconds))) a second), \(state.interrupted) of "
        + "them interrupted; ended by unexpected signals: \(state.deaths); failures: \(state.faults)")
    return state.faults == 0
  }
}
