import ApusJSON
import ApusTestSupport

/// One start of the program and what must come of it.
struct Step: Sendable {
  /// The arguments.
  var words: [String]
  var input = ""
  var exitCode: Int32 = 0
  var output: Output = .nothing
  /// A text that the one line of standard error holds; with nil nothing is said there.
  var errors: String?
  /// How far standard error is looked at.
  var errorsAreFree = false
  /// Whether it starts programs of its own.
  var startsChildren = false
  /// How long it runs, about, beside a plain query: signals are sent in this time.
  var length = 1.0
  /// It runs until a signal tells it to end, which is then no interruption.
  var runsUntilTold = false

  enum Output: Sendable {
    case nothing
    /// These bytes.
    case text(String)
    /// The last of these, made of results that came one after the other: what came before a signal is one of them.
    case growing([String])
    /// One response, in either form; what came of it before a signal is contained in it.
    case response(String)
    /// These lines, each of which is printed at once.
    case lines([String])
    /// `ndjson`: whole lines of which the last has these data; each fragment has come.
    case results(data: String)
    case judged(@Sendable (String) -> String?)
  }
}

/// A run: steps one after the other in one folder, and the files that may be there at the end.
struct Run: Sendable {
  let kind: String
  var steps: [Step]
  /// Written before.
  var files: [String: String] = [:]
  /// Which files, beyond those, may be left.
  var leaves: Set<String> = []

  init(_ kind: String, _ steps: Step..., files: [String: String] = [:], leaves: Set<String> = []) {
    self.kind = kind
    self.steps = steps
    self.files = files
    self.leaves = leaves
  }
}

extension Step {
  /// What is not as it must be in how the program ended.
  func fault(in outcome: ProgramRun.Outcome) -> String? {
    if !outcome.leftBehind.isEmpty { return "it left \(outcome.leftBehind.count) processes behind" }
    if !outcome.sent.isEmpty {
      switch interruption(in: outcome) {
      case .none: break
      case .inOrder: return nil
      case .fault(let text): return text
      }
    }
    guard outcome.end == .exit(code: exitCode), !runsUntilTold || !outcome.sent.isEmpty else {
      return "\(outcome.end), not exit code \(exitCode)\(shown(outcome))"
    }
    if let fault = output.fault(in: outcome.output) { return fault + shown(outcome) }
    guard !errorsAreFree else { return nil }
    guard let errors else { return outcome.errors.isEmpty ? nil : "standard error is not empty\(shown(outcome))" }
    let isOneLine = outcome.errors.split(separator: "\n").count == 1 && outcome.errors.hasSuffix("\n")
    return isOneLine && outcome.errors.contains(errors)
      ? nil : "standard error does not say '\(errors)'\(shown(outcome))"
  }

  /// What a signal that was sent to a program did to it.
  private enum Interruption {
    /// Nothing: the program ended as it does without.
    case none
    case inOrder
    case fault(String)
  }

  private func interruption(in outcome: ProgramRun.Outcome) -> Interruption {
    switch outcome.end {
    case .hung: return .fault("it did not end\(shown(outcome))")
    case .signal(let number):
      // Before the program has begun, a signal ends it by itself.
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
    case .text(let wanted): return text == wanted ? nil : "the output is not \(wanted.prefix(400).debugDescription)"
    case .growing(let texts): return Step.Output.text(texts.last ?? "").fault(in: text)
    case .response(let wanted): return Step.Output.text(wanted).fault(in: text)
    case .lines(let lines):
      return text == lines.map { $0 + "\n" }.joined() ? nil : "the output is not the \(lines.count) lines"
    case .results(let data):
      return Self.results(in: text, allowsEnd: false, data: data)
    case .judged(let judge): return judge(text)
    }
  }

  /// What is wrong with what a program printed before a signal ended it: all of it must be the beginning of the whole.
  func faultOfBeginning(_ text: String) -> String? {
    switch self {
    case .nothing: return text.isEmpty ? nil : "the output is not empty"
    case .text(let wanted):
      return text.isEmpty || text == wanted ? nil : "the output is neither empty nor whole"
    case .growing(let texts): return text.isEmpty || texts.contains(text) ? nil : "the output is no beginning"
    case .response(let wanted):
      guard !text.isEmpty else { return nil }
      let (part, whole) = (try? JSONDocument(parsing: text).root, try? JSONDocument(parsing: wanted).root)
      guard text.hasSuffix("\n"), let part, let whole, Self.contains(whole, part) else {
        return "the output is no part of the whole"
      }
      return nil
    case .lines(let lines):
      let whole = lines.map { $0 + "\n" }.joined()
      return whole.hasPrefix(text) && (text.isEmpty || text.hasSuffix("\n")) ? nil : "the output is no beginning"
    case .results(let data): return Self.results(in: text, allowsEnd: true, data: data)
    case .judged: return nil
    }
  }

  /// Whether a value is another one without some members.
  private static func contains(_ whole: JSONValue, _ part: JSONValue) -> Bool {
    guard part.kind == .object, whole.kind == .object else { return part == whole }
    return part.members.allSatisfy { member in whole[member.key].map { contains($0, member.value) } ?? false }
  }

  /// Lines of `ndjson`: parts in their order, the last and only the last complete, everything deferred fulfilled then.
  private static func results(in text: String, allowsEnd: Bool, data: String) -> String? {
    if text.isEmpty { return allowsEnd ? nil : "there is no output" }
    guard text.hasSuffix("\n") else { return "the last line is not whole" }
    var isComplete = false
    for (number, line) in text.split(separator: "\n").enumerated() {
      guard let result = try? JSONDocument(parsing: String(line)).root else { return "line \(number) is not JSON" }
      if isComplete { return "there is a line behind the complete one" }
      if result["part"]?.int != number { return "line \(number) is part \(result["part"].map { "\($0)" } ?? "none")" }
      isComplete = result["response"] == "complete"
      guard isComplete else { continue }
      if result["data"].map({ JSONWriter.compact($0) }) != data { return "the data are not \(data.prefix(200))" }
      let states = result["deferred"]?.elements.map { $0["state"]?.string } ?? []
      if !states.allSatisfy({ $0 == "fulfilled" }) { return "not every fragment is fulfilled" }
    }
    return isComplete || allowsEnd ? nil : "no line is complete"
  }
}
