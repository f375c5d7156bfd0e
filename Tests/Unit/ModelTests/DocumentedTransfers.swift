import Apus

// Code shown in Docs/Client.md: uploads, names of operations, and subscriptions that reconnect. `DocumentationTests` of
// ArchitectureTests compare the page with this file.

// begin: upload
/// Uploads a file as the variable `$picture`, and returns the new picture's URL.
func upload(_ path: String, byteCount: Int, by client: GraphQLClient) async throws -> String? {
  let operation = try DynamicOperation(
    text: "mutation ($picture: Upload!) { addPicture(picture: $picture) { url } }", variables: ["picture": .null])
  let picture = GraphQLFile(
    variablePath: "picture", name: "bird.png", content: .file(path: path, byteCount: byteCount))
  var url: String?
  for try await result in client.upload(operation: operation, files: [picture]) {
    url = result.data?["addPicture"]?["url"]?.string
  }
  return url
}
// end: upload

// begin: name
/// Sends the name of the operation in a header field, which some gateways and logs read.
struct OperationNameInterceptor: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    var request = request
    let operation = request.operation.compiled
    request.http.headers["X-GraphQL-Operation-Name"] = operation.name ?? "anonymous \(operation.operationType)"
    return .proceed(request: request, response: response)
  }
}
// end: name

// begin: states
/// Follows a subscription, and fetches the current data whenever its connection is established: at the start and after each
/// loss.
func follow(
  _ subscription: DynamicOperation, refetching query: DynamicOperation, by client: GraphQLClient,
  show: @escaping @Sendable (JSONValue?) -> Void
) async throws {
  var options = RequestOptions()
  let monitor = RequestMonitor()
  options.monitor = monitor
  let refetching = Task {
    for await state in monitor.subscriptionStates where state == .active {
      show(try await client.fetch(query, cachePolicy: .networkOnly).data)
    }
  }
  defer { refetching.cancel() }
  for try await event in client.subscribe(subscription: subscription, options: options) { show(event.data) }
}
// end: states
