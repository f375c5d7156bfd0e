import ApusTestSupport
import Foundation

/// Long-running work for one process of each kind, whose memory must not grow: `Soak [PART] [serve] [client]
/// [explorer]`. Exits with 1 if one of them grew.
@main
enum Soak {
  static func main() async throws {
    signal(SIGPIPE, SIG_IGN)
    var part = 1
    var names: [String] = []
    for word in CommandLine.arguments.dropFirst() {
      if let number = Int(word), number > 0 { part = number } else { names.append(word) }
    }
    guard names.allSatisfy(["serve", "client", "explorer"].contains) else {
      say("usage: Tests/Stress/Soak/run [PART] [serve] [client] [explorer]")
      exit(2)
    }
    let isWanted = { name in names.isEmpty || names.contains(name) }
    var isBounded = true
    if isWanted("serve") { isBounded = try await ServerSoak.run(100_000 / part) && isBounded }
    if isWanted("client") { isBounded = try await ClientSoak.run(1_000_000 / part) && isBounded }
    if isWanted("explorer") { isBounded = try await ExplorerSoak.run(10_000 / part) && isBounded }
    exit(isBounded ? 0 : 1)
  }
}

/// The resources of a process after a tenth of its work and at the end.
struct Growth {
  let name: String
  /// The total number of work items.
  let count: Int
  /// The number of bytes that a work item may leave, and the normal fluctuation.
  let bytesEach: Int
  let noise = 4 << 20
  private let begin = ContinuousClock.now
  private var tenth: ProcessFacts?

  init(_ name: String, count: Int, bytesEach: Int) {
    self.name = name
    self.count = count
    self.bytesEach = bytesEach
  }

  mutating func atTenth(_ process: pid_t) { tenth = Self.settled(process) }

  /// Returns the resources of a process after it has closed the connections of clients that left.
  private static func settled(_ process: pid_t) -> ProcessFacts? {
    var facts = ProcessFacts(process)
    let deadline = ContinuousClock.now + .seconds(5)
    while let before = facts, ContinuousClock.now < deadline {
      usleep(200_000)
      facts = ProcessFacts(process)
      if let facts, facts.descriptorCount >= before.descriptorCount { break }
    }
    return facts
  }

  /// Prints the figures. Returns false if they grew.
  func isBounded(_ process: pid_t) -> Bool {
    let seconds = begin.duration(to: .now) / .seconds(1)
    let rate = "\(count) in \(Int(seconds)) s, \(Int(Double(count) / max(0.001, seconds))) a second"
    guard let tenth, let end = Self.settled(process) else {
      say("\(name): \(rate); its memory cannot be measured on this system")
      return tenth == nil
    }
    let work = max(1, count - count / 10)
    let grown = end.memory - tenth.memory
    say(
      "\(name): \(rate); memory \(kilobytes(tenth.memory)) → \(kilobytes(end.memory)) kB, "
        + "\(grown / work) bytes each (at most \(bytesEach), and \(kilobytes(noise)) kB of noise); descriptors "
        + "\(tenth.descriptorCount) → \(end.descriptorCount); threads \(tenth.threadCount) → \(end.threadCount)")
    let isGood =
      grown <= noise + bytesEach * work && end.descriptorCount <= tenth.descriptorCount + 2
      && end.threadCount <= tenth.threadCount + 4
    if !isGood { say("FAULT: \(name) holds more and more") }
    return isGood
  }

  private func kilobytes(_ bytes: Int) -> Int { bytes >> 10 }
}
