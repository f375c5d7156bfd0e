import Demo

/// `apus serve`: the demo API alone, until it is interrupted.
struct ServeCommand: Sendable {
  private let port: Int
  private let delayScale: Double

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    port = try arguments.count("port") ?? 0
    delayScale = try arguments.number("delay-scale") ?? 1
    guard port < 65_536 else { throw .usage("--port is at most 65535", command: "serve") }
  }

  func run() async throws(CommandFailure) -> ExitCode {
    let server = try await DemoServer.start(port: port, delayScale: delayScale)
    StandardStreams.output(server.url + "\n")
    StandardStreams.narrate("The demo API is at \(server.url); Ctrl-C ends it.")
    // Sleeps until the task is cancelled: Ctrl-C is how this command ends in good order.
    while (try? await Task.sleep(for: .seconds(86_400))) != nil {}
    server.stop()
    return .success
  }
}

extension DemoServer {
  /// Starts the demo API; that its port is taken is told as a command's failure.
  static func start(port: Int = 0, delayScale: Double) async throws(CommandFailure) -> DemoServer {
    do {
      return try await DemoServer(port: port, delayScale: delayScale)
    } catch {
      throw CommandFailure(exitCode: .networkFailed, message: "\(error)")
    }
  }
}
