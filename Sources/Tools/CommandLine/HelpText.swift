import ApusClientNetwork

/// The help, the manual page and the shell completions, all drawn from the one table of commands.
enum HelpText {
  static let version = "apus \(ApusVersion.number)"

  /// `apus help`: every command in a line.
  static func overview(_ commands: [CommandDescription]) -> String {
    var text = """
      Apus, a GraphQL explorer for the terminal.

      Usage: apus [URL | PROFILE] [OPTIONS]      open the explorer
             apus COMMAND …                      do one of these

      Commands:

      """
    let width = commands.map(\.name.count).max() ?? 0
    for command in commands where !command.name.isEmpty {
      text += "  \(command.name.padded(to: width))   \(command.summary)\n"
    }
    text += """

      'apus help COMMAND' tells more, 'apus help explore' the options of the explorer, 'apus help topics' what concerns
      several of them; 'apus demo' is the place to start.

      """
    return text
  }

  /// `apus help topics`.
  static func topics() -> String {
    let width = HelpTopic.names.map(\.count).max() ?? 0
    return "Topics:\n\n" + HelpTopic.all.map { "  \($0.name.padded(to: width))   \($0.summary)\n" }.joined()
      + "\n'apus help TOPIC' shows one.\n"
  }

  /// `apus help COMMAND`.
  static func help(_ command: CommandDescription) -> String {
    var text = "\(command.summary)\n\nUsage: \(usage(command))\n"
    if !command.discussion.isEmpty { text += "\n\(command.discussion)\n" }
    if !command.options.isEmpty {
      text += "\nOptions:\n"
      let rows = command.options.map { (spelling($0), $0.summary + ($0.isRepeatable ? " (repeatable)" : "")) }
      let width = min(34, rows.map(\.0.count).max() ?? 0)
      for (left, right) in rows {
        text +=
          left.count > width
          ? "  \(left)\n  \("".padded(to: width))   \(right)\n" : "  \(left.padded(to: width))   \(right)\n"
      }
    }
    if !command.example.isEmpty { text += "\nExample:\n  \(command.example)\n" }
    return text
  }

  static func usage(_ command: CommandDescription) -> String {
    var words = ["apus", command.name == "explore" ? "[explore]" : command.name]
    for operand in command.operands {
      let name = operand.name + (operand.isRepeatable ? "…" : "")
      words.append(operand.isRequired ? name : "[\(name)]")
    }
    if !command.options.isEmpty { words.append("[OPTIONS]") }
    return words.joined(separator: " ")
  }

  private static func spelling(_ option: OptionDescription) -> String {
    let short = option.short.map { "-\($0), " } ?? "    "
    return short + "--\(option.name)" + (option.value.placeholder.map { " \($0)" } ?? "")
  }

  /// `apus help --manual`: a page for man(1).
  static func manual(_ commands: [CommandDescription]) -> String {
    func escaped(_ text: String) -> String {
      var result = ""
      for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
        if index > 0 { result += "\n" }
        if line.hasPrefix(".") || line.hasPrefix("'") { result += "\\&" }
        for character in line { result += character == "\\" ? "\\e" : character == "-" ? "\\-" : String(character) }
      }
      return result
    }
    var page = """
      .TH APUS 1 "" "\(version)" "User Commands"
      .SH NAME
      apus \\- a GraphQL explorer for the terminal
      .SH SYNOPSIS
      .B apus
      [\\fIURL\\fR | \\fIPROFILE\\fR] [\\fIOPTIONS\\fR]
      .br
      .B apus
      \\fICOMMAND\\fR \\&…
      .SH DESCRIPTION
      Without a command, apus opens a screen with a query editor, the live response, the state of every deferred
      fragment and the cache. Inside it, F1 shows every key and Ctrl\\-P every command.
      .SH COMMANDS

      """
    for command in commands {
      page += ".SS \(escaped(usage(command)))\n\(escaped(command.summary)).\n"
      if !command.discussion.isEmpty { page += ".PP\n\(escaped(command.discussion))\n" }
      for option in command.options {
        page += ".TP\n.B \(escaped(spelling(option).trimmed))\n\(escaped(option.summary))\n"
      }
    }
    func section(_ title: String, _ rows: [(String, String)]) {
      page += ".SH \(title)\n"
      for (left, right) in rows { page += ".TP\n.B \(escaped(left))\n\(escaped(right))\n" }
    }
    section("EXIT STATUS", HelpTopic.exitStatus.map { ("\($0.code.rawValue)", $0.meaning) })
    section("ENVIRONMENT", HelpTopic.variables.map { ($0.name, $0.meaning) })
    section("FILES", HelpTopic.files.map { ($0.path, $0.meaning) })
    return page
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
  var trimmed: String { String(drop(while: { $0 == " " })) }
}
