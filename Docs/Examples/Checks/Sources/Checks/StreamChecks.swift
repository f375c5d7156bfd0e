import PeopleAPI
import ScriptedServers

/// Checks that streams of results can be read off the main actor, for each kind of operation, and end with the server or
/// the reader.
func checkStreams(_ report: Report) async throws {
  let scripted = try Scripted([People.inParts()])
  let client = scripted.client
  let shown = Shown()
  let task = Task.detached {
    let request = client.fetch(query: PersonQuery(id: "1"))
    for try await response in request {
      await MainActor.run { shown.names.append(response.data?.person?.name ?? "nobody") }
    }
  }
  try await task.value
  report.check("results are read beside the main actor and shown on it", await shown.names, is: ["Ada", "Ada"])

  // All four kinds of requests return a stream of results.
  let fetched: GraphQLClient.Results<PersonQuery.Data> = client.fetch(
    query: PersonQuery(id: "1"), cachePolicy: .cacheOnly, context: nil)
  let watched: GraphQLClient.Results<PersonQuery.Data> = client.watch(query: PersonQuery(id: "1"))
  let performing = try Scripted([.json(#"{"data":{"rename":{"__typename":"User","id":"1","name":"Eve"}}}"#)])
  let performed: GraphQLClient.Results<RenameMutation.Data> = performing.client.perform(
    mutation: RenameMutation(id: "1", name: "Eve"))
  let events = try ScriptedServer([
    .response(
      headers: [("Content-Type", "text/event-stream")],
      [.text("event: next\ndata: {\"data\":{\"renamed\":null}}\n\nevent: complete\ndata:\n\n")])
  ])
  let subscribed: GraphQLClient.Results<RenamedSubscription.Data> = eventClient(events.url).subscribe(
    subscription: RenamedSubscription())
  report.check("a fetch is a stream", await all(fetched).results.count, is: 1)
  report.check("a mutation is a stream", await all(performed).results.first?.data?.rename?.name, is: "Eve")
  report.check(
    "and a subscription is a stream, which ends when the server completes it", await all(subscribed).results.count,
    is: 1)
  for try await result in watched {
    report.check("and a watch is a stream, which ends without a reader", result.data?.person?.name, is: "Ada")
    break
  }
  events.stop()
}

/// Returns a client with subscriptions over event streams.
func eventClient(_ url: String) -> GraphQLClient {
  var options = SubscriptionOptions()
  options.transport = .serverSentEvents
  options.reconnection.maximumAttempts = 0
  return GraphQLClient(url: url, subscriptions: options)
}

@MainActor private final class Shown {
  var names: [String] = []
}
