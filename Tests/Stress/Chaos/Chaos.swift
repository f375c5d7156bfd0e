import ApusTestSupport
import Foundation
import Synchronization

/// Kills the program at random times with SIGKILL. Everything that it confirmed must be there at the next start. `Chaos
/// [COUNT] [--seed N]` exits with 1 if anything is lost.
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
      throw ChildProcess.LaunchError(description: await server.outcome().errors)
    }
    let faults = Faults()
    let chosen = seed
    // All runs write to one file concurrently.
    let shared = try TemporaryFolder()
    await inLanes(count, faults) { lane, count in
      KilledQueries(url: url, folder: shared, lane: lane, seed: chosen).run(count, faults)
    }
    await inLanes(count, faults) { lane, count in
      KilledExplorers(url: url, lane: lane, seed: chosen).run(count, faults)
    }
    server.signal(SIGTERM)
    _ = await server.outcome()
    say("failures: \(faults.count)")
    exit(faults.count == 0 ? 0 : 1)
  }

  /// Runs work in four threads, each with a part of the count.
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

/// The failures, and figures about the runs.
final class Faults: Sendable {
  private let texts = Mutex<[String]>([])
  private let figures = Mutex<[String: Int]>([:])

  var count: Int { texts.withLock { $0.count } }

  func add(_ text: String) {
    texts.withLock { $0.append(text) }
    say("FAULT: \(text)")
  }

  func note(_ figure: String) { figures.withLock { $0[figure, default: 0] += 1 } }

  /// Prints the figures since the last call.
  func sayFigures() {
    let counted = figures.withLock { figures in
      defer { figures = [:] }
      return figures
    }
    say(counted.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", "))
  }
}
