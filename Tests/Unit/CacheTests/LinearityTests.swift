import ApusClientOperation
import ApusJSON
import ApusPlatform
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientCache

/// Short histories of concurrent reads, writes, updates and evictions, which must be linearizable: some sequential order
/// that respects the order of calls that do not overlap explains all results. Set APUS_HISTORY_SEED to repeat a run, and
/// APUS_HISTORY_COUNT for the number of histories.
@Suite(.timeLimit(.minutes(60))) struct LinearityTests {
  @Test(arguments: CacheKind.allCases)
  func `concurrent calls are linearizable`(kind: CacheKind) async throws {
    let seed = environment("APUS_HISTORY_SEED") ?? UInt64.random(in: 0...UInt64(UInt32.max))
    let count = environment("APUS_HISTORY_COUNT") ?? 150
    print("histories (\(kind)): APUS_HISTORY_SEED=\(seed) APUS_HISTORY_COUNT=\(count)")
    var random = SplitMix(seed: seed)
    for number in 0..<Int(count) {
      let history = try await History.run(kind, seed: random.next())
      guard !history.isExplainable else { continue }
      Issue.record(
        "history \(number) of seed \(seed) is explained by no order:\n\(history.calls.map(\.description).joined(separator: "\n"))"
      )
      return
    }
  }

  @Test func `a history that is not linearizable is detected`() {
    // Two concurrent increments from 0 that both result in 1.
    let lost = History(calls: [
      HistoryCall(task: 0, start: 0, end: 1, action: .write(0), answer: nil),
      HistoryCall(task: 0, start: 2, end: 5, action: .update, answer: 1),
      HistoryCall(task: 1, start: 3, end: 4, action: .update, answer: 1),
    ])
    #expect(!lost.isExplainable)
    // A read of a value that was replaced before the read started.
    let stale = History(calls: [
      HistoryCall(task: 0, start: 0, end: 1, action: .write(1), answer: nil),
      HistoryCall(task: 0, start: 2, end: 3, action: .write(2), answer: nil),
      HistoryCall(task: 1, start: 4, end: 5, action: .read, answer: 1),
    ])
    #expect(!stale.isExplainable)
    let fine = History(
      calls: stale.calls.dropLast() + [
        HistoryCall(task: 1, start: 1, end: 5, action: .read, answer: 1)
      ])
    #expect(fine.isExplainable)
  }

  private func environment(_ name: String) -> UInt64? { getenv(name).flatMap { UInt64(String(cString: $0)) } }
}

/// A call of a task between two times of the shared clock.
struct HistoryCall: Sendable, CustomStringConvertible {
  enum Action: Sendable {
    /// Sets both fields of the record to the number.
    case write(Int)
    /// Increments both fields if they exist.
    case update
    /// Removes the record.
    case evict
    case read
  }

  let task: Int
  let start: Int
  let end: Int
  let action: Action
  /// The number that was read or written by the update; `nil` if there was none.
  let answer: Int?

  var description: String {
    "task \(task), \(start) to \(end): \(action)\(answer.map { " = \($0)" } ?? "")"
  }
}

/// The clock and the list of calls that the tasks of a history share.
private final class HistoryRecorder: Sendable {
  private let clock = Atomic(0)
  private let calls = Mutex<[HistoryCall]>([])

  /// The current time, which is different for each call.
  var now: Int { clock.add(1, ordering: .sequentiallyConsistent).newValue }
  var recorded: [HistoryCall] { calls.withLock { $0 } }

  func add(_ call: HistoryCall) { calls.withLock { $0.append(call) } }
}

/// A sequence of calls, some of them concurrent.
struct History: Sendable {
  let calls: [HistoryCall]

  /// Whether the history is linearizable: some order in which each call takes effect between its start and end explains all
  /// results.
  var isExplainable: Bool {
    var refuted: Set<Position> = []
    return isExplainable(Position(done: 0, number: nil), &refuted)
  }

  private struct Position: Hashable {
    /// The calls that have taken effect, as a bit set.
    var done: UInt64
    var number: Int?
  }

  private func isExplainable(_ position: Position, _ refuted: inout Set<Position>) -> Bool {
    let open = calls.indices.filter { position.done >> UInt64($0) & 1 == 0 }
    if open.isEmpty { return true }
    guard refuted.insert(position).inserted else { return false }
    let limit = open.map { calls[$0].end }.min() ?? 0
    for index in open where calls[index].start <= limit {
      var next = position
      next.done |= 1 << UInt64(index)
      let call = calls[index]
      switch call.action {
      case .write(let number): next.number = number
      case .evict: next.number = nil
      case .read: if call.answer != position.number { continue }
      case .update:
        next.number = position.number.map { $0 + 1 }
        if call.answer != next.number { continue }
      }
      if isExplainable(next, &refuted) { return true }
    }
    return false
  }

  private static let bird = "{ bird(id: 1) { __typename id age nest { __typename eggs } } }"

  /// Executes a few tasks that use one record, and returns their calls.
  static func run(_ kind: CacheKind, seed: UInt64) async throws -> History {
    var random = SplitMix(seed: seed)
    let folder = try TemporaryFolder()
    let query = try operation(bird)
    let one = CacheStore(cache: try kind.cache(in: folder))
    // Some tasks use another store on the same file.
    let stores = kind == .memory ? [one] : [one, CacheStore(cache: try CacheKind.file.cache(in: folder))]
    let recorder = HistoryRecorder()
    let plans = (0..<3).map { task in
      (0..<4).map { step -> (action: HistoryCall.Action, pause: Int) in
        let pause = Int.random(in: 0...2, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return (.write(100 * (task * 4 + step + 1)), pause)
        case 2...4: return (.update, pause)
        case 5: return (.evict, pause)
        default: return (.read, pause)
        }
      }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for (task, plan) in plans.enumerated() {
        let store = stores[task % stores.count]
        group.addTask {
          for (action, pause) in plan {
            for _ in 0..<pause { await Task.yield() }
            let start = recorder.now
            let answer = try await make(action, in: store, query)
            recorder.add(HistoryCall(task: task, start: start, end: recorder.now, action: action, answer: answer))
          }
        }
      }
      try await group.waitForAll()
    }
    return History(calls: recorder.recorded)
  }

  private static func make(
    _ action: HistoryCall.Action, in store: CacheStore, _ query: CompiledOperation
  ) async throws -> Int? {
    switch action {
    case .write(let number):
      try await store.write(
        #"{"bird":{"__typename":"Bird","id":"1","age":\#(number),"nest":{"__typename":"Nest","eggs":\#(number)}}}"#,
        query)
      return nil
    case .evict:
      try await store.evict("Bird:1")
      return nil
    case .read: return number(in: try await store.read(query).data)
    case .update:
      let made = Mutex<Int?>(nil)
      try await store.update(query) { data in
        let number = (number(in: data) ?? -1) + 1
        for path: ResponsePath in [["bird", "age"], ["bird", "nest", "eggs"]] {
          data = try data.replacing(at: path, with: JSONValue(number))
        }
        made.withLock { $0 = number }
      }
      return made.withLock { $0 }
    }
  }

  /// Returns the value of both fields, or -1 if they differ.
  private static func number(in data: JSONValue?) -> Int? {
    guard let data else { return nil }
    let age = data.value(at: ["bird", "age"])?.int
    return age == data.value(at: ["bird", "nest", "eggs"])?.int ? age : -1
  }
}
