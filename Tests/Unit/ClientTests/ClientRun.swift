import ApusClientAPI
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport

/// A run of an operation, as lines: one per result, and one for the error that ended it.
struct ClientRun {
  var results: [GraphQLResult<JSONValue>] = []
  var error: (any Error)?
  var facts = RequestMonitor.Snapshot()

  /// `0 partial {"a":1} pending` for each result, then the error.
  var lines: [String] {
    results.map(ClientRun.line) + (error.map { ["\($0)"] } ?? [])
  }

  static func line(_ result: GraphQLResult<JSONValue>) -> String {
    var words = ["\(result.payloadIndex)", result.completeness.rawValue, result.data.map { "\($0)" } ?? "no data"]
    if result.source == .cache { words.insert("cached", at: 1) }
    words += result.fragments.map { $0.state.name }
    words += result.errors.map { "“\($0.message)”" }
    return words.joined(separator: " ")
  }

  var exitCode: Int32? { error.map { GraphQLClientError.exitCode(for: $0) } }
}

func operation(_ text: String, _ variables: JSONValue = .object([])) throws -> DynamicOperation {
  DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: text)), variables: variables)
}

func read(
  _ stream: GraphQLClient.Results<JSONValue>, _ monitor: RequestMonitor? = nil
) async -> ClientRun {
  var run = ClientRun()
  do {
    for try await result in stream { run.results.append(result) }
  } catch {
    run.error = error
  }
  if let monitor { run.facts = monitor.facts }
  return run
}

/// Runs an operation against a server with scripted responses.
func run(
  _ text: String = "{ a }", _ answers: [ScriptedAnswer], _ change: (inout RequestOptions) -> Void = { _ in }
) async throws -> ClientRun {
  try await serve(text, answers, change).run
}

/// Runs an operation against a server with scripted responses. Also returns the received requests.
func serve(
  _ text: String = "{ a }", _ answers: [ScriptedAnswer], _ change: (inout RequestOptions) -> Void = { _ in }
) async throws -> (run: ClientRun, requests: [ScriptedServer.Request]) {
  let server = try ScriptedServer(answers)
  var options = RequestOptions()
  let monitor = RequestMonitor()
  options.monitor = monitor
  change(&options)
  let run = await read(GraphQLClient(url: server.url).fetch(query: try operation(text), options: options), monitor)
  return (run, server.requests)
}
