import ApusClientNetwork
import ApusDemo
import ApusFilters
import ApusGraphQLValidation
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The `apus` program: finds the command, runs it, and ends with its exit code.
@main
struct ApusCommand {
  static func main() {
    // A reader that left and a file that may not grow are told by the call that fails.
    for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
    StandardStreams.claim()
    if CommandLine.arguments.dropFirst().first == FilterWorker.argument {
      FilterWorker.run(limits: Array(CommandLine.arguments.dropFirst(2)))
    }
    let code = SystemLimit.tooLow?.refuse() ?? run(Array(CommandLine.arguments.dropFirst()))
    // Not `exit`: it runs the cleanup of the C libraries while threads of ours may still be leaving them. Nothing here
    // needs it: what is printed is written at once, and files stand a kill at any moment.
    _exit(code.rawValue)
  }

  private static func run(_ words: [String]) -> ExitCode {
    do throws(CommandFailure) {
      let code = try dispatch(words)
      try StandardStreams.checkOutput()
      return code
    } catch {
      // What a server or a file says may be in the message: it stays one line and moves no cursor.
      StandardStreams.narrate("apus: \(PlainText.line(error.message, limit: 2000))")
      return error.exitCode
    }
  }

  private static func dispatch(_ words: [String]) throws(CommandFailure) -> ExitCode {
    if words.first == "--version" {
      StandardStreams.output(HelpText.version + "\n")
      return .success
    }
    if words.first == "--help" || words.first == "-h" { return try showHelp([]) }
    let named = words.first.flatMap(CommandTable.command)
    let command = named.flatMap { $0.name == "explore" ? nil : $0 } ?? CommandTable.explore
    let rest = command.name == "explore" ? words : Array(words.dropFirst())
    if command.name != "help", rest.contains("--help") || rest.contains("-h") { return try showHelp([command.name]) }
    let arguments = try EndpointWord.complete(ArgumentParser.parse(rest, as: command))
    switch command.name {
    case "help": return try showHelp(arguments.operands, manual: arguments.has("manual"))
    case "completions": return try printCompletions(arguments)
    case "query":
      let query = try QueryCommand(arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await query.run() }
    case "replay" where arguments.has("explore"):
      try requireTerminal()
      return try ExploreCommand(replaying: arguments).run()
    case "replay":
      let replay = try ReplayCommand(arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await replay.run() }
    case "serve":
      let serve = try ServeCommand(arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await serve.run() }
    case "schema":
      let schema = SchemaCommand(arguments: arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await schema.run() }
    case "generate":
      let generate = GenerateCommand(arguments: arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await generate.run() }
    case "validate":
      let validate = ValidateCommand(arguments: arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await validate.run() }
    case "format": return try FormatCommand(arguments: arguments).run()
    case "complete", "hover":
      let language = LanguageCommand(arguments: arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await language.run() }
    case "cache":
      let cache = try CacheCommand(arguments)
      return try Running.toEnd { () throws(CommandFailure) in try await cache.run() }
    case "themes": return ThemesCommand.run()
    case "trust": return try TrustCommand(arguments).run()
    case "doctor": return DoctorCommand().run()
    case "demo": return try explore(arguments, onDemo: true)
    default: return try explore(arguments, onDemo: false)
    }
  }

  private static func requireTerminal() throws(CommandFailure) {
    guard StandardStreams.inputIsTerminal, StandardStreams.outputIsTerminal else {
      throw CommandFailure(
        exitCode: .wrongUsage,
        message: "the explorer needs a terminal; 'apus query' runs an operation without one")
    }
  }

  private static func explore(_ arguments: ParsedArguments, onDemo: Bool) throws(CommandFailure) -> ExitCode {
    try requireTerminal()
    guard onDemo else { return try ExploreCommand(arguments).run() }
    let demo = Mutex<DemoServer?>(nil)
    let scale = try arguments.number("delay-scale", in: 1e-6...1e6) ?? 1
    _ = try Running.toEnd { () throws(CommandFailure) in
      let server = try await DemoServer.start(delayScale: scale)
      demo.withLock { $0 = server }
      return .success
    }
    guard let server = demo.withLock({ $0 }) else { return .interrupted }
    defer { server.stop() }
    return try ExploreCommand(arguments, demo: server).run()
  }

  private static func showHelp(_ names: [String], manual: Bool = false) throws(CommandFailure) -> ExitCode {
    if manual {
      StandardStreams.output(HelpText.manual(CommandTable.commands))
    } else if let name = names.first {
      guard let command = CommandTable.command(name) else {
        throw .usage(
          "there is no command '\(name)'" + Suggestions.hint(name, CommandTable.commands.map(\.name)), command: "")
      }
      StandardStreams.output(HelpText.help(command))
    } else {
      StandardStreams.output(HelpText.overview(CommandTable.commands))
    }
    return .success
  }

  private static func printCompletions(_ arguments: ParsedArguments) throws(CommandFailure) -> ExitCode {
    let shell = arguments.operands.first ?? ""
    if let list = NameList(rawValue: shell) {
      for name in try ShellCompletions.names(of: list) { StandardStreams.output(name + "\n") }
      return .success
    }
    guard let script = ShellCompletions.script(for: shell, commands: CommandTable.commands) else {
      throw .usage("completions exist for \(ShellCompletions.shells.joined(separator: ", "))", command: "completions")
    }
    StandardStreams.output(script)
    return .success
  }
}
