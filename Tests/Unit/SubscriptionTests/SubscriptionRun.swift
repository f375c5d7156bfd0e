import ApusClientAPI
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusClientSubscriptions
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport

/// A subscription that was read to its end, as lines: states, data and errors in order.
struct SubscriptionRun {
  var results: [GraphQLResult<JSONValue>] = []
  var states: [SubscriptionState] = []
  var error: (any Error)?
  var facts = RequestMonitor.Snapshot()

  var data: [String] { results.map { $0.data.map { "\($0)" } ?? "no data" } }
  var exitCode: Int32? { error.map { GraphQLClientError.exitCode(for: $0) } }

  /// Reads until the end or until `limit` results have arrived.
  static func read(
    _ client: GraphQLClient, _ text: String, _ variables: JSONValue = .object([]), limit: Int = .max
  ) async throws -> SubscriptionRun {
    var run = SubscriptionRun()
    let monitor = RequestMonitor()
    let states = monitor.subscriptionStates
    let noted = Task { await states.reduce(into: []) { $0.append($1) } }
    var options = RequestOptions()
    options.monitor = monitor
    do {
      for try await result in client.subscribe(subscription: try operation(text, variables), options: options) {
        run.results.append(result)
        if run.results.count == limit { break }
      }
    } catch {
      run.error = error
    }
    run.states = await noted.joined
    run.facts = monitor.facts
    return run
  }
}

func operation(_ text: String, _ variables: JSONValue = .object([])) throws -> DynamicOperation {
  DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: text)), variables: variables)
}

func client(
  _ url: String, _ transport: SubscriptionOptions.Transport = .automatic, headers: HTTPHeaders = [:],
  _ change: (inout SubscriptionOptions) -> Void = { _ in }
) -> GraphQLClient {
  var options = SubscriptionOptions()
  options.transport = transport
  options.reconnection.firstDelay = .milliseconds(1)
  change(&options)
  return GraphQLClient(url: url, headers: headers, subscriptions: options)
}
