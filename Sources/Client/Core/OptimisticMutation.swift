import ApusClientAPI
import ApusClientCache
import ApusJSON
import Synchronization

/// A mutation whose probable answer lies over the cache while the real one is on its way.
///
/// 1. The data is laid over the records: who watches them sees it at once.
/// 2. Parts of the real answer are written beneath; the layer stays, for what is still to come.
/// 3. With the whole answer, or with an error, the layer is taken away, before the result is given out.
///
/// All of that happens whether or not the results are read; leaving them midway cancels it.
struct OptimisticMutation<Mutation: GraphQLOperation>: Sendable {
  let store: CacheStore
  let mutation: Mutation
  let data: JSONValue

  func results(of source: GraphQLClient.Results<Mutation.Data>) -> GraphQLClient.Results<Mutation.Data> {
    let (results, continuation) = GraphQLClient.Results<Mutation.Data>.makeStream()
    let task = Task {
      let layer = try? await store.writeOptimistically(
        data, operation: mutation.compiled, variables: mutation.variables)
      func uncover() async { if let layer { await store.rollBack(layer) } }
      do {
        for try await result in source {
          if result.response == .complete { await uncover() }
          continuation.yield(result)
        }
        await uncover()
        continuation.finish()
      } catch {
        await uncover()
        continuation.finish(throwing: error)
      }
    }
    let reader = Reader(results: results, task: task)
    return AsyncThrowingStream { try await reader.next() }
  }

  /// Held by whoever can read the results.
  private final class Reader: Sendable {
    private let results: GraphQLClient.Results<Mutation.Data>
    private let task: Task<Void, Never>
    private let hasBegun = Atomic(false)

    init(results: GraphQLClient.Results<Mutation.Data>, task: Task<Void, Never>) {
      self.results = results
      self.task = task
    }

    /// What nobody began to read is sent nevertheless, unless it is let go by a task that was cancelled, which reads
    /// nothing.
    deinit { if hasBegun.load(ordering: .relaxed) || Task.isCancelled { task.cancel() } }

    func next() async throws -> GraphQLResult<Mutation.Data>? {
      hasBegun.store(true, ordering: .relaxed)
      return try await withTaskCancellationHandler {
        var iterator = results.makeAsyncIterator()
        return try await iterator.next()
      } onCancel: {
        task.cancel()
      }
    }
  }
}
