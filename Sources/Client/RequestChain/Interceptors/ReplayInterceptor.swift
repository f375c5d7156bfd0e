import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// Replaces the network fetch: emits the parts of a recorded response at their recorded times.
package struct ReplayInterceptor: RequestChainInterceptor {
  package struct Part: Sendable {
    /// The time from the start of the request.
    package var elapsed: Duration
    package var body: [UInt8]

    package init(elapsed: Duration, body: [UInt8]) {
      self.elapsed = elapsed
      self.body = body
    }
  }

  private let head: HTTPHead
  private let parts: [Part]
  private let failure: (any Error)?
  private let speed: Double

  /// Creates an interceptor. `speed` is a factor; with 0 there are no delays. `failure` is the error that ended the
  /// response.
  package init(
    status: Int, contentType: String, url: String, parts: [Part], failure: (any Error)? = nil, speed: Double = 1
  ) {
    head = HTTPHead(status: status, headers: ["Content-Type": contentType], url: url)
    self.parts = parts
    self.failure = failure
    self.speed = speed
  }

  package func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let type = MediaType(parsing: head.headers["Content-Type"] ?? "")
    return .multiProceed(
      .handed { actions in
        func emit(_ body: GraphQLResponseBody) async throws {
          try await actions.send(.proceed(request: request, response: GraphQLResponse(head: head, body: body)))
        }
        for part in parts {
          // Each part arrives at its recorded time.
          if speed > 0 { try await Task.sleep(until: request.start + part.elapsed / speed, clock: .continuous) }
          try await emit(
            .part(
              ResponsePart(
                headers: [:], body: part.body, arrival: request.start + part.elapsed,
                specification: type.specification, isMultipart: type.isMultipart)))
        }
        try await emit(.end(failure))
      })
  }
}
