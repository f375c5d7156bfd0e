import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

@Suite("Optimistic mutations", .timeLimit(.minutes(1)))
struct OptimisticMutationTests {
  private static let mutation = """
    mutation { rename(id: 1) { __typename id name ... @defer(label: "rest") { mate { __typename id name } } } }
    """
  private static let guess =
    #"{"rename":{"__typename":"Bird","id":"1","name":"Guess","mate":{"__typename":"Bird","id":"2","name":"Guessed mate"}}}"#

  /// Returns the cached names of the two birds.
  private func names(_ store: CacheStore) async throws -> [String] {
    var names: [String] = []
    for key in ["Bird:1", "Bird:2"] {
      guard case .scalar(let name)? = try await store.record(CacheKey(key))?[field: "name"] else { continue }
      names.append(name.string ?? "?")
    }
    return names
  }

  /// Observes the cache and starts the mutation.
  private func perform(
    _ answers: [ScriptedAnswer], _ options: RequestOptions = .init()
  ) async throws -> (
    cached: CachedClient, changes: AsyncStream<CacheChange>.AsyncIterator, results: GraphQLClient.Results<JSONValue>
  ) {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))] + answers)
    _ = try await cached.fetch(.cacheFirst)
    var options = options
    options.optimisticData = try JSONDocument(parsing: Self.guess).root
    let changes = await cached.store.changes().makeAsyncIterator()
    return (cached, changes, cached.client.perform(mutation: try operation(Self.mutation), options: options))
  }

  private static let first =
    #"{"data":{"rename":{"__typename":"Bird","id":"1","name":"Real"}},"hasNext":true}"#
  private static let rest =
    #"{"incremental":[{"label":"rest","path":["rename"],"data":{"mate":{"__typename":"Bird","id":"2","name":"Real mate"}}}],"hasNext":false}"#

  @Test
  func `the optimistic layer stays until the last deferred fragment arrives`() async throws {
    let (before, gate) = (Gate(), Gate())
    let (cached, heard, results) = try await perform([
      .multipart([.hold(before), .text(Self.first), .hold(gate), .text(Self.rest)])
    ])
    var changes = heard
    var iterator = results.makeAsyncIterator()
    #expect(await changes.next()?.cause == .optimistic)
    #expect(try await names(cached.store) == ["Guess", "Guessed mate"])
    before.open()
    #expect(try await iterator.next()?.completeness == .partial)
    #expect(try await names(cached.store) == ["Guess", "Guessed mate"], "pending data remains optimistic")
    gate.open()
    #expect(try await iterator.next()?.completeness == .complete)
    #expect(try await names(cached.store) == ["Real", "Real mate"])
    #expect(try await iterator.next() == nil)
  }

  @Test
  func `the layer is removed if the mutation fails after its initial result, which is kept`() async throws {
    var options = RequestOptions()
    options.cacheWrites = .incremental
    let (cached, _, results) = try await perform([.multipart([.text(Self.first), .close])], options)
    let run = await read(results)
    #expect(run.error != nil)
    #expect(try await names(cached.store) == ["Real"])
  }

  @Test
  func `the layer is removed if the results are released`() async throws {
    let (cached, heard, results) = try await perform([.never])
    var changes = heard
    let task = Task { await read(results) }
    #expect(await changes.next()?.cause == .optimistic)
    task.cancel()
    #expect(await changes.next()?.cause == .rollback)
    #expect(try await names(cached.store) == ["Apus"])
    _ = await task.joined
  }

  @Test
  func `the layer is removed if the task is canceled before reading`() async throws {
    let (cached, heard, results) = try await perform([.never])
    var changes = heard
    #expect(await changes.next()?.cause == .optimistic)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await read(results)
    }
    #expect(await changes.next()?.cause == .rollback)
    #expect(try await names(cached.store) == ["Apus"])
    _ = await task.joined
  }

  @Test
  func `two layers are stacked, and the lower one may be removed first`() async throws {
    let cached = try CachedClient([.json(CachedClient.bird("Apus"))])
    _ = try await cached.fetch(.cacheFirst)
    let lower = try await cached.store.modifyOptimistically("Bird:1") { $0["name"] = .scalar("lower") }
    let upper = try await cached.store.modifyOptimistically("Bird:1") { $0["name"] = .scalar("upper") }
    #expect(try await names(cached.store) == ["upper"])
    _ = await cached.store.rollBack(lower)
    #expect(try await names(cached.store) == ["upper"])
    _ = await cached.store.rollBack(upper)
    #expect(try await names(cached.store) == ["Apus"])
  }
}
