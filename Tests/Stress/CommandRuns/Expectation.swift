import ApusJSON
import ApusTestSupport

/// A start of the program, and its expected result.
struct Step: Sendable {
  /// The command line arguments.
  var words: [String]
  var input = ""
  var exitCode: Int32 = 0
  var output: Output = .nothing
  /// Text that must be in the single line of standard error; nil if standard error must be empty.
  var errors: String?
  /// Whether standard error is not checked.
  var errorsAreFree = false
  /// Whether the step starts child processes.
  var startsChildren = false
  /// The approximate duration relative to a simple query. Signals are sent in this time.
  var length = 1.0
  /// Whether the step runs until a signal ends it normally.
  var runsUntilSignal = false

  enum Output: Sendable {
    case nothing
    /// Exactly this text.
    case text(String)
    /// The last of these texts, which grow with each result. After a signal, any of them.
    case growing([String])
    /// A response in either format. After a signal, a part of it.
    case response(String)
    /// These lines, each printed immediately.
    case lines([String])
    /// `ndjson` lines of which the last has this data and all fragments are fulfilled.
    case results(data: String)
    case checked(@Sendable (String) -> String?)
  }
}

/// A run: consecutive steps in one folder, and the files that may remain.
struct Run: Sendable {
  let kind: String
  var steps: [Step]
  /// The files in the folder before the run.
  var files: [String: String] = [:]
  /// Additional files that may remain.
  var leaves: Set<String> = []

  init(_ kind: String, _ steps: Step..., files: [String: String] = [:], leaves: Set<String> = []) {
    self.kind = kind
    self.steps = steps
    self.files = files
    self.leaves = leaves
  }
}

extension Step {
  /// Returns a description of how the program ended incorrectly, or nil.
  func fault(in outcome: ProgramRun.Outcome) -> String? {
    if !outcome.leftBehind.isEmpty { return "it left \(outcome.leftBehind.count) processes running" }
    if !outcome.sent.isEmpty {
      switch interruption(in: outcome) {
      case .none: break
      case .inOrder: return nil
      case .fault(let text): return text
      }
    }
    guard outcome.end == .exit(code: exitCode), !runsUntilSignal || !outcome.sent.isEmpty else {
      return "\(outcome.end), not exit code \(exitCode)\(shown(outcome))"
    }
    if let fault = output.fault(in: outcome.output) { return fault + shown(outcome) }
    guard !errorsAreFree else { return nil }
    guard let errors else { return outcome.errors.isEmpty ? nil : "standard error is not empty\(shown(outcome))" }
    let isOneLine = outcome.errors.split(separator: "\n").count == 1 && outcome.errors.hasSuffix("\n")
    return isOneLine && outcome.errors.contains(errors)
      ? nil : "standard error does not say '\(errors)'\(shown(outcome))"
  }

  /// The effect of a signal on a program.
  private enum Interruption {
    /// None: the program ended as without the signal.
    case none
    case inOrder
    case fault(String)
  }

  private func interruption(in outcome: ProgramRun.Outcome) -> Interruption {
    switch outcome.end {
    case .hung: return .fault("it did not end\(shown(outcome))")
    case .signal(let number):
      // Before the program has installed its handlers, a signal kills it.
      guard outcome.sent.contains(number) else { return .fault("\(outcome.end)\(shown(outcome))") }
    case .exit(let code):
      guard outcome.sent.contains(where: { code == 128 + $0 }) else {
        return code == exitCode ? .none : .fault("\(outcome.end), after a signal\(shown(outcome))")
      }
    }
    let lines = outcome.errors.split(separator: "\n")
    guard errorsAreFree || lines.allSatisfy({ $0.hasPrefix("apus: ") }), lines.count <= 3 else {
      return .fault("standard error after a signal\(shown(outcome))")
    }
    return output.faultOfBeginning(outcome.output).map { .fault($0 + shown(outcome)) } ?? .inOrder
  }

  private func shown(_ outcome: ProgramRun.Outcome) -> String {
    let signals = outcome.sent.isEmpty ? "" : ", sent \(outcome.sent)"
    return "\(signals)\n  output: \(outcome.output.prefix(800).debugDescription)\n  errors: "
      + outcome.errors.prefix(2000).debugDescription
  }
}

extension Step.Output {
  func fault(in text: String) -> String? {
    switch self {
    case .nothing: return text.isEmpty ? nil : "the output is not empty"
    case .text(let requested):
      return text == requested ? nil : "the output is not \(requested.prefix(400).debugDescription)"
    case .growing(let texts): return Step.Output.text(texts.last ?? "").fault(in: text)
    case .response(let requested): return Step.Output.text(requested).fault(in: text)
    case .lines(let lines):
      return text == lines.map { $0 + "\n" }.joined() ? nil : "the output is not the \(lines.count) lines"
    case .results(let data):
      return Self.results(in: text, allowsEnd: false, data: data)
    case .checked(let check): return check(text)
    }
  }

  /// Returns a description of the failure if interrupted output is not a prefix of the complete output.
  func faultOfBeginning(_ text: String) -> String? {
    switch self {
    case .nothing: return text.isEmpty ? nil : "the output is not empty"
    case .text(let requested):
      return text.isEmpty || text == requested ? nil : "the output is neither empty nor complete"
    case .growing(let texts): return text.isEmpty || texts.contains(text) ? nil : "the output is not a prefix"
    case .response(let requested):
      guard !text.isEmpty else { return nil }
      let (part, complete) = (try? JSONDocument(parsing: text).root, try? JSONDocument(parsing: requested).root)
      guard text.hasSuffix("\n"), let part, let complete, Self.contains(complete, part) else {
        return "the output is not part of the complete response"
      }
      return nil
    case .lines(let lines):
      let complete = lines.map { $0 + "\n" }.joined()
      return complete.hasPrefix(text) && (text.isEmpty || text.hasSuffix("\n")) ? nil : "the output is not a prefix"
    case .results(let data): return Self.results(in: text, allowsEnd: true, data: data)
    case .checked: return nil
    }
  }

  /// Whether a value equals another one with some members removed.
  private static func contains(_ complete: JSONValue, _ part: JSONValue) -> Bool {
    guard part.kind == .object, complete.kind == .object else { return part == complete }
    return part.members.allSatisfy { member in complete[member.key].map { contains($0, member.value) } ?? false }
  }

  /// Checks `ndjson` lines: payloads in order, only the last one complete, with all fragments fulfilled.
  private static func results(in text: String, allowsEnd: Bool, data: String) -> String? {
    if text.isEmpty { return allowsEnd ? nil : "there is no output" }
    guard text.hasSuffix("\n") else { return "the last line is incomplete" }
    var isComplete = false
    for (number, line) in text.split(separator: "\n").enumerated() {
      guard let result = try? JSONDocument(parsing: String(line)).root else { return "line \(number) is not JSON" }
      if isComplete { return "a line follows the complete one" }
      if result["part"]?.int != number { return "line \(number) is part \(result["part"].map { "\($0)" } ?? "none")" }
      isComplete = result["response"] == "complete"
      guard isComplete else { continue }
      if result["data"].map({ JSONWriter.compact($0) }) != data { return "the data is not \(data.prefix(200))" }
      let states = result["deferred"]?.elements.map { $0["state"]?.string } ?? []
      if !states.allSatisfy({ $0 == "fulfilled" }) { return "not every fragment is fulfilled" }
    }
    return isComplete || allowsEnd ? nil : "no line is complete"
  }
}
