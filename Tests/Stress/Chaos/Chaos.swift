import ApusTestSupport
import Foundation
import Synchronization

/// Kills the program at random moments, with the signal that nothing can be done about: what it has confirmed must be
/// there the next time. `Chaos [COUNT] [--seed N]`; ends with 1 when anything is lost.
@main
enum Chaos {
  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    var words = CommandLine.arguments.dropFirst()
    var count = 200
    var seed = UInt64.random(in: 0...UInt64(UInt32.max))
    while let word = words.popFirst() {
      if word == "--seed", let number = words.popFirst().flatMap(UInt64.init) {
        seed = number
      } else if let number = Int(word), number > 0 {
        count = number
      } else {
        say("usage: Tests/Stress/Chaos/run [COUNT] [--seed N]")
        exit(2)
      }
    }
    say("chaos: \(Checkout.apus) is killed \(count) times and \(count) times with --seed \(seed)")
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    guard let url = await server.nextLine() else {
      throw ChildProcess.NotStarted(description: await server.outcome().errors)
    }
    let faults = Faults()
    let chosen = seed
    // All write into one file at the same time.
    let shared = try TemporaryFolder()
    await inLanes(count, faults) { lane, count in
      KilledQueries(url: url, folder: shared, lane: lane, seed: chosen).run(count, faults)
    }
    await inLanes(count, faults) { lane, count in
      KilledExplorers(url: url, lane: lane, seed: chosen).run(count, faults)
    }
    server.signal(SIGTERM)
    _ = await server.outcome()
    say("faults: \(faults.count)")
    exit(faults.count == 0 ? 0 : 1)
  }

  /// Four threads, each with its part of the count.
  private nonisolated static func inLanes(
    _ count: Int, _ faults: Faults, _ work: @escaping @Sendable (Int, Int) -> Void
  ) async {
    let lanes = 4
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<lanes {
        group.addTask {
          await withCheckedContinuation { continuation in
            startThread {
              work(lane, count / lanes + (lane < count % lanes ? 1 : 0))
              continuation.resume()
            }
          }
        }
      }
    }
    faults.sayFigures()
  }
}

/// What was not as it must be, and what was counted on the way.
final class Faults: Sendable {
  private let texts = Mutex<[String]>([])
  private let figures = Mutex<[String: Int]>([:])

  var count: Int { texts.withLock { $0.count } }

  func add(_ text: String) {
    texts.withLock { $0.append(text) }
    say("FAULT: \(text)")
  }

  func note(_ figure: String) { figures.withLock { $0[figure, default: 0] += 1 } }

  /// Says what was counted since the last time.
  func sayFigures() {
    let counted = figures.withLock { figures in
      defer { figures = [:] }
      return figures
    }
    say(counted.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
  }
}
