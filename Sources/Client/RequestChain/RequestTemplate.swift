import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusClientSubscriptions
import ApusGraphQLMediaTypes
import ApusJSON

/// The URL and common options of requests, with the parts that are equal for all requests prepared once.
struct RequestTemplate: Sendable {
  let http: HTTPRequest
  /// The prepared request of queries and mutations that accept either incremental format.
  private let usual: HTTPRequest

  init(_ http: HTTPRequest) {
    self.http = http
    usual = Self.prepared(http, accept: Self.accept(.query, .automatic))
  }

  /// Returns the HTTP request for an operation by GraphQL over HTTP: POST, JSON, and the accepted media types.
  func request(for operation: CompiledOperation, _ variables: JSONValue, _ options: RequestOptions) -> HTTPRequest {
    var http = request(operation.operationType, options.incremental)
    if let timeouts = options.timeouts { http.timeouts = timeouts }
    http.isRepeatable = operation.operationType != .mutation
    for name in Set(options.headers.fields.map(\.name)) { http.headers[name] = nil }
    for field in options.headers.fields { http.headers.add(name: field.name, value: field.value) }
    let members = RequestParameters(operation, variables, options)
    guard options.files.isEmpty else {
      let form = MultipartRequestBody(members: members.members, variables: variables, files: options.files)
      http.upload = form.upload
      http.headers["Content-Type"] = form.contentType
      http.ownHeaders["Content-Type"] = form.contentType
      http.addPreflightHeaders()
      return http
    }
    http.body = members.body
    return http
  }

  /// Returns the request for an operation type, without the operation.
  private func request(_ type: CompiledOperation.OperationType, _ incremental: IncrementalDelivery) -> HTTPRequest {
    if type != .subscription, incremental == .automatic { return usual }
    return Self.prepared(http, accept: Self.accept(type, incremental))
  }

  private static func prepared(_ endpoint: HTTPRequest, accept: String) -> HTTPRequest {
    var http = endpoint
    http.method = "POST"
    http.setOwnHeader("Content-Type", "application/json")
    http.setOwnHeader("Accept", accept)
    return http
  }

  fileprivate static func accept(_ type: CompiledOperation.OperationType, _ incremental: IncrementalDelivery) -> String
  {
    if type == .subscription { return accept(ofSubscriptionsOver: .automatic) }
    return (incremental.formats.map(\.mediaType) + [GraphQLMediaType.single]).joined(separator: ", ")
  }

  /// Returns the `Accept` field of a subscription over HTTP.
  static func accept(ofSubscriptionsOver transport: SubscriptionOptions.Transport) -> String {
    let parts = "\(GraphQLMediaType.multipart);\(GraphQLMediaType.subscriptionSpecification)"
    let types =
      switch transport {
      case .multipart: [parts]
      case .serverSentEvents: [GraphQLMediaType.eventStream]
      case .automatic, .webSocket, .legacyWebSocket: [parts, GraphQLMediaType.eventStream]
      }
    return (types + [GraphQLMediaType.single]).joined(separator: ", ")
  }
}

extension CompiledOperation.OperationType {
  /// The `Accept` field of a request whose deferred parts may come in any format.
  package var acceptedTypes: String { RequestTemplate.accept(self, .automatic) }
}

extension HTTPRequest {
  /// Adds the header fields that servers with CSRF protection require of requests that a form or an image on another
  /// site could send: a GET, and a multipart form. Existing fields keep their values. A redirect to another origin gets
  /// none of them: they state that this origin was chosen on purpose.
  mutating func addPreflightHeaders() {
    for (name, value) in Self.preflightHeaders where headers[name] == nil { headers[name] = value }
  }

  package static var preflightHeaders: [(name: String, value: String)] {
    [("Apollo-Require-Preflight", "true"), ("GraphQL-Preflight", "1")]
  }
}
