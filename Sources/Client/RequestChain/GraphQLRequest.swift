import ClientAPI
import ClientIncremental
import ClientNetwork
import ClientSubscriptions
import JSON

/// One operation on its way through a request chain, with the HTTP request that will carry it.
public struct GraphQLRequest<Operation: GraphQLOperation>: Sendable {
  public let operation: Operation
  public var options: RequestOptions
  /// What the network fetch will send. Interceptors before it may change it: add a header, replace the body.
  public var http: HTTPRequest
  /// From when results count their `elapsed`.
  public let start: ContinuousClock.Instant
  /// 0 at first, one more with each retry.
  public internal(set) var attempt = 0
  /// How many of the attempts were not retries of a failure: the server took nothing and asked for the same in other
  /// words, with another token or with the query's text.
  package var negotiations = 0
  /// Where the facts of this request are recorded.
  public let monitor: RequestMonitor
  /// The HTTP request as it was before any interceptor changed it: where a new attempt begins.
  package let original: HTTPRequest

  public init(operation: Operation, http: HTTPRequest, options: RequestOptions = .init()) {
    self.operation = operation
    self.http = http
    original = http
    self.options = options
    start = .now
    monitor = options.monitor ?? RequestMonitor(keepsParts: false)
  }
}

/// A response on its way through a request chain: a stream of bytes at first, then one part after the other, and
/// with each part a result.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
  /// How far the body has been taken apart.
  public enum Body: Sendable {
    /// As it comes from the network.
    case stream(HTTPResponseStream)
    /// One whole part; the only one, if the response is not multipart.
    case part(ResponsePart)
    /// Behind the last part: the response ended as it should, or by the error.
    case end((any Error)?)
  }

  public var head: HTTPHead
  public var body: Body
  /// There once JSON parsing has been passed.
  public var result: GraphQLResult<Operation.Data>?
  /// What the result was made of.
  package var merged: MergedResult?

  public init(head: HTTPHead, body: Body) {
    self.head = head
    self.body = body
  }
}

/// One part of a response: a payload as the server sent it.
public struct ResponsePart: Sendable {
  public var headers: HTTPHeaders
  public var body: [UInt8]
  public var arrival: ContinuousClock.Instant
  /// The specification that the response named for its parts, such as `deferSpec=20220824`.
  public var specification: String?
  package var isMultipart: Bool
  /// The payload, where whoever received the part had to parse it already.
  package var json: JSONValue?

  /// A part as a network fetch of your own may bring it; not multipart, it is the whole body.
  public init(
    headers: HTTPHeaders = [:], body: [UInt8], arrival: ContinuousClock.Instant = .now, specification: String? = nil,
    isMultipart: Bool = false
  ) {
    self.headers = headers
    self.body = body
    self.arrival = arrival
    self.specification = specification
    self.isMultipart = isMultipart
  }
}

extension GraphQLRequest {
  /// The HTTP request that carries an operation as GraphQL over HTTP asks for: POST, JSON, the agreed media types.
  package static func http(
    for operation: Operation, to endpoint: HTTPRequest, options: RequestOptions
  ) -> HTTPRequest {
    var http = endpoint
    http.method = "POST"
    http.timeouts = options.timeouts ?? endpoint.timeouts
    http.isRepeatable = operation.compiled.operationType != .mutation
    if http.headers["Content-Type"] == nil { http.headers["Content-Type"] = "application/json" }
    if http.headers["Accept"] == nil { http.headers["Accept"] = accept(operation, options.incremental) }
    for name in Set(options.headers.fields.map(\.name)) { http.headers[name] = nil }
    for field in options.headers.fields { http.headers.add(name: field.name, value: field.value) }
    let members = RequestMembers(operation)
    guard options.files.isEmpty else {
      let form = UploadForm(members: members.members, variables: operation.variables, files: options.files)
      http.upload = form.upload
      http.headers["Content-Type"] = form.contentType
      // Servers that guard against forms of other sites ask for a header that a form cannot send.
      if http.headers["Apollo-Require-Preflight"] == nil { http.headers["Apollo-Require-Preflight"] = "true" }
      return http
    }
    http.body = members.body
    return http
  }

  private static func accept(_ operation: Operation, _ incremental: IncrementalDelivery) -> String {
    let json = "application/graphql-response+json, application/json"
    if operation.compiled.operationType == .subscription {
      return subscriptionAccept(.automatic)
    }
    return switch incremental {
    case .automatic: "multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2, \(json)"
    case .defer20220824: "multipart/mixed;deferSpec=20220824, \(json)"
    case .incrementalV02: "multipart/mixed;incrementalSpec=v0.2, \(json)"
    case .off: json
    }
  }

  /// What a subscription over HTTP accepts.
  static func subscriptionAccept(_ transport: SubscriptionOptions.Transport) -> String {
    let json = "application/graphql-response+json, application/json"
    return switch transport {
    case .multipart: "multipart/mixed;subscriptionSpec=1.0, \(json)"
    case .serverSentEvents: "text/event-stream, \(json)"
    case .automatic, .webSocket, .legacyWebSocket: "multipart/mixed;subscriptionSpec=1.0, text/event-stream, \(json)"
    }
  }
}
