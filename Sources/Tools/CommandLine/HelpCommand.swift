import ApusGraphQLValidation

/// Shows the help of a command or topic, or the manual page.
enum HelpCommand {
  static func run(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode {
    guard arguments.has("manual") else { return try show(arguments.operands) }
    StandardStreams.output(HelpText.manual(CommandTable.commands))
    return .success
  }

  /// Shows the help of the command or topic with a name of one or two words; without a name, an overview.
  static func show(_ names: [String]) throws(CommandError) -> ExitCode {
    let name = names.joined(separator: " ")
    if names.isEmpty {
      TerminalPager.show(HelpText.overview(CommandTable.commands))
    } else if let command = CommandTable.command(name) {
      TerminalPager.show(HelpText.help(command) + (HelpTopic.named(name).map { "\n\($0.page)" } ?? ""))
    } else if name == "topics" {
      TerminalPager.show(HelpText.topics())
    } else if let topic = HelpTopic.named(name) {
      TerminalPager.show("\(HelpText.wrapped(topic.summary, HelpText.width))\n\n\(topic.page)")
    } else if let command = CommandTable.commands.first(where: { $0.name.hasSuffix(" \(name)") }) {
      TerminalPager.show(HelpText.help(command))
    } else {
      let names = CommandTable.commands.map(\.name) + HelpTopic.names
      throw .usage("unknown command '\(name)'" + NameSuggestions.hint(name, names), command: "")
    }
    return .success
  }
}
