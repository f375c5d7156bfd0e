import ApusClientNetwork
import ApusConfiguration
import ApusExplorerTerminal

/// The help and the manual page, generated from the table of commands.
enum HelpText {
  static let version = "apus \(ApusVersion.number)"

  /// The width of help in columns: that of the terminal, else COLUMNS, limited to lines that are easy to read.
  static var width: Int {
    min(100, max(40, StandardStreams.outputWidth ?? ProcessEnvironment.variables["COLUMNS"].flatMap { Int($0) } ?? 80))
  }

  /// `apus help`: the summary of each command.
  static func overview(_ commands: [CommandDescription]) -> String {
    let rows = commands.filter { !$0.name.isEmpty }.map { ($0.name, $0.summary) }
    return """
      \(wrapped("Apus, a GraphQL explorer for the terminal.", width))

      Usage:
      \(columns([("apus [URL | PROFILE] [OPTIONS]", "open the explorer"), ("apus COMMAND …", "run a command")], width))

      Commands:

      \(columns(rows, width))

      \(wrapped("""
        Start with 'apus demo'. See 'apus help COMMAND' for a command ('apus help explore' for the options of the explorer)
        and 'apus help topics' for output, configuration, keys and more.
        """, width))

      """
  }

  /// `apus help topics`.
  static func topics() -> String {
    let pages = InstalledFiles.pages.map { "\n" + wrapped("The pages named Docs/… are in \($0).", width) + "\n" } ?? ""
    return "Topics:\n\n" + columns(HelpTopic.all.map { ($0.name, $0.summary) }, width)
      + "\n\n'apus help TOPIC' shows one.\n" + pages
  }

  /// `apus help COMMAND`, with lines of at most `width` columns.
  static func help(_ command: CommandDescription, width: Int = width) -> String {
    var sections = [
      wrapped(command.summary, width),
      TextWrapping.hangingLines(of: "Usage: \(usage(command))", width: width).joined(separator: "\n"),
    ]
    if !command.discussion.isEmpty { sections.append(discussion(command.discussion, width)) }
    let subscription = Set(CommandTable.subscription.map(\.name))
    let network = networkNames(of: command)
    let specific = command.options.filter { !subscription.contains($0.name) && !network.contains($0.name) }
    if !specific.isEmpty { sections.append("Options:\n" + list(specific, width)) }
    let ofSubscriptions = command.options.filter { subscription.contains($0.name) }
    if !ofSubscriptions.isEmpty { sections.append("Subscription options:\n" + list(ofSubscriptions, width)) }
    if command.options.contains(where: { network.contains($0.name) }) {
      sections.append(wrapped("Network options (--header, --timeout, --proxy, …): see 'apus help network'", width))
    }
    if !command.examples.isEmpty {
      sections.append("Examples:\n" + command.examples.map { "  " + $0 }.joined(separator: "\n"))
    }
    return sections.joined(separator: "\n\n") + "\n"
  }

  /// Returns the names of the options that 'apus help network' describes; none if the command has only a few of them.
  private static func networkNames(of command: CommandDescription) -> Set<String> {
    let names = Set(CommandTable.connection.map(\.name))
    return names.isSubset(of: command.options.map(\.name)) ? names : []
  }

  static func list(_ options: [OptionDescription], _ width: Int) -> String {
    columns(options.map { (spelling($0), $0.summary + ($0.isRepeatable ? " (repeatable)" : "")) }, width)
  }

  /// Formats rows in two columns. A long left side has its own line. If too little space remains for the right side, each
  /// right side is below its left side.
  static func columns(_ rows: [(String, String)], _ width: Int) -> String {
    let column = min(28, rows.map(\.0.count).max() ?? 0)
    let isNarrow = width - column - 5 < 30
    let indent = isNarrow ? "      " : "".padded(to: column + 5)
    return rows.flatMap { left, right in
      var lines = TextWrapping.lines(of: right, width: width - indent.count).map { indent + $0 }
      guard !isNarrow, left.count <= column, let first = lines.first else {
        return TextWrapping.lines(of: left, width: width - 2).map { "  " + $0 } + lines
      }
      lines[0] = "  \(left.padded(to: column))   \(first.dropFirst(indent.count))"
      return lines
    }.joined(separator: "\n")
  }

  /// Wraps a discussion: its paragraphs, its rows (`  keys   list the keys`) and its other lines that begin with two spaces.
  private static func discussion(_ text: String, _ width: Int) -> String {
    var result: [String] = []
    var rows: [(String, String)] = []
    func endRows() {
      if !rows.isEmpty { result.append(columns(rows, width)) }
      rows = []
    }
    for line in TextWrapping.paragraphs(of: text, width: width) {
      let body = line.dropFirst(2)
      if line.hasPrefix("  "), let gap = body.firstRange(of: "  ") {
        rows.append((String(body[..<gap.lowerBound]), String(body[gap.upperBound...].drop { $0 == " " })))
        continue
      }
      endRows()
      result +=
        line.hasPrefix("  ") ? TextWrapping.hangingLines(of: String(body), width: width, indentation: 2) : [line]
    }
    endRows()
    return result.joined(separator: "\n")
  }

  static func wrapped(_ text: String, _ width: Int) -> String {
    TextWrapping.paragraphs(of: text, width: width).joined(separator: "\n")
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

  /// Returns text with the characters escaped that roff interprets.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if index > 0 { result += "\n" }
      if line.hasPrefix(".") || line.hasPrefix("'") { result += "\\&" }
      for character in line { result += character == "\\" ? "\\e" : character == "-" ? "\\-" : String(character) }
    }
    return result
  }

  private static let manualHead = """
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
    Without a command, apus opens the explorer: a query editor, the live response, the state of each deferred
    fragment and the cache. In the explorer, F1 lists the keys and Ctrl\\-P the commands.
    .SH COMMANDS

    """

  /// Returns the manual page for man(1), as `apus help --manual` prints it.
  static func manual(_ commands: [CommandDescription]) -> String {
    var page = manualHead
    func list(_ options: [OptionDescription]) {
      for option in options {
        page += ".TP\n.B \(escaped(String(spelling(option).drop { $0 == " " })))\n\(escaped(option.summary))\n"
      }
    }
    for command in commands {
      let network = networkNames(of: command)
      page += ".SS \(escaped(usage(command)))\n\(escaped(command.summary)).\n"
      if !command.discussion.isEmpty { page += ".PP\n\(escaped(command.discussion))\n" }
      list(command.options.filter { !network.contains($0.name) })
      if command.options.contains(where: { network.contains($0.name) }) {
        page += ".PP\nThe network options also apply.\n"
      }
    }
    page += ".SH NETWORK OPTIONS\n"
    list(CommandTable.connection)
    func section(_ title: String, _ rows: [(String, String)]) {
      page += ".SH \(title)\n"
      for (left, right) in rows { page += ".TP\n.B \(escaped(left))\n\(escaped(right))\n" }
    }
    section("EXIT STATUS", HelpTopic.exitStatus.map { ("\($0.code.rawValue)", $0.meaning) })
    section("ENVIRONMENT", HelpTopic.variables.map { ($0.name, $0.meaning) })
    section("FILES", HelpTopic.files.map { ($0.path, $0.meaning) })
    page += ".SH EXAMPLES\n"
    for example in commands.flatMap(\.examples) { page += ".PP\n.EX\n\(escaped(example))\n.EE\n" }
    page += ".SH DOCUMENTATION\nThe pages named Docs/\\&… are in share/doc/apus, next to the folder of the program.\n"
    page += ".SH SEE ALSO\n.BR curl (1),\n.BR jq (1),\n.BR less (1)\n"
    return page
  }
}

extension String {
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
