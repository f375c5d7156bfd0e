import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// The demo API without a network: the schema, its resolvers and its data.
package final class DemoAPI: Sendable {
  package let executor: Executor
  let world: DemoDatabase

  /// `delayScale` scales the delays of slow fields. With 0 no field is slow, and no observations are simulated.
  package init(delayScale: Double = 1) {
    let world = DemoDatabase()
    let pace = Pace(scale: delayScale)
    var resolvers = Resolvers()
    resolvers.addScalars()
    resolvers.addSpecies(world, pace)
    resolvers.addStations(world, pace)
    resolvers.addBirds(world, pace)
    resolvers.addFlights(world, pace)
    resolvers.addObservations(world)
    resolvers.addFaults(pace)
    resolvers.addQueries(world, pace)
    resolvers.addMutations(world)
    resolvers.addSubscriptions(world, pace)
    self.world = world
    executor = Executor(
      schema: Schema.load(sdl: [Document(parsing: DemoSchema.sdl, name: "demo")]), resolvers: resolvers)
  }

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

/// The duration of slow operations.
struct Pace: Sendable {
  var scale: Double

  func wait(milliseconds: Int) async throws {
    let scaled = Double(milliseconds) * scale
    if scaled > 0 { try await Task.sleep(for: .milliseconds(scaled)) } else { try Task.checkCancellation() }
  }

  /// Returns a list whose items are produced one by one, with a delay.
  func list<Item: Sendable>(
    _ items: [Item], milliseconds: Int, _ resolve: @escaping @Sendable (Item) -> ResolvedValue
  ) -> ResolvedValue {
    let place = Counter()
    return .sequence {
      let index = place.next()
      guard index < items.count else { return nil }
      try await self.wait(milliseconds: milliseconds)
      return resolve(items[index])
    }
  }
}
