import ApusGraphQLExecution
import ApusJSON
import Synchronization

extension Resolvers {
  mutating func addSubscriptions(_ world: DemoDatabase, _ pace: Pace) {
    let simulation = Simulation(world: world, pace: pace)
    events("observationAdded") { context in
      var station: Station?
      if let id = context.arguments["station"]?.string {
        station = DemoID.station(id)
        if station == nil { throw ExecutionError("There is no station with the id \"\(id)\".") }
      }
      let index = station?.index
      let observations = world.observationFeed.listen()
      simulation.run()
      return eventStream { send in
        for await observation in observations where index == nil || observation.station == index {
          send(.object(observation))
        }
      }
    }
    events("birdRinged") { _ in
      let birds = world.ringingFeed.listen()
      return eventStream { send in
        for await bird in birds { send(.object(bird)) }
      }
    }
    events("countdown") { context in
      let start = context.arguments["from"]?.int ?? 5
      let milliseconds = context.arguments["milliseconds"]?.int ?? 500
      guard (0...1000).contains(start) else { throw ExecutionError("\"from\" must be between 0 and 1000.") }
      return eventStream { send in
        for number in (0...start).reversed() {
          send(.int(number))
          if number > 0 { try await pace.wait(milliseconds: milliseconds) }
        }
      }
    }
    events("interrupted") { _ in
      eventStream { send in
        for number in 1...2 {
          send(.int(number))
          try await pace.wait(milliseconds: 100)
        }
        throw ExecutionError("The instrument broke.", extensions: .object([("code", "SOURCE_FAILED")]))
      }
    }
  }
}

/// Returns a stream filled by a task, which is canceled when the stream is no longer read.
private func eventStream(
  _ fill: @escaping @Sendable ((ResolvedValue) -> Void) async throws -> Void
) -> AsyncThrowingStream<ResolvedValue, any Error> {
  let (stream, continuation) = AsyncThrowingStream.makeStream(of: ResolvedValue.self)
  let task = Task {
    do {
      try await fill { continuation.yield($0) }
      continuation.finish()
    } catch {
      continuation.finish(throwing: error)
    }
  }
  continuation.onTermination = { _ in task.cancel() }
  return stream
}

/// Simulates observations every few seconds while there are subscribers.
private final class Simulation: Sendable {
  private let world: DemoDatabase
  private let pace: Pace
  private let isRunning = Mutex(false)
  private let count = Counter()

  init(world: DemoDatabase, pace: Pace) {
    self.world = world
    self.pace = pace
  }

  func run() {
    guard pace.scale > 0 else { return }
    let starts = isRunning.withLock { isRunning in
      defer { isRunning = true }
      return !isRunning
    }
    guard starts else { return }
    Task {
      while true {
        try? await pace.wait(milliseconds: 2500)
        let hasMore = isRunning.withLock { isRunning in
          isRunning = world.observationFeed.listenerCount > 0
          return isRunning
        }
        guard hasMore else { return }
        world.simulateObservation(count.next())
      }
    }
  }
}
