import ApusClientAPI
import ApusClientCache
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import Synchronization

/// The cache that an observed application would have, and the rules by which it is written.
package struct ShadowCache: Sendable {
  package let store: CacheStore
  /// The schema of the server; `nil` if it is unknown.
  package let schema: Schema?
  private let effects: WriteEffects
  private let observation: CacheObservation

  package init(store: CacheStore, schema: Schema? = nil) {
    let effects = WriteEffects()
    (self.store, self.schema, self.effects) = (store, schema, effects)
    observation = store.observe { effects.add($0) }
  }

  /// Returns the effects of a request's writes since the last call.
  func takeEffect(of request: RequestID) -> CacheEffect { effects.take(request) }

  /// Returns the options to compile a document as it was sent, since the response has no other fields.
  var compileOptions: CompileOptions {
    var options = store.resolver.compileOptions
    options.addTypename = false
    return options
  }
}

/// The effects of writes to a cache, by request.
private final class WriteEffects: Sendable {
  private let effects = Mutex<[RequestID: CacheEffect]>([:])

  func add(_ change: ObservedCacheChange) {
    guard let request = change.change.request else { return }
    let keys = change.change.changedKeys.baseKeys
    let new = keys.count { change.before?.record($0) == nil }
    effects.withLock { effects in
      effects[request, default: CacheEffect()].new += new
      effects[request, default: CacheEffect()].changed += keys.count - new
    }
  }

  func take(_ request: RequestID) -> CacheEffect {
    effects.withLock { $0.removeValue(forKey: request) } ?? CacheEffect()
  }
}

/// Merges the response of one operation and writes it to the cache, by the steps of the client's own request chain.
struct OperationObserver {
  /// The results of a part, and the error that ended the response with it.
  struct Outcome {
    var payloads: [(result: GraphQLResult<JSONValue>, effect: CacheEffect)] = []
    var failure: String?
  }

  let compiled: CompiledOperation
  /// The identity of the request in changes of the cache.
  var requestID: RequestID { request.id }
  private let cache: ShadowCache
  private let request: GraphQLRequest<DynamicOperation>
  /// The interceptors of all parts, which keep the state of the response.
  private let steps: [any RequestChainInterceptor]
  private var ending = EventStreamEnding()
  private var partCount = 0

  init(_ parameters: OperationParameters, document: String, url: String, cache: ShadowCache) throws(CompileError) {
    let operation = try Self.operation(parameters, document, cache)
    compiled = operation.compiled
    self.cache = cache
    let options = RequestOptions(cachePolicy: .networkOnly, cacheWrites: .incremental)
    request = GraphQLRequest(operation: operation, http: HTTPRequest(method: "POST", url: url), options: options)
    steps = [JSONParsingInterceptor(store: cache.store), CacheWriteInterceptor(store: cache.store)]
  }

  private static func operation(
    _ parameters: OperationParameters, _ document: String, _ cache: ShadowCache
  ) throws(CompileError) -> DynamicOperation {
    func compiled(_ schema: Schema?) throws(CompileError) -> DynamicOperation {
      DynamicOperation(
        compiled: try CompiledOperation.compile(
          Document(parsing: document), operationName: parameters.operationName, schema: schema,
          options: cache.compileOptions), variables: parameters.variables)
    }
    guard let schema = cache.schema else { return try compiled(nil) }
    // The server may have fields that the schema lacks.
    if let operation = try? compiled(schema) { return operation }
    return try compiled(nil)
  }

  /// Processes a part of the response.
  ///
  /// - Parameters:
  ///   - elapsed: The time from the arrival of the request to that of the part.
  ///   - isWhole: Whether the part is the entire body, so that no end follows.
  mutating func receive(
    _ part: ResponseReader.Part, of head: HTTPHead, elapsed: Duration, isWhole: Bool
  ) async -> Outcome {
    var observed = ResponsePart(
      headers: part.headers, body: part.body, arrival: request.start + elapsed,
      specification: head.mediaType.specification, isMultipart: head.mediaType.isMultipart)
    observed.isWhole = isWhole
    observed.json = part.json
    ending.receive(observed)
    partCount += 1
    return await run(.part(observed), head)
  }

  /// Processes the end of a response of several parts.
  ///
  /// - Parameter failure: The reason if it did not end normally.
  mutating func finish(_ head: HTTPHead, failure: String?, isClosed: Bool) async -> Outcome {
    let isSubscription = compiled.operationType == .subscription
    let isInOrder = failure == nil && (isClosed || isSubscription && ending.isEnd)
    let error: GraphQLClientError? = isInOrder ? nil : .incomplete(url: head.url, partCount: partCount)
    var outcome = await run(.end(error), head)
    if let failure { outcome.failure = failure }
    return outcome
  }

  private func run(_ body: GraphQLResponseBody, _ head: HTTPHead) async -> Outcome {
    let chain = RequestChain(interceptors: [ObservedStep(head: head, body: body)] + steps)
    var outcome = Outcome()
    do {
      for try await result in chain.kickoff(request: request) {
        outcome.payloads.append((result, cache.takeEffect(of: request.id)))
      }
    } catch {
      outcome.failure = "\(error)"
    }
    return outcome
  }
}

/// Replaces the network fetch: a part of a response that was observed.
private struct ObservedStep: RequestChainInterceptor {
  let head: HTTPHead
  let body: GraphQLResponseBody

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    .proceed(request: request, response: GraphQLResponse(head: head, body: body))
  }
}
