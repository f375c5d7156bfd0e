import ApusDemo
import Synchronization

// The commands that open the explorer.
extension ExploreCommand {
  static func open(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode {
    try requireTerminal()
    return try ExploreCommand(arguments).run()
  }

  static func replay(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode {
    try requireTerminal()
    return try ExploreCommand(replaying: arguments).run()
  }

  static func demo(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode {
    try requireTerminal()
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

  private static func requireTerminal() throws(CommandError) {
    guard StandardStreams.inputIsTerminal, StandardStreams.outputIsTerminal else {
      throw CommandError(
        exitCode: .usageError,
        message: "the explorer needs a terminal; 'apus query' runs an operation without one")
    }
  }
}
