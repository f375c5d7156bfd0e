import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes

/// GraphQL over HTTP for recorded responses: each has its recorded status, content type, payloads and timing.
///
/// Subscriptions, and operations on WebSockets, are sent in the form that the client negotiates, because their payloads are the same
/// in each.
struct RecordedEndpoint: Sendable {
  private let api: RecordedAPI
  private let endpoint: GraphQLEndpoint
  private let persistedQueries = PersistedQueryStore()

  init(_ api: RecordedAPI, heartbeat: Duration) {
    self.api = api
    endpoint = GraphQLEndpoint(
      execution: SubscriptionEndpoint.Execution(
        respond: { await api.respond(to: $0) }, subscribe: { api.subscribe(to: $0) }),
      heartbeat: heartbeat, breaks: [])
  }

  func answer(_ request: ServerRequest) async -> ServerResponse {
    // The endpoint reports a request that is not valid.
    guard request.header("Upgrade") == nil, let parameters = try? GraphQLParameters(request, persistedQueries) else {
      return await endpoint.answer(request)
    }
    let execution = ExecutionRequest(
      Document(parsing: parameters.query), operationName: parameters.operationName, variables: parameters.variables)
    guard !execution.isSubscription, let answer = try? api.answer(to: execution) else {
      return await endpoint.answer(request)
    }
    return await response(answer)
  }

  private func response(_ answer: RecordedAnswer) async -> ServerResponse {
    let type = answer.mediaType
    let name = answer.contentType.isEmpty ? GraphQLMediaType.json : answer.contentType
    let headers = [(name: "Cache-Control", value: "no-store")]
    if type.isMultipart {
      let boundary = "--\(type.boundary)"
      let head = "\r\nContent-Type: application/json; charset=utf-8\r\n\r\n"
      return ServerResponse(
        answer.status, name,
        .stream(
          stream(answer, opening: "\r\n\(boundary)", before: head, after: "\r\n\(boundary)", ending: "--\r\n")),
        headers: headers)
    }
    if type.isEventStream {
      return ServerResponse(
        answer.status, name,
        .stream(
          stream(
            answer, opening: ":\n\n", before: "event: next\ndata: ", after: "\n\n", ending: "event: complete\ndata:\n\n"
          )),
        headers: headers)
    }
    let part = answer.parts.first
    try? await Task.sleep(for: (part?.elapsed ?? .zero) * api.delayScale)
    guard let part else {
      return ServerResponse(502, "text/plain", .bytes(Array("The recording has no response.\n".utf8)))
    }
    return ServerResponse(answer.status, name, .bytes(part.body))
  }

  /// Returns the bytes of a response with parts. A response that broke off has no end.
  private func stream(
    _ answer: RecordedAnswer, opening: String, before: String, after: String, ending: String
  ) -> AsyncStream<[UInt8]> {
    var pieces: [(elapsed: Duration, element: [UInt8])] = [(.zero, Array(opening.utf8))]
    for part in answer.parts {
      pieces.append((part.elapsed, Array(before.utf8) + part.body + Array(after.utf8)))
    }
    if answer.isComplete { pieces.append((answer.parts.last?.elapsed ?? .zero, Array(ending.utf8))) }
    return api.stream(pieces)
  }
}
