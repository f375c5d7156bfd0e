import ApusClientNetwork
import ApusConfiguration
import ApusDemo
import ApusFilters
import ApusGraphQLValidation
import ApusPlatform
import Synchronization

/// The `apus` program: finds the command, runs it and exits with its exit code.
@main
struct ApusCommand {
  static func main() {
    // With the signals ignored, the failing `write` call reports a closed pipe or a file size limit.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    StandardStreams.claim()
    if CommandLine.arguments.dropFirst().first == FilterWorker.argument {
      FilterWorker.run(limits: Array(CommandLine.arguments.dropFirst(2)))
    }
    let code = SystemLimit.tooLow?.refuse() ?? run(Array(CommandLine.arguments.dropFirst()))
    // Not `exit`: it would run the cleanup of the C libraries while other threads still use them. No cleanup is needed,
    // because output is not buffered and files stay valid if the process is killed.
    _exit(code.rawValue)
  }

  private static func run(_ words: [String]) -> ExitCode {
    do throws(CommandError) {
      let code = try dispatch(words)
      try StandardStreams.checkOutput()
      return code
    } catch {
      // The message may contain text of a server or a file: print it on one line without control characters.
      StandardStreams.narrate("apus: \(SingleLineText.line(error.message, limit: 2000))")
      return StandardStreams.hasPrinted ? error.exitCode.afterData : error.exitCode
    }
  }

  private static func dispatch(_ words: [String]) throws(CommandError) -> ExitCode {
    if words.first == "--version" {
      StandardStreams.output(HelpText.version + "\n")
      return .success
    }
    if words.first == "--help" || words.first == "-h" { return try showHelp([]) }
    let (command, rest) = CommandTable.command(in: words) ?? (CommandTable.explore, words)
    if command.name != "help", rest.contains("--help") || rest.contains("-h") { return try showHelp([command.name]) }
    var parsed = try ArgumentParser.parse(rest, as: command)
    parsed.environment = try environment(for: parsed)
    UserFile.removeLeftovers(in: UserFolders())
    let arguments = try EndpointArgument.complete(parsed)
    switch command.name {
    case "help": return try showHelp(arguments.operands, manual: arguments.has("manual"))
    case "completions": return try printCompletions(arguments)
    case "query":
      return try AsyncRunner.toEnd { () throws(CommandError) in try await QueryCommand(arguments).run() }
    case "audit":
      return try AsyncRunner.toEnd { () throws(CommandError) in try await AuditCommand(arguments).run() }
    case "replay" where arguments.has("explore"):
      try requireTerminal()
      return try ExploreCommand(replaying: arguments).run()
    case "replay":
      return try AsyncRunner.toEnd { () throws(CommandError) in try await ReplayCommand(arguments).run() }
    case "serve":
      return try AsyncRunner.toEnd { () throws(CommandError) in try await ServeCommand(arguments).run() }
    case "schema":
      let schema = SchemaCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await schema.run() }
    case "schema diff":
      let diff = SchemaDiffCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await diff.run() }
    case "schema lint":
      let lint = SchemaLintCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await lint.run() }
    case "coverage":
      let coverage = CoverageCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await coverage.run() }
    case "bundle":
      let bundle = BundleCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try bundle.run() }
    case "generate":
      let generate = GenerateCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await generate.run() }
    case "validate":
      let validate = ValidateCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await validate.run() }
    case "format":
      let format = FormatCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try format.run() }
    case "complete", "hover":
      let language = LanguageCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await language.run() }
    case "lsp":
      let server = LanguageServerCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try await server.run() }
    case "cache":
      return try AsyncRunner.toEnd { () throws(CommandError) in try await CacheCommand(arguments).run() }
    case "import":
      let importing = ImportCommand(arguments: arguments)
      return try AsyncRunner.toEnd { () throws(CommandError) in try importing.run() }
    case "themes": return ThemesCommand.run()
    case "trust": return try TrustCommand(arguments).run()
    case "doctor": return DoctorCommand().run()
    case "demo": return try explore(arguments, onDemo: true)
    default: return try explore(arguments, onDemo: false)
    }
  }

  /// The variables for configuration and options: the environment, completed by the file of `--env-file` or by the `.env`
  /// next to the configuration. The current directory is never searched for an `.env` file.
  private static func environment(for arguments: ParsedArguments) throws(CommandError) -> [String: String] {
    let inherited = ProcessEnvironment.variables
    guard arguments.command.options.contains(where: { $0.name == "env-file" }) else { return inherited }
    do throws(ConfigurationError) {
      guard let named = arguments.value("env-file") else {
        let path = UserFolders().environmentFile
        guard UserFile.isReadable(path) else {
          StandardStreams.narrate("apus: cannot read \(path): its variables are not used")
          return inherited
        }
        let file = try EnvironmentFile.read(path, isNamed: false)
        return file?.completing(inherited) ?? inherited
      }
      guard let file = try EnvironmentFile.read(named, isNamed: true) else {
        throw ConfigurationError(file: named, "No such file or directory")
      }
      return file.completing(inherited)
    } catch {
      throw .file("\(error)")
    }
  }

  private static func requireTerminal() throws(CommandError) {
    guard StandardStreams.inputIsTerminal, StandardStreams.outputIsTerminal else {
      throw CommandError(
        exitCode: .usageError,
        message: "the explorer needs a terminal; 'apus query' runs an operation without one")
    }
  }

  private static func explore(_ arguments: ParsedArguments, onDemo: Bool) throws(CommandError) -> ExitCode {
    try requireTerminal()
    guard onDemo else { return try ExploreCommand(arguments).run() }
    let demo = Mutex<DemoServer?>(nil)
    let scale = try arguments.number("delay-scale", in: 1e-6...1e6) ?? 1
    _ = try AsyncRunner.toEnd { () throws(CommandError) in
      let server = try await DemoServer.start(delayScale: scale)
      demo.withLock { $0 = server }
      return .success
    }
    guard let server = demo.withLock({ $0 }) else { return .interrupted }
    defer { server.stop() }
    return try ExploreCommand(arguments, demo: server).run()
  }

  private static func showHelp(_ names: [String], manual: Bool = false) throws(CommandError) -> ExitCode {
    if manual {
      StandardStreams.output(HelpText.manual(CommandTable.commands))
    } else if names.isEmpty {
      TerminalPager.show(HelpText.overview(CommandTable.commands))
    } else {
      let name = names.joined(separator: " ")
      if let command = CommandTable.command(name) {
        TerminalPager.show(HelpText.help(command) + (HelpTopic.named(name).map { "\n\($0.page)" } ?? ""))
      } else if name == "topics" {
        TerminalPager.show(HelpText.topics())
      } else if let topic = HelpTopic.named(name) {
        TerminalPager.show("\(topic.summary)\n\n\(topic.page)")
      } else {
        let existing = CommandTable.commands.map(\.name) + HelpTopic.names
        throw .usage("unknown command '\(name)'" + NameSuggestions.hint(name, existing), command: "")
      }
    }
    return .success
  }

  private static func printCompletions(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode {
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
