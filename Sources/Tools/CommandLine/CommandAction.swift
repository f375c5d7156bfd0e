struct CommandAction: Sendable {
  private let body: @Sendable (ParsedArguments) throws(CommandError) -> ExitCode

  func callAsFunction(_ arguments: ParsedArguments) throws(CommandError) -> ExitCode { try body(arguments) }

  /// An action on the main thread, such as one that opens the explorer.
  static func synchronous(
    _ run: @escaping @Sendable (ParsedArguments) throws(CommandError) -> ExitCode
  ) -> CommandAction {
    CommandAction(body: run)
  }

  /// An action that a signal cancels. The main thread waits for its end.
  static func cancelable(
    _ run: @escaping @Sendable (ParsedArguments) async throws(CommandError) -> ExitCode
  ) -> CommandAction {
    synchronous { (arguments) throws(CommandError) in
      try AsyncRunner.toEnd { () throws(CommandError) in try await run(arguments) }
    }
  }
}
