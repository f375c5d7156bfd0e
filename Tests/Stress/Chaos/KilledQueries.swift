import ApusTestSupport
import Foundation

/// Kills `apus query --db` at random times while other processes write to the same file. The data of a query that
/// succeeded must stay in the file; that of a killed query is there completely or not at all.
struct KilledQueries {
  let url: String
  let folder: TemporaryFolder
  let lane: Int
  let seed: UInt64

  func run(_ count: Int, _ faults: Faults) {
    var random = SplitMix(seed: seed &+ UInt64(lane))
    var confirmed: [Int] = []
    // The duration of a query, so that kills occur in all its phases and some queries finish before.
    let span = outcome(of: query(lane * 250 + 250, policy: "networkOnly"), faults)?.elapsed ?? .milliseconds(40)
    for round in 0..<count {
      // Each lane has its own birds.
      let bird = lane * 250 + round % 249 + 1
      var program = query(bird, policy: "networkOnly")
      program.interruptions = [
        .init(offset: span * Double.random(in: 0...1.5, using: &random), signal: SIGKILL)
      ]
      guard let outcome = outcome(of: program, faults) else { return }
      switch outcome.end {
      case .signal(SIGKILL): faults.note("queries killed")
      case .exit(code: 0):
        faults.note("queries done before the kill")
        if outcome.output != output(bird) { faults.add("bird \(bird): \(outcome.output) \(outcome.errors)") }
      default: faults.add("bird \(bird): \(outcome.end) \(outcome.errors)")
      }
      // If the output was complete, the data must be in the file.
      if outcome.output == output(bird), outcome.end == .exit(code: 0) { confirmed.append(bird) }
      check(bird, isConfirmed: confirmed.contains(bird), faults)
      if let earlier = confirmed.randomElement(using: &random) { check(earlier, isConfirmed: true, faults) }
    }
    for bird in confirmed { check(bird, isConfirmed: true, faults) }
    let others = (try? FileManager.default.contentsOfDirectory(atPath: folder.root)) ?? []
    let unknown = others.filter { !["cache", "cache-wal", "cache-shm"].contains($0) }
    if !unknown.isEmpty { faults.add("next to the cache there is \(unknown)") }
  }

  /// Queries only the cache.
  private func check(_ bird: Int, isConfirmed: Bool, _ faults: Faults) {
    guard let outcome = outcome(of: query(bird, policy: "cacheOnly"), faults) else { return }
    switch outcome.end {
    case .exit(code: 0):
      if outcome.output != output(bird) { faults.add("the cache returns for bird \(bird): \(outcome.output)") }
      if !isConfirmed { faults.note("killed queries that are in the file") }
    case .exit(code: 3) where !isConfirmed && outcome.output.isEmpty: faults.note("killed queries that are not")
    default: faults.add("bird \(bird)\(isConfirmed ? ", confirmed" : ""): \(outcome.end) \(outcome.errors)")
    }
  }

  /// A bird with enough data that writing takes some time.
  private func query(_ bird: Int, policy: String) -> ProgramRun {
    let aliases = (0..<40).map { "a\($0): bird(id: \"b\(bird)\") { id k\($0): id }" }.joined(separator: " ")
    return ProgramRun(
      [Checkout.apus, "query", url, "-q", "{ \(aliases) }", "--db", folder.path("cache"), "--cache-policy", policy],
      environment: ["HOME": folder.root, "LC_ALL": "C.UTF-8"], folder: folder.root)
  }

  private func output(_ bird: Int) -> String {
    let members = (0..<40).map { #""a\#($0)":{"id":"b\#(bird)","k\#($0)":"b\#(bird)"}"# }.joined(separator: ",")
    return #"{"data":{\#(members)}}"# + "\n"
  }

  private func outcome(of program: ProgramRun, _ faults: Faults) -> ProgramRun.Outcome? {
    do {
      return try program.run()
    } catch {
      faults.add("\(error)")
      return nil
    }
  }
}
