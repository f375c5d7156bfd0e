import ApusClientNetwork
import ApusConfiguration
import ApusFilters
import ApusPlatform

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
    if words.first == "--help" || words.first == "-h" { return try HelpCommand.show([]) }
    let (command, rest) = CommandTable.command(in: words) ?? (CommandTable.explore, words)
    if rest.contains("--help") || rest.contains("-h") { return try HelpCommand.show([command.name]) }
    var parsed = try ArgumentParser.parse(rest, as: command)
    parsed.environment = try environment(for: parsed)
    UserFile.removeLeftovers(in: UserFolders())
    let arguments = try EndpointArgument.complete(parsed)
    try NamedEndpoints.reportMistakes(for: arguments)
    return try reporting(arguments.cookieProblems) { () throws(CommandError) in try command.run(arguments) }
  }

  /// Runs a command, and reports cookies that were not saved after its other errors.
  private static func reporting(
    _ problems: CookieProblems, _ body: () throws(CommandError) -> ExitCode
  ) throws(CommandError) -> ExitCode {
    var message: String? { problems.first.map { "the cookies were not saved: \(SingleLineText.line($0))" } }
    let code: ExitCode
    do throws(CommandError) { code = try body() } catch {
      if let message { StandardStreams.narrate("apus: \(message)") }
      throw error
    }
    if let message { throw .file(message) }
    return code
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
}
