import ClientAPI
import ClientCache
import JSON

/// A mutation whose probable answer lies over the cache while the real one is on its way.
///
/// 1. The data is laid over the records: who watches them sees it at once.
/// 2. Parts of the real answer are written beneath; the layer stays, for what is still to come.
/// 3. With the whole answer, or with an error, the layer is taken away, before the result is given out.
struct OptimisticMutation<Mutation: GraphQLOperation>: Sendable {
  let store: CacheStore
  let mutation: Mutation
  let data: JSONValue

  func results(of source: GraphQLClient.Results<Mutation.Data>) -> GraphQLClient.Results<Mutation.Data> {
    AsyncThrowingStream { continuation in
      let task = Task {
        let layer = try? await store.writeOptimistically(
          data, operation: mutation.compiled, variables: mutation.variables)
        func uncover() async { if let layer { _ = try? await store.rollBack(layer) } }
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
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}
