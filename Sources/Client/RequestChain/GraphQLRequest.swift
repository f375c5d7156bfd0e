import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusClientOperation
import ApusClientSubscriptions
import ApusGraphQLMediaTypes
import ApusJSON

/// One operation on its way through a request chain, with the HTTP request that will carry it.
///
/// A value; that it is one reference inside makes it cheap to hand from one interceptor to the next.
public struct GraphQLRequest<Operation: GraphQLOperation>: Sendable {
  private var members: CopyOnWrite<RequestFacts>

  /// What is asked.
  public var operation: Operation { members.value.operation.known(as: Operation.self) }
  /// The same as the chain leads it, with what each step asks of it.
  var asked: PlainOperation { members.value.operation }
  /// What the caller wants of this request.
  public var options: RequestOptions {
    get { members.value.options }
    set { members.value.options = newValue }
  }
  /// What the network fetch will send. Interceptors before it may change it: add a header, replace the body.
  public var http: HTTPRequest {
    get { members.value.http }
    set { members.value.http = newValue }
  }
  /// From when results count their `elapsed`.
  public var start: ContinuousClock.Instant { members.value.start.instant }
  package var startInstant: ClockInstant { members.value.start }
  /// 0 at first, one more with each retry.
  public internal(set) var attempt: Int {
    get { members.value.attempt }
    set { members.value.attempt = newValue }
  }
  /// How many of the attempts were not retries of a failure: the server took nothing and asked for the same in other
  /// words, with another token or with the query's text.
  package var negotiations: Int {
    get { members.value.negotiations }
    set { members.value.negotiations = newValue }
  }
  /// Whether a result of the server was given out before the error that is being dealt with.
  var hasServerResult: Bool {
    get { members.value.hasServerResult }
    set { members.value.hasServerResult = newValue }
  }
  /// Where the facts of this request are recorded.
  public var monitor: RequestMonitor { report.monitor }
  /// Where it is told what happens to the request.
  var report: RequestReport { members.value.report }
  /// What the changes that the request makes in the cache name it by.
  public var id: RequestID { members.value.id }
  /// The results that are given out before they are written.
  var lateWrites: LateWritesPlace { members.value.lateWrites }
  /// The HTTP request as it was before any interceptor changed it: where a new attempt begins.
  package var original: HTTPRequest { members.value.original }

  /// The same for another attempt: without what interceptors did to the HTTP request, as they are asked again.
  var begunAgain: Self {
    var again = self
    again.http = original
    return again
  }

  /// Sends the operation by GET, its members in the URL, in place of those that an attempt before put there; false when
  /// the URL would be too long.
  mutating func moveIntoURL(_ members: RequestMembers) -> Bool {
    let url = http.method == "GET" && http.body == nil ? original.url : http.url
    guard let url = members.query(appendedTo: url) else { return false }
    http.method = "GET"
    http.url = url
    http.body = nil
    http.headers["Content-Type"] = nil
    http.addPreflightHeaders()
    return true
  }

  /// A request that begins now, for chains that are built by hand.
  public init(operation: Operation, http: HTTPRequest, options: RequestOptions = .init()) {
    self.init(PlainOperation.plain(operation), http, options, listeners: nil)
  }

  /// A request of a client, to whose events somebody may listen.
  init(_ operation: PlainOperation, _ http: HTTPRequest, _ options: RequestOptions, listeners: EventListeners?) {
    let (start, id) = (ClockInstant.now, options.requestID ?? RequestID())
    let events = listeners.flatMap { $0.isEmpty ? nil : RequestEvents($0, id, operation.compiled, start) }
    members = CopyOnWrite(
      RequestFacts(
        operation: operation, options: options, http: http, original: http, start: start,
        report: RequestReport(monitor: options.monitor ?? RequestMonitor(keepsParts: false), events: events), id: id))
    events?.tell(.began(options.cachePolicy), at: start)
  }

  private init(_ members: CopyOnWrite<RequestFacts>) { self.members = members }

  /// The same request for somebody who knows its operation as another type.
  func known<Other: GraphQLOperation>(as type: Other.Type) -> GraphQLRequest<Other> { GraphQLRequest<Other>(members) }

  /// The request as the chain leads it.
  var plain: PlainRequest { known(as: PlainOperation.self) }
}

/// What there is of a request, whatever its operation's type is.
private struct RequestFacts: Sendable {
  let operation: PlainOperation
  var options: RequestOptions
  var http: HTTPRequest
  let original: HTTPRequest
  let start: ClockInstant
  let report: RequestReport
  let id: RequestID
  let lateWrites = LateWritesPlace()
  var attempt = 0
  var negotiations = 0
  var hasServerResult = false
}

/// How far a response's body has been taken apart.
public enum GraphQLResponseBody: Sendable {
  /// As it comes from the network.
  case stream(HTTPResponseStream)
  /// One whole part; the only one, if the response is not multipart.
  case part(ResponsePart)
  /// Behind the last part: the response ended as it should, or by the error.
  case end((any Error)?)
}

/// A response on its way through a request chain: a stream of bytes at first, then one part after the other, and
/// with each part a result.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
  /// How far the body has been taken apart.
  public typealias Body = GraphQLResponseBody

  private var members: CopyOnWrite<ResponseFacts>

  /// The response's status and header fields.
  public var head: HTTPHead {
    get { members.value.head }
    set {
      members.value.head = newValue
      members.value.contentType = newValue.contentType
    }
  }
  /// How far the body has been taken apart.
  public var body: Body {
    get { members.value.body }
    set { members.value.body = newValue }
  }
  /// There once JSON parsing has been passed.
  public var result: GraphQLResult<Operation.Data>? {
    get { plainResult?.known() }
    set { plainResult = newValue?.plain }
  }
  /// The result as the chain leads it.
  var plainResult: PlainResult? {
    get { members.value.result }
    set { members.value.result = newValue }
  }
  /// What the result was made of.
  package var merged: MergedResult? {
    get { members.value.merged }
    set { members.value.merged = newValue }
  }
  /// What the check of the response against its operation found.
  var checked: CheckedResponse? {
    get { members.value.checked }
    set { members.value.checked = newValue }
  }
  /// The head's content type, taken apart.
  var contentType: MediaType { members.value.contentType }

  /// A response without a result, as a network fetch of one's own makes it.
  public init(head: HTTPHead, body: Body) {
    members = CopyOnWrite(ResponseFacts(head: head, contentType: head.contentType, body: body))
  }

  private init(_ members: CopyOnWrite<ResponseFacts>) { self.members = members }

  /// The same response for somebody who knows its operation as another type.
  func known<Other: GraphQLOperation>(as type: Other.Type) -> GraphQLResponse<Other> {
    GraphQLResponse<Other>(members)
  }

  /// The response as the chain leads it.
  var plain: PlainResponse { known(as: PlainOperation.self) }

  /// The response with its result.
  func with(
    _ result: PlainResult, _ merged: MergedResult, _ checked: CheckedResponse
  ) -> GraphQLResponse {
    var facts = members.value
    (facts.result, facts.merged, facts.checked) = (result, merged, checked)
    return GraphQLResponse(CopyOnWrite(facts))
  }
}

/// What there is of a response, whatever its operation's type is.
private struct ResponseFacts: Sendable {
  var head: HTTPHead
  var contentType: MediaType
  var body: GraphQLResponseBody
  var result: PlainResult?
  var merged: MergedResult?
  var checked: CheckedResponse?
}

extension HTTPHead {
  fileprivate var contentType: MediaType { MediaType(parsing: headers["Content-Type"] ?? "") }
}

/// One part of a response: a payload as the server sent it.
public struct ResponsePart: Sendable {
  /// The part's own header fields: those of a multipart response, the `event` of an event stream, else none.
  public var headers: HTTPHeaders
  /// The part's bytes, decompressed: JSON, if the server is right.
  public var body: [UInt8]
  /// When the part's last byte arrived.
  public var arrival: ContinuousClock.Instant { arrivalInstant.instant }
  package let arrivalInstant: ClockInstant
  /// The specification that the response named for its parts, such as `deferSpec=20220824`.
  public var specification: String?
  package var isMultipart: Bool
  /// The response has this part alone, and no end follows behind it.
  package var isWhole = false
  /// The payload, where whoever received the part had to parse it already.
  package var json: JSONValue?

  /// A part as a network fetch of your own may bring it; not multipart, it is the whole body.
  public init(
    headers: HTTPHeaders = [:], body: [UInt8], arrival: ContinuousClock.Instant = .now, specification: String? = nil,
    isMultipart: Bool = false
  ) {
    self.init(
      headers: headers, body: body, arrival: ClockInstant(arrival), specification: specification,
      isMultipart: isMultipart)
  }

  package init(
    headers: HTTPHeaders, body: [UInt8], arrival: ClockInstant, specification: String?, isMultipart: Bool
  ) {
    self.headers = headers
    self.body = body
    arrivalInstant = arrival
    self.specification = specification
    self.isMultipart = isMultipart
  }
}

extension PlainRequest {
  /// Refuses what JSON cannot write, before anything is sent or read for it.
  ///
  /// - Throws: `GraphQLClientError.notFinite`.
  func checkNumbers() throws(GraphQLClientError) {
    if let path = asked.variables.nonFinitePath { throw .notFinite("the variable $\(path)") }
    if let path = options.extensions.nonFinitePath { throw .notFinite("\(path) in the request's extensions") }
    if let path = options.optimisticData?.nonFinitePath { throw .notFinite("\(path) in the optimistic data") }
  }
}

extension PlainOperation {
  /// The HTTP request that carries the operation as GraphQL over HTTP asks for: POST, JSON, the agreed media types.
  func http(to endpoint: Endpoint, _ options: RequestOptions) -> HTTPRequest {
    var http = endpoint.request(type, options.incremental)
    if let timeouts = options.timeouts { http.timeouts = timeouts }
    http.isRepeatable = type != .mutation
    if !options.headers.fields.isEmpty {
      for name in Set(options.headers.fields.map(\.name)) { http.headers[name] = nil }
      for field in options.headers.fields { http.headers.add(name: field.name, value: field.value) }
    }
    guard options.files.isEmpty else {
      let members = RequestMembers(self, options).members
      let form = UploadForm(members: members, variables: variables, files: options.files)
      http.upload = form.upload
      http.headers["Content-Type"] = form.contentType
      http.addPreflightHeaders()
      return http
    }
    http.body = options.extensions.count > 0 ? RequestMembers(self, options).body : RequestMembers.body(of: self)
    return http
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

/// Where requests go, with what all of a kind have in common written down once.
struct Endpoint: Sendable {
  let http: HTTPRequest
  /// A query or a mutation that leaves it to the server how deferred parts come.
  private let usual: HTTPRequest

  init(_ http: HTTPRequest) {
    self.http = http
    usual = Self.prepared(http, accept: Self.accept(.query, .automatic))
  }

  /// A request of a kind, without the operation.
  func request(_ type: CompiledOperation.OperationType, _ incremental: IncrementalDelivery) -> HTTPRequest {
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
