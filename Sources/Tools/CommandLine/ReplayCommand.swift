import ClientAPI
import ClientFormats
import ClientOperation
import ClientRequestChain
import GraphQLLanguage
import JSON

/// `apus replay`: a recorded response once more, through the same chain that the first one went, with its timing.
struct ReplayCommand: Sendable {
  private let recording: Recording
  private let file: String
  private let printer: ResultPrinter
  private let speed: Double

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    file = arguments.operands[0]
    let bytes = try LocalFile.read(file)
    do throws(Recording.Malformed) {
      recording = try Recording(parsing: bytes)
    } catch {
      throw .file("\(file) is no recording: \(error)")
    }
    printer = ResultPrinter(format: arguments.value("output").flatMap(ResultFormat.init) ?? .ndjson)
    speed = try arguments.number("speed", in: 0.001...1e9) ?? 1
  }

  func run() async throws(CommandFailure) -> ExitCode {
    let operation = try operation()
    var parts: [ReplayInterceptor.Part] = []
    var head = (status: 200, contentType: "")
    var ending: (error: String?, exitCode: Int) = ("the recording stops before the response ended", 3)
    for (elapsed, event) in recording.events {
      switch event {
      case .head(let status, let contentType, _): head = (status, contentType)
      case .part(let body): parts.append(.init(elapsed: elapsed, body: body))
      case .end(let error, let exitCode): ending = (error, exitCode)
      case .request, .state: break
      }
    }
    let chain = RequestChain(interceptors: [
      ReplayInterceptor(
        status: head.status, contentType: head.contentType, url: file, parts: parts,
        failure: ending.error.map(Ended.init), speed: speed),
      JSONParsingInterceptor(),
    ])
    let request = GraphQLRequest(operation: operation, http: .init(url: file))
    var printing = printer.printing(of: operation.compiled.operationType)
    do {
      for try await result in chain.kickoff(request: request) {
        guard await printing.receive(result) else { return .success }
      }
      try Task.checkCancellation()
    } catch is CancellationError {
      throw CommandFailure(exitCode: .interrupted, message: "interrupted")
    } catch let error as Ended {
      await printing.finish()
      throw CommandFailure(
        exitCode: ExitCode(rawValue: Int32(ending.exitCode)) ?? .networkFailed, message: error.reason)
    } catch {
      await printing.finish()
      let code = ExitCode(rawValue: GraphQLClientError.exitCode(for: error)) ?? .protocolBroken
      throw CommandFailure(exitCode: code, message: "\(error)")
    }
    await printing.finish()
    return printing.hasErrors ? .resultHasErrors : .success
  }

  /// What ended the response when it was recorded.
  private struct Ended: Error {
    let reason: String
  }

  private func operation() throws(CommandFailure) -> DynamicOperation {
    guard case .request(_, let name, let query, let variables)? = recording.events.first?.event else {
      throw .file("\(file) is no recording of a request")
    }
    do throws(CompileError) {
      let compiled = try CompiledOperation.compile(Document(parsing: query, name: file), operationName: name)
      return DynamicOperation(compiled: compiled, variables: variables)
    } catch {
      throw .file("\(file): \(error)")
    }
  }
}
