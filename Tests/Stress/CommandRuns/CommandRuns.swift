import ApusTestSupport
import Foundation
import Synchronization

/// Runs the program many times concurrently and checks each run: `CommandRuns [COUNT] [--seed N] [--from N] [--jobs N]`.
/// Exits with 1 if any run fails.
///
/// A run depends only on the seed and its number, so that it can be repeated separately. Only the times of signals
/// vary.
@main
enum CommandRuns {
  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    guard let options = CommandRunOptions(Array(CommandLine.arguments.dropFirst())) else {
      say("usage: Tests/Stress/CommandRuns/run [COUNT] [--seed N] [--from N] [--jobs N]")
      exit(2)
    }
    say("command runs: \(options.count) runs of \(Checkout.apus) with --seed \(options.seed)")
    let fixtures = try await RunFixtures()
    let tally = Tally()
    let begin = ContinuousClock.now
    let numbers = Numbers(options.first..<options.first + options.count)
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<options.jobs {
        group.addTask { await Self.work(RunFolder(fixtures: fixtures, number: number), numbers, options, tally) }
      }
    }
    let seconds = begin.duration(to: .now) / .seconds(1)
    tally.add(leaks: await fixtures.leaks())
    let isGood = tally.summary(seconds: seconds)
    exit(isGood ? 0 : 1)
  }

  /// A worker, on a separate thread because it blocks, which performs runs until none is left.
  private nonisolated static func work(
    _ folder: RunFolder, _ numbers: Numbers, _ options: CommandRunOptions, _ tally: Tally
  ) async {
    await withCheckedContinuation { continuation in
      startThread {
        while let index = numbers.next() {
          for verdict in folder.perform(index, seed: options.seed) { tally.add(verdict, index: index, options) }
        }
        continuation.resume()
      }
    }
  }
}

/// The numbers of the runs, each returned once.
private final class Numbers: Sendable {
  private let rest: Mutex<Range<Int>>

  init(_ numbers: Range<Int>) { rest = Mutex(numbers) }

  func next() -> Int? { rest.withLock { $0.popFirst() } }
}

struct CommandRunOptions: Sendable {
  var count = 3000
  var seed = UInt64.random(in: 0...UInt64(UInt32.max))
  /// The number of the first run.
  var first = 0
  var jobs = 2 * ProcessInfo.processInfo.activeProcessorCount

  init?(_ words: [String]) {
    var rest = words[...]
    while let word = rest.popFirst() {
      switch word {
      case "--seed":
        guard let seed = rest.popFirst().flatMap(UInt64.init) else { return nil }
        self.seed = seed
      case "--from":
        guard let first = rest.popFirst().flatMap(Int.init) else { return nil }
        self.first = first
      case "--jobs":
        guard let jobs = rest.popFirst().flatMap(Int.init), jobs > 0 else { return nil }
        self.jobs = jobs
      default:
        guard let count = Int(word), count > 0 else { return nil }
        self.count = count
      }
    }
  }
}
