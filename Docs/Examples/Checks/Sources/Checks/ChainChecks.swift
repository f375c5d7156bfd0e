import PeopleAPI
import ScriptedServers
import Synchronization

/// Checks a chain that combines custom and included interceptors.
func checkChain(_ report: Report) async throws {
  let server = try ScriptedServer([People.whole()])
  let store = Scripted.store()
  let counter = Counter()
  let transport = RequestChainNetworkTransport(
    endpoint: HTTPRequest(url: server.url), interceptorProvider: OwnProvider(store: store, counter: counter))
  var client = GraphQLClient(transport: transport, store: store)
  var options = RequestOptions(cachePolicy: .cacheFirst)
  options.context = Tenant(name: "blue")
  let result = await all(client.fetch(query: PersonQuery(id: "1"), options: options)).results.first
  report.check("a handwritten chain responds", result?.data?.person?.name, is: "Ada")
  report.check("an interceptor changes the request", server.requests.first?.header("X-Tenant"), is: "blue")
  report.check("an interceptor sees the response", counter.names, is: ["head 200", "result"])
  let again = await all(client.fetch(query: PersonQuery(id: "1"), options: options)).results.first
  report.check("the cache answers early", again?.source, is: .cache)
  report.check("the client has its endpoint", client.redactedURL, is: server.url)

  let fallback = RequestChainNetworkTransport(
    endpoint: HTTPRequest(url: "http://127.0.0.1:9/"),
    interceptorProvider: OwnProvider(store: nil, counter: counter, fallback: server.url))
  client = GraphQLClient(transport: fallback)
  report.check(
    "an error becomes another try", await all(client.fetch(query: PersonQuery(id: "1"))).results.count, is: 1)

  let request = GraphQLRequest(operation: PersonQuery(id: "1"), http: HTTPRequest(method: "POST", url: server.url))
  report.check("a request has its operation", request.operation.id, is: "1")
  report.check("a request has a number", request.attempt, is: 0)
  let answered = RequestChain(interceptors: [Answering()])
  let made = await all(answered.kickoff(request: request))
  report.check("an interceptor responds without the network", made.results.first?.data?.person?.name, is: "Ada")
  let several = RequestChain(interceptors: [Doubling(), Answering()])
  report.check("an early exit ends all branches", await all(several.kickoff(request: request)).results.count, is: 1)
  let first = RequestChain(interceptors: [Foretelling(), Answering()])
  report.check(
    "an interceptor gives something before", await all(first.kickoff(request: request)).results.map(\.completeness),
    is: [.partial, .complete])
  let none = await all(RequestChain(interceptors: []).kickoff(request: request))
  report.check("a chain without a response reports it", none.error != nil)

  let provider: any InterceptorProvider = DefaultInterceptorProvider(transport: HTTPTransport(), store: store)
  let chain = provider.interceptors(for: PersonQuery(id: "1"))
  report.check("the default chain has all its interceptors", chain.count, is: 6)
  report.check(
    "subscriptions have their own",
    provider.interceptors(for: RenamedSubscription()).contains { $0 is SubscriptionFetchInterceptor })
  report.check(
    "the cache answers where the network fails",
    provider.errorInterceptor(for: PersonQuery(id: "1")) is CacheFallbackInterceptor)
  let part = ResponsePart(body: Array("{}".utf8), specification: "deferSpec=20220824")
  report.check("a part has its specification", part.specification, is: "deferSpec=20220824")
}

/// The context that this program attaches to a request.
struct Tenant: RequestContext {
  let name: String
}

/// Lists the responses that pass.
final class Counter: RequestChainInterceptor {
  private let found = Mutex<[String]>([])
  var names: [String] { found.withLock { $0 } }

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if let response {
      let name: String
      let body: GraphQLResponse<Operation>.Body = response.body
      switch body as GraphQLResponseBody {
      case .stream: name = "head \(response.head.status)"
      case .part: name = response.result == nil ? "part" : "result"
      case .end: return .proceed(request: request, response: response)
      }
      found.withLock { $0.append(name) }
    }
    return .proceed(request: request, response: response)
  }
}

/// Adds a header field with the tenant of a request.
private struct TenantInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    var request = request
    if let tenant = request.options.context as? Tenant { request.http.headers["X-Tenant"] = tenant.name }
    return .proceed(request: request, response: response)
  }
}

/// Sends a request to a second server if the first refused it.
private struct Fallback: RequestChainErrorInterceptor {
  let url: String?

  func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let url, request.http.url != url else { throw error }
    var request = request
    request.http.url = url
    return .retry(request: request)
  }
}

/// A complete chain, written by hand.
private struct OwnProvider: InterceptorProvider {
  let store: CacheStore?
  let counter: Counter
  var fallback: String?

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    let reading: [any RequestChainInterceptor] = store.map { [CacheReadInterceptor(store: $0)] } ?? []
    let writing: [any RequestChainInterceptor] = store.map { [CacheWriteInterceptor(store: $0)] } ?? []
    var retry: [any RequestChainInterceptor] = [MaxRetryInterceptor()]
    if fallback == nil { retry.append(RetryInterceptor(policy: RetryPolicy())) }
    return retry + reading + [
      TenantInterceptor(), LoggingInterceptor { _ in }, NetworkFetchInterceptor(transport: HTTPTransport()), counter,
      ResponseCodeInterceptor(), MultipartParsingInterceptor(), JSONParsingInterceptor(registry: .standard), counter,
    ] + writing
  }

  func errorInterceptor<Operation: GraphQLOperation>(for operation: Operation) -> (any RequestChainErrorInterceptor)? {
    Fallback(url: fallback)
  }
}

/// Responds without a server.
private struct Answering: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let data = try request.operation.makeData(from: ResponseData(ada.__data.json))
    return .exitEarlyAndEmit(result: GraphQLResult(data: data), request: request)
  }
}

/// Proceeds twice.
private struct Doubling: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    .multiProceed(
      AsyncThrowingStream { actions in
        for _ in 0..<2 { actions.yield(.proceed(request: request, response: response)) }
        actions.finish()
      })
  }
}

/// Emits a result before the real one.
private struct Foretelling: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let result = GraphQLResult<Operation.Data>(data: nil, completeness: .partial)
    return .proceedAndEmit(intermediaryResult: result, request: request, response: response)
  }
}
