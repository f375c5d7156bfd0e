import ApusTesting
import PeopleAPI

/// Checks the events of a client.
func checkEvents(_ report: Report) async throws {
  let server = MockServer()
  server.respond(to: PersonQuery.self, with: .data(#"{"person":null}"#))
  server.respond(to: PersonQuery.self, with: .text("busy", status: 503))
  let listening: Task<[ClientEvent], Never>
  do {
    let client = server.client(store: CacheStore(), headers: ["X-Key": "secret"])
    let events: AsyncStream<ClientEvent> = client.events()
    listening = Task { await events.reduce(into: []) { $0.append($1) } }
    let query = PersonQuery(id: "1", short: true)
    _ = try await client.fetch(query)
    _ = try await client.fetch(query)
    _ = try? await client.fetch(query, cachePolicy: .networkOnly)
  }
  let events = await listening.value
  var reads: [ClientEvent.CacheRead] = []
  var sent: [ClientEvent.SentRequest] = []
  var statuses: [Int] = []
  var given: [ClientEvent.EmittedResult] = []
  var written: [ClientEvent.CacheWrite] = []
  var failures: [ClientEvent.Failure] = []
  for event in events {
    let kind: ClientEvent.Kind = event.kind
    switch kind {
    case .cacheRead(let read): reads.append(read)
    case .sent(let request): sent.append(request)
    case .responded(let response): statuses.append((response as ClientEvent.ResponseHead).status)
    case .emitted(let result): given.append(result)
    case .cacheWritten(let write): written.append(write)
    case .failed(let failure): failures.append(failure)
    case .began, .received, .ended, .retried, .connection, .finished, .cancelled: break
    }
  }
  let outcomes: [ClientEvent.CacheRead.Outcome] = reads.map(\.outcome)
  report.check("the cache misses, then hits", outcomes, is: [.miss, .hit])
  report.check("a request is reported without its secrets", sent.map { $0.headers["X-Key"] }, is: ["•••", "•••"])
  report.check("each response has its status", statuses, is: [200, 503])
  report.check("each result has its source", given.map(\.source), is: [.server, .cache])
  report.check("one is written", written.map { $0.changedKeyCount > 0 }, is: [true])
  report.check("one fails", failures.map(\.status), is: [503])
  report.check("all name their operation", Set(events.map(\.operationName)), is: ["Person"])
  report.check("each request has its own name", Set(events.map(\.request)).count, is: 3)
  report.check("the first begins", events.first?.elapsed, is: .zero)
}
