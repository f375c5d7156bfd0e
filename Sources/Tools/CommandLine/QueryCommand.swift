import ClientAPI
import ClientCore
import ClientFormats
import ClientNetwork
import ClientOperation
import ClientRequestChain
import ExplorerTerminal
import GraphQLLanguage
import JSON

/// `apus query`: runs one operation and prints its results.
struct QueryCommand: Sendable {
  private let client: GraphQLClient
  private let operation: DynamicOperation
  private let options: RequestOptions
  private let format: ResultFormat
  private let maximumResults: Int?

  init(_ arguments: ParsedArguments) throws(CommandFailure) {
    let endpoint = try Endpoint.request(for: arguments.operands[0], arguments)
    client = GraphQLClient(endpoint: endpoint)
    operation = try Self.operation(arguments)
    var options = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .never)
    options.incremental = arguments.value("incremental").flatMap(IncrementalDelivery.init) ?? .automatic
    self.options = options
    format = arguments.value("output").flatMap(ResultFormat.init) ?? .json
    maximumResults = try arguments.count("max-results")
    if maximumResults == 0 { throw .usage("--max-results takes a number of one or more", command: "query") }
  }

  private static func operation(_ arguments: ParsedArguments) throws(CommandFailure) -> DynamicOperation {
    let document = try document(arguments)
    let variables = try variables(arguments)
    do throws(CompileError) {
      let compiled = try CompiledOperation.compile(
        document, operationName: arguments.value("operation"),
        options: CompileOptions(addTypename: false))
      return DynamicOperation(compiled: compiled, variables: variables)
    } catch {
      switch error {
      case .unknownOperation, .severalOperations:
        throw CommandFailure(exitCode: .wrongUsage, message: "\(error) (--operation NAME)")
      default:
        throw CommandFailure(exitCode: .resultHasErrors, message: "\(document.source.name): \(error)")
      }
    }
  }

  private static func document(_ arguments: ParsedArguments) throws(CommandFailure) -> Document {
    switch (arguments.value("query"), arguments.value("file")) {
    case (let text?, nil): return Document(parsing: text, name: "--query")
    case (nil, let file?): return Document(parsing: try LocalFile.read(file), name: file)
    case (nil, nil): throw .usage("give the document with --query TEXT or --file FILE", command: "query")
    default: throw .usage("--query and --file exclude each other", command: "query")
    }
  }

  private static func variables(_ arguments: ParsedArguments) throws(CommandFailure) -> JSONValue {
    guard let text = arguments.value("variables") else { return .object([]) }
    let file = text.hasPrefix("@") ? String(text.dropFirst()) : nil
    let bytes = try file.map { (path) throws(CommandFailure) in try LocalFile.read(path) } ?? Array(text.utf8)
    let variables: JSONValue
    do throws(JSONSyntaxError) {
      variables = try JSONDocument(parsing: bytes).root
    } catch {
      throw .usage("--variables\(file.map { " (\($0))" } ?? "") is not JSON: \(error)", command: "query")
    }
    guard variables.kind == .object else { throw .usage("--variables takes an object", command: "query") }
    return variables
  }

  /// Prints each result as it comes, or the last one at the end.
  func run() async throws(CommandFailure) -> ExitCode {
    let isStream = format == .ndjson || operation.compiled.operationType == .subscription
    var last: GraphQLResult<JSONValue>?
    var count = 0
    var failure: (any Error)?
    do {
      for try await result in client.fetch(query: operation, options: options) {
        last = result
        count += 1
        if isStream, format == .ndjson || result.response == .complete, !emit(result) { return .success }
        if count == maximumResults { break }
      }
      try Task.checkCancellation()
    } catch {
      failure = error
    }
    if !isStream, let last { emit(last) }
    if let failure { throw Self.commandFailure(failure, after: count) }
    return last?.errors.isEmpty == false ? .resultHasErrors : .success
  }

  @discardableResult
  private func emit(_ result: GraphQLResult<JSONValue>) -> Bool {
    switch format {
    case .json: return StandardStreams.output(JSONWriter.compact(result.responseObject) + "\n")
    case .ndjson: return StandardStreams.output(JSONWriter.compact(result.lineObject) + "\n")
    case .pretty: return StandardStreams.output(JSONWriter.pretty(result.responseObject) + "\n")
    case .table:
      for error in result.errors { StandardStreams.narrate("apus: \(PlainText.line("\(error)"))") }
      guard let data = result.data, let table = ResultTable(firstListIn: data) else {
        StandardStreams.narrate("apus: the result has no list of objects to show as a table")
        return true
      }
      return StandardStreams.output(table.lines { TextWidth.width(of: $0) }.joined(separator: "\n") + "\n")
    }
  }

  private static func commandFailure(_ error: any Error, after count: Int) -> CommandFailure {
    if error is CancellationError { return CommandFailure(exitCode: .interrupted, message: "interrupted") }
    let code = ExitCode(rawValue: GraphQLClientError.exitCode(for: error)) ?? .networkFailed
    let kept = count == 0 ? "" : " (what arrived before is printed)"
    return CommandFailure(exitCode: code, message: "\(error)\(kept)")
  }
}
