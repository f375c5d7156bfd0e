import ApusTestSupport
import Foundation

/// The folder for the runs of one thread. It is emptied before each run and checked after it.
struct RunFolder: Sendable {
  let fixtures: RunFixtures
  private let folder: String
  private let environment: [String: String]

  init(fixtures: RunFixtures, number: Int) {
    self.fixtures = fixtures
    folder = fixtures.folder.path("\(number)")
    let mark = fixtures.mark.split(separator: "=").map(String.init)
    environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin", "LC_ALL": "C.UTF-8",
      "TERM": "xterm-256color", "HOME": folder + "/home", "TMPDIR": folder + "/tmp", mark[0]: mark[1],
    ]
  }

  /// Performs a run and returns a verdict for each of its steps.
  func perform(_ index: Int, seed: UInt64) -> [Verdict] {
    var random = SplitMix(seed: seed &+ UInt64(index) &* 0x9E37_79B9_7F4A_7C15)
    if Int.random(in: 0..<40, using: &random) == 0 { return [explore(&random)] }
    let run = Runs.draw(fixtures, &random)
    do {
      try prepare(run.files)
    } catch {
      return [Verdict(kind: run.kind, command: "", end: .hung, fault: "no folder: \(error)")]
    }
    var verdicts: [Verdict] = []
    for step in run.steps {
      let verdict = take(step, of: run, &random)
      verdicts.append(verdict)
      // Later steps depend on this one.
      if !verdict.sent.isEmpty || verdict.fault != nil { return verdicts }
    }
    return verdicts
  }

  private func take(_ step: Step, of run: Run, _ random: inout SplitMix) -> Verdict {
    var program = ProgramRun([Checkout.apus] + step.words, environment: environment, folder: folder + "/work")
    program.input = step.input
    program.looksForChildren = step.startsChildren
    if step.runsUntilSignal || Int.random(in: 0..<3, using: &random) == 0 {
      program.interruptions = interruptions(within: fixtures.queryTime * step.length, &random)
    }
    let command = "cd \(folder)/work; apus " + step.words.map(quoted).joined(separator: " ")
    do {
      let outcome = try program.run()
      return Verdict(
        kind: run.kind, command: command, end: outcome.end, sent: outcome.sent,
        fault: step.fault(in: outcome) ?? leftFiles(of: run, endedAtOnce: Self.endedAtOnce(outcome)))
    } catch {
      return Verdict(kind: run.kind, command: command, end: .hung, fault: "\(error)")
    }
  }

  /// Whether the program was ended by a signal directly, or by the second of two.
  private static func endedAtOnce(_ outcome: ProgramRun.Outcome) -> Bool {
    if case .signal = outcome.end { return true }
    return outcome.sent.count > 1
  }

  /// Returns one signal, or two in quick succession, as from an impatient user.
  private func interruptions(within span: Duration, _ random: inout SplitMix) -> [ProgramRun.Interruption] {
    let first = span * Double.random(in: 0...1.5, using: &random)
    let signal = Bool.random(using: &random) ? SIGINT : SIGTERM
    let isForGroup = signal == SIGINT && Bool.random(using: &random)
    var signals = [ProgramRun.Interruption(offset: first, signal: signal, isForGroup: isForGroup)]
    if Int.random(in: 0..<3, using: &random) == 0 {
      let second = Bool.random(using: &random) ? SIGINT : SIGTERM
      let pause = Duration.microseconds(Int.random(in: 0...10_000, using: &random))
      signals.append(.init(offset: first + pause, signal: second, isForGroup: isForGroup))
    }
    return signals
  }

  private func quoted(_ word: String) -> String {
    word.allSatisfy { $0.isLetter || $0.isNumber || "-_./:=".contains($0) }
      ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
  }

  // MARK: The folder

  private func prepare(_ files: [String: String]) throws {
    try? FileManager.default.removeItem(atPath: folder)
    for name in ["home", "tmp", "work"] {
      try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
    }
    for (name, text) in files { try text.write(toFile: "\(folder)/work/\(name)", atomically: false, encoding: .utf8) }
  }

  /// Returns files that a run must not leave. A program that was killed could not remove its temporary files: the
  /// database's journal, a file that was to replace another, the folders that `doctor` checks.
  private func leftFiles(of run: Run, endedAtOnce: Bool) -> String? {
    let names = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    let left = names.filter { name in
      let path = name.split(separator: "/").dropFirst().joined(separator: "/")
      if path.isEmpty || run.files[path] != nil { return false }
      if endedAtOnce, path.hasSuffix("-journal") || path.contains("/.dat.nosync") || name.hasPrefix("home/.") {
        return false
      }
      // SQLite has two additional files.
      return !run.leaves.contains {
        path == $0 || path == $0 + "-wal" || path == $0 + "-shm" || $0.hasPrefix(path + "/")
      }
    }
    return left.isEmpty ? nil : "it left files: \(left.sorted().joined(separator: ", "))"
  }

  // MARK: The explorer

  /// Opens the explorer in a terminal, runs its query, and quits it with a key or a signal at a random time.
  private func explore(_ random: inout SplitMix) -> Verdict {
    let words = [Checkout.apus, fixtures.demo, "--fresh"]
    let signal = [nil, SIGTERM, SIGHUP, SIGINT].randomElement(using: &random) ?? nil
    func verdict(_ end: ProgramRun.End, _ fault: String?) -> Verdict {
      let command = words.joined(separator: " ") + (signal.map { " # ended by signal \($0)" } ?? " # ended by Ctrl-Q")
      return Verdict(kind: "explorer", command: command, end: end, sent: signal.map { [$0] } ?? [], fault: fault)
    }
    do {
      try prepare([:])
      let terminal = try PseudoTerminal(words, environment: environment, folder: folder + "/work")
      guard terminal.wait(for: "Query") else { return verdict(.hung, "it showed nothing: \(terminal.text)") }
      if Bool.random(using: &random) { terminal.type("\u{1B}[15~") }
      terminal.read(for: .milliseconds(Int.random(in: 0...150, using: &random)))
      if let signal { terminal.signal(signal) } else { terminal.type("\u{11}") }
      guard let end = terminal.waitForEnd() else { return verdict(.hung, "it did not end") }
      guard terminal.text.contains("\u{1B}[?1049l"), terminal.isInLineMode else {
        return verdict(end, "\(end): the terminal is not as it was")
      }
      let requested = ProgramRun.End.exit(code: signal.map { 128 + $0 } ?? 0)
      return verdict(end, end == requested ? nil : "\(end), not \(requested)")
    } catch {
      return verdict(.hung, "\(error)")
    }
  }
}
