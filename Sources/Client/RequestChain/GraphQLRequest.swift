import ApusClientAPI
import ApusClientNetwork
import ApusClientOperation
import ApusJSON

/// The members of a request that no step of a chain changes. Each step copies the request, and so copies one reference instead
/// of all options.
private final class ConstantMembers: Sendable {
  let compiled: CompiledOperation
  let variables: JSONValue
  let options: RequestOptions
  let original: HTTPRequest
  let startInstant: ClockInstant
  let id: RequestID
  let lateWrites: BackgroundWritesKey

  init(_ compiled: CompiledOperation, _ variables: JSONValue, _ options: RequestOptions, _ original: HTTPRequest) {
    (self.compiled, self.variables, self.options, self.original) = (compiled, variables, options, original)
    startInstant = .now
    id = options.requestID ?? RequestID()
    lateWrites = BackgroundWritesKey()
  }

  /// Creates the members of the same request with other options.
  init(_ other: ConstantMembers, _ options: RequestOptions) {
    (compiled, variables, original) = (other.compiled, other.variables, other.original)
    (startInstant, id, lateWrites) = (other.startInstant, other.id, other.lateWrites)
    self.options = options
  }
}

/// An operation in a request chain, with the HTTP request that will carry it.
public struct GraphQLRequest<Operation: GraphQLOperation>: Sendable {
  /// The operation to run.
  public let operation: Operation
  /// The operation's compiled form and its variables, read once, so that the same is sent, checked and cached.
  var compiled: CompiledOperation { constant.compiled }
  var variables: JSONValue { constant.variables }
  /// The caller's options for this request.
  public var options: RequestOptions {
    get { constant.options }
    set { constant = ConstantMembers(constant, newValue) }
  }
  private var constant: ConstantMembers
  /// The HTTP request that the network fetch will send. Interceptors before it may change it: add a header, replace the
  /// body.
  public var http: HTTPRequest
  /// The HTTP request before any interceptor changed it, with which a new attempt begins.
  package var original: HTTPRequest { constant.original }
  package var startInstant: ClockInstant { constant.startInstant }
  /// The identifier of the request in the cache changes that it causes.
  public var id: RequestID { constant.id }
  /// 0 at first, one more with each retry.
  public internal(set) var attempt = 0
  /// The number of attempts that did not follow a failure: the server processed nothing, and asked for another token or
  /// for the query's text.
  package var negotiations = 0
  /// Whether a result of the server was emitted before the error that is being handled.
  var hasServerResult = false
  private(set) var report: RequestObserver
  /// The cache writes of results that are emitted before they are written.
  var lateWrites: BackgroundWritesKey { constant.lateWrites }

  /// The instant from which results count their `elapsed`.
  public var start: ContinuousClock.Instant { startInstant.instant }
  /// The monitor that records the facts of this request.
  public var monitor: RequestMonitor { report.monitor }

  /// Creates a request that begins now, for chains that are built by hand.
  public init(operation: Operation, http: HTTPRequest, options: RequestOptions = .init()) {
    self.init(operation, operation.compiled, operation.variables, http, options)
  }

  /// Creates a request of a client to its endpoint.
  init(_ operation: Operation, to endpoint: RequestTemplate, _ options: RequestOptions) {
    let (compiled, variables) = (operation.compiled, operation.variables)
    self.init(operation, compiled, variables, endpoint.request(for: compiled, variables, options), options)
  }

  private init(
    _ operation: Operation, _ compiled: CompiledOperation, _ variables: JSONValue, _ http: HTTPRequest,
    _ options: RequestOptions
  ) {
    self.operation = operation
    self.http = http
    constant = ConstantMembers(compiled, variables, options, http)
    report = RequestObserver(monitor: options.monitor ?? RequestMonitor(keepsParts: false), events: nil)
  }

  /// Returns the request with its events reported to the listeners, if there are any.
  func reporting(to listeners: EventListeners) -> Self {
    guard !listeners.isEmpty else { return self }
    var request = self
    let events = RequestEventEmitter(listeners, id, compiled, startInstant)
    events.emit(.began(options.cachePolicy), at: startInstant)
    request.report = RequestObserver(monitor: monitor, events: events)
    return request
  }

  /// The request for another attempt, without the changes of interceptors, which run again.
  var begunAgain: Self {
    var again = self
    again.http = original
    return again
  }

  /// The time left of the total limit; `nil` without one. It does not limit the attempts of a subscription.
  var remainingTime: Duration? {
    guard compiled.operationType != .subscription, let total = http.timeouts.total else { return nil }
    return total - startInstant.duration(to: .now)
  }

  /// Returns the value of a closure, or throws the error of the total time limit, which includes such a wait.
  func withinTotal<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
    guard let remainingTime else { return try await body() }
    let timeout = http.totalTimeout
    return try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask { try await body() }
      group.addTask {
        try await Task.sleep(for: remainingTime)
        throw timeout
      }
      defer { group.cancelAll() }
      guard let first = try await group.next() else { throw timeout }
      return first
    }
  }

  /// Turns the request into a GET with the members in its URL, in place of those of an earlier attempt. Returns false
  /// if the URL would be too long.
  mutating func moveIntoURL(_ members: RequestParameters) -> Bool {
    let url = http.method == "GET" && http.body == nil ? original.url : http.url
    guard let url = members.query(appendedTo: url) else { return false }
    http.method = "GET"
    http.url = url
    http.body = nil
    http.headers["Content-Type"] = nil
    http.ownHeaders["Content-Type"] = nil
    http.addPreflightHeaders()
    return true
  }

  /// Refuses numbers that JSON cannot write, before anything is sent or read for them.
  ///
  /// - Throws: `GraphQLClientError.notFinite`.
  func checkNumbers() throws(GraphQLClientError) {
    if let path = variables.nonFinitePath { throw .notFinite("the variable $\(path)") }
    if let path = options.extensions.nonFinitePath { throw .notFinite("\(path) in the request's extensions") }
    if let path = options.optimisticData?.nonFinitePath { throw .notFinite("\(path) in the optimistic data") }
  }
}
