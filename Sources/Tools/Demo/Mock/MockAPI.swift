import ApusGraphQLExecution
import ApusGraphQLSchema

/// A mock API for a schema: every field returns a plausible value, which depends only on the seed.
///
/// 1. An object is its type and a key. The values of its fields are derived from the seed, the key and the field's
///    name.
/// 2. Types with an `id` have a small population, so that the same object appears in several places.
/// 3. The input of mutations is stored (`MockStore`), so that it can be read later.
/// 4. Rules (`MockRules`) take precedence over all of these.
package struct MockAPI: Sendable {
  package let executor: Executor
  private let rules: MockRuleBook

  /// `delayScale` scales the delays of objects, list items and rules; 0 removes them.
  package init(schema: Schema, seed: UInt64 = 1, delayScale: Double = 1, rules: MockRules = MockRules()) {
    let rules = MockRuleBook(rules)
    self.rules = rules
    let world = MockResolver(schema: schema, seed: seed, pace: Pace(scale: delayScale), rules: rules)
    var resolvers = Resolvers()
    if delayScale == 0 {
      resolvers.everyOtherField(.immediate { try world.resolve($0) })
    } else {
      resolvers.everyOtherField(.asynchronous { try await world.resolveSlowly($0) })
    }
    resolvers.everyOtherEvent { try world.events($0) }
    executor = Executor(schema: schema, resolvers: resolvers)
  }

  /// Replaces the rules, for the fields that are resolved from now on.
  package func use(_ rules: MockRules) { self.rules.replace(by: rules) }

  /// Validates and executes a request.
  package func respond(to request: ExecutionRequest) async -> ExecutionResponse {
    if let errors = executor.problems(of: request) { return .refused(errors) }
    return await executor.execute(request)
  }

  /// Validates a subscription and subscribes.
  package func subscribe(to request: ExecutionRequest) async -> SubscriptionResponse {
    if let errors = executor.problems(of: request) { return .refused(errors) }
    return await executor.subscribe(request)
  }
}
