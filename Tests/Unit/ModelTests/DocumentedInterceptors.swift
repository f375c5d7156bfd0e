import Apus
import Synchronization

// Code shown in Docs/Client.md. `DocumentationTests` of ArchitectureTests compare the page with this file.

struct TenantContext: RequestContext {
  let tenant: String
}

// begin: header
/// Adds a header field with the tenant of a request.
struct TenantInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    var request = request
    if let context = request.options.context as? TenantContext { request.http.headers["X-Tenant"] = context.tenant }
    return .proceed(request: request, response: response)
  }
}
// end: header

// begin: results
/// Counts the results with errors.
final class ErrorCounter: RequestChainInterceptor {
  let count = Atomic(0)

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if response?.result?.errors.isEmpty == false { count.add(1, ordering: .relaxed) }
    return .proceed(request: request, response: response)
  }
}
// end: results

// begin: errors
/// Sends a query to a second server if the first is unreachable.
struct FallbackInterceptor: RequestChainErrorInterceptor {
  let url: String

  func handleError<Operation: GraphQLOperation>(
    error: any Error, request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard case GraphQLClientError.network = error, request.http.url != url else { throw error }
    var request = request
    request.http.url = url
    return .retry(request: request)
  }
}
// end: errors

// begin: provider
/// The default chain with additional interceptors.
struct OurProvider: InterceptorProvider {
  let standard: DefaultInterceptorProvider
  let counter: ErrorCounter
  let fallback: String

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    [TenantInterceptor()] + standard.interceptors(for: operation) + [counter]
  }

  func errorInterceptor<Operation: GraphQLOperation>(
    for operation: Operation
  ) -> (any RequestChainErrorInterceptor)? {
    FallbackInterceptor(url: fallback)
  }
}
// end: provider

// begin: client
func makeClient(url: String, fallback: String, counter: ErrorCounter) -> GraphQLClient {
  let provider = OurProvider(
    standard: DefaultInterceptorProvider(transport: HTTPTransport(), store: nil), counter: counter, fallback: fallback)
  return GraphQLClient(
    transport: RequestChainNetworkTransport(endpoint: HTTPRequest(url: url), interceptorProvider: provider))
}
// end: client

// begin: fetch
func printPerson(_ client: GraphQLClient) async throws {
  for try await result in client.fetch(query: PersonQuery(personId: "1")) {
    if case .fulfilled(let part) = result.data?.person.asUser?.fragments.$deferredFriends {
      print("received all fields: \(part.friends.count) friends")
    } else {
      print("received basic fields only")
    }
  }
}
// end: fetch

// begin: last
func loadPerson(_ client: GraphQLClient) async throws -> PersonQuery.Data? {
  let result = try await client.fetch(PersonQuery(personId: "1"), cachePolicy: .cacheAndNetwork)
  return result.data
}
// end: last

// begin: text
func printName(_ client: GraphQLClient) async throws {
  let schema = try await client.schema()
  let text = "query Person($id: ID!) { person(id: $id) { firstName } }"
  for try await result in try client.run(text, variables: ["id": "1"], schema: schema) {
    print(result.data?["person"]?["firstName"]?.string ?? "nobody")
  }
}
// end: text

// begin: transaction
func rename(_ store: CacheStore, to name: String) async throws -> String? {
  try await store.transaction { cache in
    let before = try cache.read(PersonQuery(personId: "1"))?.person.firstName
    try cache.update(UserCard.self, key: "User:1") { $0.firstName = name }
    try cache.write(Profile(address: nil), key: "User:1")
    cache.evict("Bot:7")
    return before
  }
}
// end: transaction

// begin: policies
func makeStore() -> CacheStore {
  CacheStore(
    resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self),
    policies: CachePolicies(schema: PeopleAPI.Metadata.self))
}
// end: policies

// begin: connections
func makeBusyClient(url: String) -> GraphQLClient {
  let network = HTTPTransport(limits: HTTPConnectionLimits(perHost: 12, total: 100))
  return GraphQLClient(endpoint: HTTPRequest(url: url), network: network)
}
// end: connections

// begin: features
func makeCarefulClient(url: String, refresh: @escaping @Sendable (String?) async throws -> String) -> GraphQLClient {
  var features = RequestFeatures()
  features.retry = RetryPolicy()
  features.persistedQueries = PersistedQueryOptions(usesGET: true)
  features.credentials = Credentials(refresh: refresh)
  features.deduplicatesQueries = true
  features.log = { print($0) }
  return GraphQLClient(url: url, store: CacheStore(), features: features)
}
// end: features
