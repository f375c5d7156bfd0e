import ApusClientNetwork
import ApusConfiguration
import ApusGraphQLValidation

/// An option or a flag of a command. The parser, the help, the manual page and the shell completions use it.
struct OptionDescription: Sendable {
  /// The kind of value that follows the option, also for shell completions.
  enum Value: Sendable, Equatable {
    case none
    case text(String)
    case file(String)
    case choice([String])
    /// A name that `apus completions` lists, or a file.
    case nameOrFile(String, NameList)

    /// Returns a choice among the raw values of an enum.
    static func choice<Choice: CaseIterable & RawRepresentable<String>>(of type: Choice.Type) -> Value {
      .choice(type.allCases.map(\.rawValue))
    }

    /// Whether the value may be `@FILE`.
    var takesFileAfterAt: Bool { placeholder?.hasSuffix("@FILE") == true }

    var placeholder: String? {
      switch self {
      case .none: nil
      case .text(let name), .file(let name), .nameOrFile(let name, _): name
      case .choice(let words): words.joined(separator: "|")
      }
    }
  }

  let name: String
  let short: Character?
  let value: Value
  let isRepeatable: Bool
  let summary: String

  init(
    _ name: String, short: Character? = nil, _ value: Value, repeatable: Bool = false, _ summary: String
  ) {
    self.name = name
    self.short = short
    self.value = value
    self.isRepeatable = repeatable
    self.summary = summary
  }
}

/// Names that depend on the user's files. Completion scripts request them with `apus completions themes`.
enum NameList: String, CaseIterable, Sendable {
  case themes, profiles
}

/// A command. The parser, the help, the manual page and the shell completions use it.
struct CommandDescription: Sendable {
  /// A positional argument.
  struct Operand: Sendable {
    let name: String
    let isRequired: Bool
    var isRepeatable = false
    var isFile = false
    /// Possible values, if they can be listed.
    var choices: [String] = []
    /// Further possible values, which are listed when a shell requests completions.
    var names: NameList?
  }

  /// One word, such as `query`, or two for a subcommand: `schema diff`.
  let name: String
  let summary: String
  var operands: [Operand] = []
  var options: [OptionDescription] = []
  var discussion = ""
  var examples: [String] = []
  let run: CommandAction
}

/// The parsed arguments of a command line, checked against the command's description.
struct ParsedArguments: Sendable {
  let command: CommandDescription
  fileprivate(set) var operands: [String] = []
  fileprivate var values: [String: [String]] = [:]
  /// Failures to save the cookies of the command's requests.
  let cookieProblems = CookieProblems()
  /// Variables for `$NAME` in configuration and options.
  var environment = ProcessEnvironment.variables

  /// Returns the last value of an option.
  func value(_ option: String) -> String? { values[option]?.last }
  /// Returns the value of an option of type `.choice(of:)`. The parser rejects all other values.
  func choice<Choice: RawRepresentable<String>>(_ option: String, default standard: Choice) -> Choice {
    value(option).flatMap(Choice.init) ?? standard
  }
  func values(_ option: String) -> [String] { values[option] ?? [] }

  /// Returns a copy with one operand replaced.
  func with(operand: String, at index: Int) -> ParsedArguments {
    var changed = self
    changed.operands[index] = operand
    return changed
  }

  func has(_ option: String) -> Bool { values[option] != nil }

  /// Returns the value of `option` as a number of zero or more.
  func number(_ option: String) throws(CommandError) -> Double? {
    guard let text = value(option) else { return nil }
    guard let number = Double(text), number.isFinite, number >= 0 else {
      throw .usage("--\(option) takes a number of zero or more, not '\(text)'", command: command.name)
    }
    return number
  }

  /// Returns the value of `option` as a number in `range`, which keeps it within the limits of a duration, or 0 if
  /// allowed.
  func number(
    _ option: String, in range: ClosedRange<Double>, allowsZero: Bool = true
  ) throws(CommandError) -> Double? {
    guard let number = try number(option) else { return nil }
    guard range.contains(number) || allowsZero && number == 0 else {
      let words = "from \(range.lowerBound.shortest) to \(range.upperBound.shortest)\(allowsZero ? ", or 0" : "")"
      throw .usage("--\(option) takes a number \(words), not '\(value(option) ?? "")'", command: command.name)
    }
    return number
  }

  /// Returns the value of `option` as an integer from 0 to `Int32.max`.
  func count(_ option: String) throws(CommandError) -> Int? {
    guard let text = value(option) else { return nil }
    guard let number = Int(text), number >= 0 else {
      throw .usage("--\(option) takes a whole number of zero or more, not '\(text)'", command: command.name)
    }
    guard number <= Int(Int32.max) else {
      throw .usage("--\(option) is at most \(Int32.max), not \(text)", command: command.name)
    }
    return number
  }
}

extension Double {
  /// The number, without decimals if it is an integer.
  fileprivate var shortest: String { self == rounded() ? String(Int(self)) : String(self) }
}

/// Parses a command line by a command's description: `--output table`, `--output=table`, `-f birds.graphql`, `--`
/// before operands.
enum ArgumentParser {
  static func parse(_ words: [String], as command: CommandDescription) throws(CommandError) -> ParsedArguments {
    var parsed = ParsedArguments(command: command)
    var index = 0
    var onlyOperands = false
    while index < words.count {
      let word = words[index]
      index += 1
      if onlyOperands || word == "-" || !word.hasPrefix("-") {
        parsed.operands.append(word)
        continue
      }
      if word == "--" {
        onlyOperands = true
        continue
      }
      let (option, inline) = try find(word, in: command)
      guard option.value != .none else {
        guard inline == nil else { throw .usage("--\(option.name) takes no value", command: command.name) }
        parsed.values[option.name] = [""]
        continue
      }
      var value = inline
      if value == nil, index < words.count {
        value = words[index]
        index += 1
      }
      guard let value else {
        throw .usage("\(word) needs a value: \(option.value.placeholder ?? "")", command: command.name)
      }
      if case .choice(let choices) = option.value, !choices.contains(value) {
        throw .usage(
          "--\(option.name) must be one of \(choices.joined(separator: ", ")), not '\(value)'", command: command.name)
      }
      if parsed.values[option.name] != nil, !option.isRepeatable {
        throw .usage("--\(option.name) was given twice", command: command.name)
      }
      parsed.values[option.name, default: []].append(expandingHome(in: value, of: option))
    }
    try checkOperands(parsed)
    return parsed
  }

  /// Replaces `~/` at the start of a path by the home folder, which shells do not do in `--file=~/x` and `@~/x`.
  private static func expandingHome(in value: String, of option: OptionDescription) -> String {
    switch option.value {
    case .file, .nameOrFile: UserFolders.expandingHome(in: value)
    case .text where option.value.takesFileAfterAt && value.hasPrefix("@"):
      "@" + UserFolders.expandingHome(in: String(value.dropFirst()))
    case .none, .text, .choice: value
    }
  }

  private static func find(
    _ word: String, in command: CommandDescription
  ) throws(CommandError) -> (OptionDescription, inline: String?) {
    if word.hasPrefix("--") {
      let body = word.dropFirst(2)
      let name = body.prefix { $0 != "=" }
      let inline = name.count < body.count ? String(body.dropFirst(name.count + 1)) : nil
      if let option = command.options.first(where: { $0.name == name }) {
        return (option, inline)
      }
    } else if let letter = word.dropFirst().first,
      let option = command.options.first(where: { $0.short == letter })
    {
      let rest = word.dropFirst(2)
      return (option, rest.isEmpty ? nil : String(rest))
    }
    let name = word.prefix { $0 != "=" }
    let hint =
      OtherProgramOption.hint(String(word.hasPrefix("--") ? name : name.prefix(2)), command)
      ?? NameSuggestions.hint(String(name), command.options.map { "--\($0.name)" })
    throw .usage("unknown option \(name)\(hint)", command: command.name)
  }

  private static func checkOperands(_ parsed: ParsedArguments) throws(CommandError) {
    let command = parsed.command
    let required = command.operands.filter(\.isRequired)
    if parsed.operands.count < required.count {
      throw .usage("\(required[parsed.operands.count].name) is missing", command: command.name)
    }
    if parsed.operands.count > command.operands.count, command.operands.last?.isRepeatable != true {
      // Report an invalid endpoint before an excess argument.
      _ = try EndpointArgument.complete(parsed)
      let word = parsed.operands[command.operands.count]
      let place = MisplacedArgument.owningOption(of: word, in: command)
      throw .usage(place ?? "unexpected argument '\(MisplacedArgument.shown(word))'", command: command.name)
    }
    for (index, word) in parsed.operands.enumerated() where word.contains("://") {
      let operand = command.operands[min(index, command.operands.count - 1)]
      guard operand.isFile, operand.names == nil else { continue }
      let place = MisplacedArgument.owningOption(of: word, in: command)
      throw .usage(place ?? "this command takes files, not URLs", command: command.name)
    }
  }
}
