import ApusGraphQLExecution
import ApusGraphQLSchema

/// An API made up from a schema alone: any field of any type answers, plausibly, and the same for the same seed.
///
/// 1. An object is its type and a key; what its fields say is drawn from the seed, the key and the field's name.
/// 2. Types with an `id` come from a small population, so that the same object is met in several places.
/// 3. What a mutation is given is remembered (`MockMemory`), so that it can be read back.
package struct MockAPI: Sendable {
  package let executor: Executor

  /// `delayScale` lengthens or shortens the time that objects and items take; 0 makes none wait.
  package init(schema: Schema, seed: UInt64 = 1, delayScale: Double = 1) {
    let world = MockWorld(schema: schema, seed: seed, pace: Pace(scale: delayScale))
    var resolvers = Resolvers()
    if delayScale == 0 {
      resolvers.everyOtherField(.immediate { try world.resolve($0) })
    } else {
      resolvers.everyOtherField(.asynchronous { try await world.resolveSlowly($0) })
    }
    resolvers.everyOtherEvent { try world.events($0) }
    executor = Executor(schema: schema, resolvers: resolvers)
  }

  /// Validates a request and executes it if nothing is wrong.
  package func respond(to request: ExecutionRequest) async -> ExecutionResponse {
    if let errors = executor.problems(of: request) { return .refused(errors) }
    return await executor.execute(request)
  }

  /// Validates a subscription and listens to its events if nothing is wrong.
  package func subscribe(to request: ExecutionRequest) async -> SubscriptionResponse {
    if let errors = executor.problems(of: request) { return .refused(errors) }
    return await executor.subscribe(request)
  }
}
