import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusClientSubscriptions
import ApusGraphQLMediaTypes
import ApusJSON

/// The address of requests, with the members that requests of a kind have in common prepared once.
struct Endpoint: Sendable {
  let http: HTTPRequest
  /// A query or a mutation that leaves it to the server how deferred parts come.
  private let usual: HTTPRequest

  init(_ http: HTTPRequest) {
    self.http = http
    usual = Self.prepared(http, accept: Self.accept(.query, .automatic))
  }

  /// Returns the HTTP request that carries an operation as GraphQL over HTTP requires: POST, JSON, the agreed media types.
  func request(for operation: CompiledOperation, _ variables: JSONValue, _ options: RequestOptions) -> HTTPRequest {
    var http = request(operation.operationType, options.incremental)
    if let timeouts = options.timeouts { http.timeouts = timeouts }
    http.isRepeatable = operation.operationType != .mutation
    for name in Set(options.headers.fields.map(\.name)) { http.headers[name] = nil }
    for field in options.headers.fields { http.headers.add(name: field.name, value: field.value) }
    let members = RequestMembers(operation, variables, options)
    guard options.files.isEmpty else {
      let form = UploadForm(members: members.members, variables: variables, files: options.files)
      http.upload = form.upload
      http.headers["Content-Type"] = form.contentType
      http.addPreflightHeaders()
      return http
    }
    http.body = members.body
    return http
  }

  /// A request of a kind, without the operation.
  private func request(_ type: CompiledOperation.OperationType, _ incremental: IncrementalDelivery) -> HTTPRequest {
    if type != .subscription, incremental == .automatic { return usual }
    return Self.prepared(http, accept: Self.accept(type, incremental))
  }

  private static func prepared(_ endpoint: HTTPRequest, accept: String) -> HTTPRequest {
    var http = endpoint
    http.method = "POST"
    if http.headers["Content-Type"] == nil { http.headers["Content-Type"] = "application/json" }
    if http.headers["Accept"] == nil { http.headers["Accept"] = accept }
    return http
  }

  private static func accept(_ type: CompiledOperation.OperationType, _ incremental: IncrementalDelivery) -> String {
    if type == .subscription { return accept(ofSubscriptionsOver: .automatic) }
    return (incremental.formats.map(\.mediaType) + [GraphQLMediaType.single]).joined(separator: ", ")
  }

  /// The `Accept` field of a subscription over HTTP.
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

extension HTTPRequest {
  /// Adds the header fields that servers with protection against cross-site request forgery require of requests that a form or
  /// an image of another site can send: a GET, and a multipart form. A field that is set already keeps its value.
  mutating func addPreflightHeaders() {
    for (name, value) in [("Apollo-Require-Preflight", "true"), ("GraphQL-Preflight", "1")] where headers[name] == nil {
      headers[name] = value
    }
  }
}
