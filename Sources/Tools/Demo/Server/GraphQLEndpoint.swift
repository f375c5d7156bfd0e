import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusJSON
import ApusWebSocket

/// GraphQL over HTTP for an executor: content negotiation, status codes, and streamed multipart responses.
struct GraphQLEndpoint: Sendable {
  let execution: SubscriptionEndpoint.Execution
  /// The interval at which a waiting stream sends `{}`, to keep proxies from closing it and to detect disconnected
  /// clients.
  let heartbeat: Duration
  let breaks: [ServerBreak]
  private let persistedQueries = PersistedQueryStore()
  private let singleConnections: SingleConnections

  init(execution: SubscriptionEndpoint.Execution, heartbeat: Duration, breaks: [ServerBreak]) {
    self.execution = execution
    self.heartbeat = heartbeat
    self.breaks = breaks
    singleConnections = SingleConnections(execution: execution, heartbeat: heartbeat)
  }

  func answer(_ request: ServerRequest) async -> ServerResponse {
    if request.header("Upgrade")?.lowercased() == "websocket" { return upgrade(request) }
    if SingleConnections.isMeant(request) {
      return singleConnections.answer(request) { () throws(GraphQLParameters.FormatError) in
        try GraphQLParameters(request, persistedQueries)
      }
    }
    guard let negotiation = ContentNegotiation(accept: request.header("Accept")) else {
      return refusal(
        406, "Accept application/json, application/graphql-response+json or multipart/mixed.",
        type: GraphQLMediaType.json)
    }
    let parameters: GraphQLParameters
    do throws(GraphQLParameters.FormatError) {
      parameters = try GraphQLParameters(request, persistedQueries)
    } catch {
      return refusal(error.status, error.message, code: error.code)
    }
    let document = Document(parsing: parameters.query)
    if request.method != "POST", isMutation(document, parameters.operationName) {
      return refusal(405, "A mutation must be sent with POST.")
    }
    let execution = ExecutionRequest(
      document, operationName: parameters.operationName, variables: parameters.variables,
      incremental: negotiation.incremental, onError: parameters.onError, context: parameters.files)
    if execution.isSubscription, let form = negotiation.subscription {
      return await subscribe(execution, form, negotiation)
    }
    switch await self.execution.respond(execution) {
    case .refused(let errors): return refusal(errors, of: document, negotiation)
    case .single(let response): return complete(response, negotiation, status: Self.status(of: response))
    case .incremental(let initial, let payloads):
      let format = negotiation.incremental ?? .defer20220824
      // Everything arrived with the initial result.
      if initial["hasNext"]?.bool == false {
        return ServerResponse(
          200, MultipartWriter.contentType(format), .bytes(MultipartWriter.only(JSONWriter.compactBytes(initial))))
      }
      return ServerResponse(
        200, MultipartWriter.contentType(format),
        .stream(MultipartWriter.stream(initial, then: payloads, heartbeat: heartbeat)),
        headers: [("Cache-Control", "no-store")])
    }
  }

  private func subscribe(
    _ request: ExecutionRequest, _ form: SubscriptionStream, _ negotiation: ContentNegotiation
  ) async -> ServerResponse {
    switch await execution.subscribe(request) {
    case .refused(let errors): return refusal(errors, of: request.document, negotiation)
    case .failed(let response): return complete(response, negotiation, status: Self.status(of: response))
    case .events(let events):
      return ServerResponse(
        200, form.contentType, .stream(form.chunks(of: events, heartbeat: heartbeat)),
        headers: [("Cache-Control", "no-store")])
    }
  }

  private func upgrade(_ request: ServerRequest) -> ServerResponse {
    guard request.method == "GET", let key = request.header("Sec-WebSocket-Key"),
      request.header("Sec-WebSocket-Version") == WebSocketHandshake.version
    else { return refusal(400, "This is not an upgrade to a WebSocket of version \(WebSocketHandshake.version).") }
    guard let dialect = ServerSubprotocol(offered: request.header("Sec-WebSocket-Protocol") ?? "") else {
      return refusal(400, "Offer the subprotocol graphql-transport-ws or graphql-ws.")
    }
    let (execution, heartbeat, persistedQueries, breaks) = (execution, heartbeat, persistedQueries, breaks)
    return ServerResponse(
      101,
      .upgrade { socket, first in
        SubscriptionEndpoint(
          dialect, socket: socket, execution: execution, heartbeat: heartbeat, persistedQueries: persistedQueries,
          breaks: breaks
        ).run(first: first)
      },
      headers: [
        ("Upgrade", "websocket"), ("Sec-WebSocket-Accept", WebSocketHandshake.answer(to: key)),
        ("Sec-WebSocket-Protocol", dialect.rawValue),
      ])
  }

  private func isMutation(_ document: Document, _ name: String?) -> Bool {
    let operation = document.operations.first { name == nil || $0.name?.value == name }
    return operation?.operation == .mutation
  }

  // MARK: Status codes (GraphQL over HTTP, draft of 2026, section "Status Codes")

  /// Returns the response for a request that was not executed: its document cannot be parsed, or it is invalid.
  private func refusal(
    _ errors: RequestError, of document: Document, _ negotiation: ContentNegotiation
  ) -> ServerResponse {
    complete(errors.response, negotiation, status: document.diagnostics.isEmpty ? 422 : 400)
  }

  /// Returns the status of an executed operation; 294 for a partial success.
  private static func status(of response: JSONValue) -> Int {
    guard response["errors"] != nil else { return 200 }
    return response["data"] == nil ? 422 : 294
  }

  private func complete(_ response: JSONValue, _ negotiation: ContentNegotiation, status: Int) -> ServerResponse {
    let bytes: [UInt8] = JSONWriter.compactBytes(response)
    if let accepted = negotiation.json {
      // The older type is for successful responses only (section "Body"): it does not say that an error is from
      // GraphQL.
      let type = (200..<300).contains(status) ? accepted : GraphQLMediaType.response
      return ServerResponse(status, "\(type); charset=utf-8", .bytes(bytes))
    }
    if negotiation.incremental == nil, let stream = negotiation.subscription {
      return ServerResponse(
        200, stream.contentType, .bytes(stream.only(response)), headers: [("Cache-Control", "no-store")])
    }
    let format = negotiation.incremental ?? .defer20220824
    return ServerResponse(status, MultipartWriter.contentType(format), .bytes(MultipartWriter.only(bytes)))
  }

  private func refusal(
    _ status: Int, _ message: String, code: String? = nil, type: String = GraphQLMediaType.response
  ) -> ServerResponse {
    let extensions = code.map { JSONValue.object([("code", JSONValue($0))]) }
    let response = RequestError(errors: [ExecutionError(message, extensions: extensions)]).response
    let headers = status == 405 ? [(name: "Allow", value: "GET, POST")] : []
    return ServerResponse(status, "\(type); charset=utf-8", .bytes(JSONWriter.compactBytes(response)), headers: headers)
  }
}

/// Writes payloads as parts of a `multipart/mixed` body, each with a `Content-Type` header and the boundary `-`. Each
/// part includes the following delimiter, so that clients can process it before the next part arrives.
enum MultipartWriter {
  static func contentType(_ format: IncrementalFormat) -> String {
    "multipart/mixed; boundary=\"-\"; \(format.specification)"
  }

  static func only(_ json: [UInt8]) -> [UInt8] {
    Array("\r\n---\r\n".utf8) + part(json, isLast: true)
  }

  static func stream(
    _ initial: JSONValue, then payloads: AsyncStream<JSONValue>, heartbeat: Duration
  ) -> AsyncStream<[UInt8]> {
    let (chunks, output) = AsyncStream.makeStream(of: [UInt8].self)
    let task = Task {
      output.yield(Array("\r\n---\r\n".utf8) + part(JSONWriter.compactBytes(initial), isLast: false))
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          while (try? await Task.sleep(for: heartbeat)) != nil { output.yield(part(Array("{}".utf8), isLast: false)) }
        }
        for await payload in payloads {
          let isLast = payload["hasNext"]?.bool == false
          output.yield(part(JSONWriter.compactBytes(payload), isLast: isLast))
          if isLast { break }
        }
        group.cancelAll()
      }
      output.finish()
    }
    output.onTermination = { _ in task.cancel() }
    return chunks
  }

  private static func part(_ json: [UInt8], isLast: Bool) -> [UInt8] {
    var bytes = Array("Content-Type: application/json; charset=utf-8\r\n\r\n".utf8)
    bytes.reserveCapacity(bytes.count + json.count + 8)
    bytes += json
    bytes += Array((isLast ? "\r\n-----\r\n" : "\r\n---\r\n").utf8)
    return bytes
  }
}
