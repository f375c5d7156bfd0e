import ApusClientAPI
import ApusClientCache
import ApusJSON
import Synchronization

/// A mutation whose expected data is an optimistic layer on the cache until the response arrives.
///
/// 1. The data becomes a layer over the records, and watchers see it immediately.
/// 2. Payloads of the response are written below the layer, which stays until the response is complete.
/// 3. With the complete response or an error, the layer is removed before the result is emitted.
///
/// All of this happens even if the results are not read. Ending the iteration midway cancels it.
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
          if result.completeness == .complete { await uncover() }
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

  /// Retained by the reader of the results.
  private final class Reader: Sendable {
    private let results: GraphQLClient.Results<Mutation.Data>
    private let task: Task<Void, Never>
    private let hasBegun = Atomic(false)

    init(results: GraphQLClient.Results<Mutation.Data>, task: Task<Void, Never>) {
      self.results = results
      self.task = task
    }

    /// A mutation that was not read is sent anyway, unless the releasing task was canceled.
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
