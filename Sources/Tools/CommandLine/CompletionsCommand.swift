/// Prints the completion script of a shell, or a list of names that such a script requests.
enum CompletionsCommand {
  static func run(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode {
    let shell = arguments.operands.first ?? ""
    if let list = NameList(rawValue: shell) {
      StandardStreams.output(try ShellCompletions.names(of: list).map { $0 + "\n" }.joined())
      return .success
    }
    guard let script = ShellCompletions.script(for: shell, commands: CommandTable.commands) else {
      throw .usage(
        "unknown shell '\(shell)'; completions exist for \(ShellCompletions.shells.joined(separator: ", "))",
        command: "completions")
    }
    StandardStreams.output(script)
    return .success
  }
}
