import ApusClientAPI
import ApusClientOperation
import ApusJSON

/// An operation as the chain leads it, whatever its own type is: what leads a request is compiled for this one type, and looks
/// nothing up at run time.
///
/// What each step asks an operation for is asked once. Its data is of its own type, which whoever made the request knows.
final class PlainOperation: GraphQLOperation {
  /// Data in the operation's own type.
  typealias Data = any Sendable

  /// The operation itself.
  let original: any GraphQLOperation
  let compiled: CompiledOperation
  let variables: JSONValue
  let resultChecking: ResultChecking

  init(_ operation: any GraphQLOperation) {
    original = operation
    compiled = operation.compiled
    variables = operation.variables
    resultChecking = operation.resultChecking
  }

  var type: CompiledOperation.OperationType { compiled.operationType }

  func makeData(from response: ResponseData) throws -> Data {
    func make<Operation: GraphQLOperation>(_ operation: Operation) throws -> Data {
      try operation.makeData(from: response)
    }
    return try make(original)
  }

  /// JSON null as data, where the operation's type has room for it.
  var null: Data? {
    func make<Operation: GraphQLOperation>(_ operation: Operation) -> Data? {
      JSONValue.null as? Operation.Data
    }
    return make(original)
  }

  /// The operation in the type in which somebody else knows it.
  func known<Operation: GraphQLOperation>(as type: Operation.Type) -> Operation {
    if let own = original as? Operation { return own }
    guard let plain = self as? Operation else {
      preconditionFailure("a request of \(Swift.type(of: original)) is handed on as one of \(type)")
    }
    return plain
  }

  /// An operation that may be known as a plain one already.
  static func plain<Operation: GraphQLOperation>(_ operation: Operation) -> PlainOperation {
    operation as? PlainOperation ?? PlainOperation(operation)
  }
}

typealias PlainRequest = GraphQLRequest<PlainOperation>
typealias PlainResponse = GraphQLResponse<PlainOperation>
typealias PlainResult = GraphQLResult<PlainOperation.Data>
typealias PlainAction = RequestChain.NextAction<PlainOperation>

/// What an interceptor of the client's own answers: at once where it need not wait, so that a request whose response is
/// there soon goes from its beginning to its result in one go.
enum PlainStep {
  case now(PlainAction)
  case later(@Sendable () async throws -> PlainAction)
}

/// An interceptor of the client's own, which leads every request as a plain one.
protocol PlainInterceptor: RequestChainInterceptor {
  /// Does what `intercept` does. May take the thread for as long as `HTTPResponseStream.nextNow` does.
  func step(_ request: PlainRequest, _ response: PlainResponse?) throws -> PlainStep
}

/// One place in a chain.
enum ChainLink: Sendable {
  case own(any PlainInterceptor)
  /// Somebody else's, which knows the operation's type.
  case other(any RequestChainInterceptor)

  init(_ interceptor: any RequestChainInterceptor) {
    self = (interceptor as? any PlainInterceptor).map { .own($0) } ?? .other(interceptor)
  }

  var interceptor: any RequestChainInterceptor {
    switch self {
    case .own(let interceptor): interceptor
    case .other(let interceptor): interceptor
    }
  }
}

extension PlainInterceptor {
  /// What `intercept` does for those who know the operation's type.
  func lead<Operation: GraphQLOperation>(
    _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    switch try step(request.plain, response?.plain) {
    case .now(let action): action.known()
    case .later(let action): try await action().known()
    }
  }
}

/// The same for those that hear of errors.
protocol PlainErrorInterceptor: RequestChainErrorInterceptor {
  func handle(_ error: any Error, _ request: PlainRequest, _ response: PlainResponse?) async throws -> PlainAction
}

extension PlainErrorInterceptor {
  func lead<Operation: GraphQLOperation>(
    _ error: any Error, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    try await handle(error, request.plain, response?.plain).known()
  }
}

extension PlainOperation {
  /// Asks an interceptor that may be anybody's.
  func ask(
    _ interceptor: any RequestChainInterceptor, _ request: PlainRequest, _ response: PlainResponse?
  ) async throws -> PlainAction {
    func ask<Operation: GraphQLOperation>(_ operation: Operation) async throws -> PlainAction {
      try await interceptor.intercept(
        request: request.known(as: Operation.self), response: response?.known(as: Operation.self)
      ).plain()
    }
    return try await ask(original)
  }

  /// The same about an error.
  func ask(
    _ interceptor: any RequestChainErrorInterceptor, about error: any Error, _ request: PlainRequest,
    _ response: PlainResponse?
  ) async throws -> PlainAction {
    func ask<Operation: GraphQLOperation>(_ operation: Operation) async throws -> PlainAction {
      try await interceptor.handleError(
        error: error, request: request.known(as: Operation.self), response: response?.known(as: Operation.self)
      ).plain()
    }
    return try await ask(original)
  }
}

extension GraphQLResult {
  /// The result as the chain leads it.
  var plain: PlainResult { known() }
}

extension RequestChain.NextAction {
  /// The action as the chain carries it out.
  func plain() -> PlainAction {
    switch self {
    case .proceed(let request, let response): .proceed(request: request.plain, response: response?.plain)
    case .proceedAndEmit(let result, let request, let response):
      .proceedAndEmit(intermediaryResult: result.plain, request: request.plain, response: response?.plain)
    case .multiProceed(let actions):
      .multiProceed(AsyncThrowingStream(unfolding: Unfolding(actions) { $0.plain() }.next))
    case .exitEarlyAndEmit(let result, let request): .exitEarlyAndEmit(result: result.plain, request: request.plain)
    case .retry(let request): .retry(request: request.plain)
    }
  }
}

extension RequestChain.NextAction where Operation == PlainOperation {
  /// The action for those who know the operation's type.
  func known<Other: GraphQLOperation>(as type: Other.Type = Other.self) -> RequestChain.NextAction<Other> {
    switch self {
    case .proceed(let request, let response):
      .proceed(request: request.known(as: type), response: response?.known(as: type))
    case .proceedAndEmit(let result, let request, let response):
      .proceedAndEmit(
        intermediaryResult: result.known(), request: request.known(as: type), response: response?.known(as: type))
    case .multiProceed(let actions):
      .multiProceed(AsyncThrowingStream(unfolding: Unfolding(actions) { $0.known(as: type) }.next))
    case .exitEarlyAndEmit(let result, let request):
      .exitEarlyAndEmit(result: result.known(), request: request.known(as: type))
    case .retry(let request): .retry(request: request.known(as: type))
    }
  }
}

/// A stream whose elements are made into others as they are read.
private struct Unfolding<Element: Sendable, Other: Sendable>: Sendable {
  private let stream: AsyncThrowingStream<Element, any Error>
  private let transform: @Sendable (Element) -> Other

  init(_ stream: AsyncThrowingStream<Element, any Error>, _ transform: @escaping @Sendable (Element) -> Other) {
    self.stream = stream
    self.transform = transform
  }

  func next() async throws -> Other? {
    var iterator = stream.makeAsyncIterator()
    return try await iterator.next().map(transform)
  }
}

// The client's own. What they are to an application stands with each of them.
extension AuthenticationInterceptor: PlainInterceptor, PlainErrorInterceptor {}
extension CacheFallbackInterceptor: PlainErrorInterceptor {}
extension CacheReadInterceptor: PlainInterceptor {}
extension CacheWriteInterceptor: PlainInterceptor {}
extension JSONParsingInterceptor: PlainInterceptor {}
extension LoggingInterceptor: PlainInterceptor, PlainErrorInterceptor {}
extension MaxRetryInterceptor: PlainInterceptor {}
extension MultipartParsingInterceptor: PlainInterceptor {}
extension NetworkFetchInterceptor: PlainInterceptor {}
extension NoCacheInterceptor: PlainInterceptor {}
extension PersistedQueryInterceptor: PlainInterceptor, PlainErrorInterceptor {}
extension QueryByGETInterceptor: PlainInterceptor {}
extension ReplayInterceptor: PlainInterceptor {}
extension ResponseCodeInterceptor: PlainInterceptor {}
extension RetryInterceptor: PlainInterceptor, PlainErrorInterceptor {}
extension SubscriptionFetchInterceptor: PlainInterceptor {}
