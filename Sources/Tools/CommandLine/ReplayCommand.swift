import ApusClientAPI
import ApusClientFormats
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusJSON

/// `apus replay`: runs recorded responses through the request chain again, with their timing.
struct ReplayCommand: Sendable {
  private let runs: [RecordedRequest]
  private let file: String
  private let printer: ResultPrinter
  private let speed: Double

  init(_ arguments: ParsedArguments) throws(CommandError) {
    file = arguments.operands[0]
    runs = try Self.runs(of: file)
    printer = ResultPrinter(format: arguments.choice("output", default: ResultFormat.ndjson))
    speed = try Self.speed(arguments)
  }

  static func runs(of file: String) throws(CommandError) -> [RecordedRequest] {
    let bytes = try LocalFile.read(file)
    do throws(Recording.FormatError) {
      return try Recording(parsing: bytes).runs
    } catch {
      throw .file("\(file) is not a recording: \(error)")
    }
  }

  /// Returns the factor by which the replay is faster than the recording; 0 disables delays.
  static func speed(_ arguments: ParsedArguments) throws(CommandError) -> Double {
    try arguments.number("speed", in: 0.001...1e9) ?? 1
  }

  /// Replays each run in order. The first failure determines the exit code.
  func run() async throws(CommandError) -> ExitCode {
    let begin = ContinuousClock.now
    var code = ExitCode.success
    var failure: CommandError?
    for run in runs {
      if speed > 0 {
        let due = begin + (run.start - (runs.first?.start ?? .zero)) / speed
        // Wait until the run's start time. If this is interrupted, the next run reports it.
        try? await Task.sleep(until: due, clock: .continuous)
      }
      do throws(CommandError) {
        let ended = try await replay(run)
        if code == .success { code = ended }
      } catch {
        if error.exitCode == .interrupted { throw error }
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return code
  }

  private func replay(_ run: RecordedRequest) async throws(CommandError) -> ExitCode {
    let operation = try Self.operation(of: run, file: file)
    var printing = printer.printing(of: operation.compiled.operationType)
    do {
      for try await result in run.results(of: operation, named: file, speed: speed) {
        guard await printing.receive(result) else { return .success }
      }
      try Task.checkCancellation()
    } catch is CancellationError {
      throw .interrupted
    } catch let error as RecordedRequest.RecordedError {
      await printing.finish()
      throw CommandError(
        exitCode: ExitCode(rawValue: Int32(error.exitCode)) ?? .networkError, message: error.description)
    } catch {
      await printing.finish()
      let code = ExitCode(rawValue: GraphQLClientError.exitCode(for: error)) ?? .protocolError
      throw CommandError(exitCode: code, message: "\(error)")
    }
    await printing.finish()
    return printing.hasErrors ? .resultErrors : .success
  }

  private static func operation(of run: RecordedRequest, file: String) throws(CommandError) -> DynamicOperation {
    do throws(CompileError) {
      let document = Document(parsing: run.draft.query.parsable, name: file)
      let compiled = try CompiledOperation.compile(document, operationName: run.draft.operationName)
      return DynamicOperation(compiled: compiled, variables: run.variables)
    } catch {
      throw .file("\(file): \(error)")
    }
  }
}
