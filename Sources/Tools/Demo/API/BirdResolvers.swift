import ApusGraphQLExecution
import ApusJSON

extension Resolvers {
  mutating func addBirds(_ world: DemoDatabase, _ pace: Pace) {
    func bird(_ name: String, _ get: @escaping @Sendable (Bird, FieldContext) throws -> ResolvedValue) {
      field("Bird", name) { try get($0.source(), $0) }
    }
    bird("id") { bird, _ in .string(bird.id) }
    bird("name") { bird, _ in .string(bird.name) }
    bird("nickname") { bird, _ in .string(bird.name) }
    bird("ring") { bird, _ in .string(bird.ring) }
    bird("species") { bird, _ in .object(NaturalHistory.species[bird.species]) }
    bird("sex") { bird, _ in .string(bird.sex) }
    bird("weight") { bird, _ in .optional(bird.weight, ResolvedValue.double) }
    bird("station") { bird, _ in .object(NaturalHistory.stations[bird.station]) }
    bird("ringedAt") { bird, _ in .time(bird.ringedAt) }
    bird("companion") { bird, _ in .optional(bird.companion.flatMap { world.now.bird($0) }) { .object($0) } }
    bird("notes") { bird, _ in .optional(bird.notes, ResolvedValue.string) }
    bird("flights") { bird, context in
      let flights = DemoDatabase.flights(of: bird)
      return .list(flights.prefix(try listCount("first", context.arguments) ?? flights.count).map { .object($0) })
    }
    bird("lastSeen") { bird, _ in
      .optional(world.now.observations.last { $0.bird == bird.number }) { .object($0) }
    }
    bird("faults") { _, _ in .object(Fault()) }
    asyncField("Bird", "migrationHistory") { context in
      let bird: Bird = try context.source()
      try await pace.wait(milliseconds: 2000)
      return .object(DemoDatabase.flights(of: bird))
    }
    addBirdConnection()
    addMigrationHistory(pace)
  }

  private mutating func addBirdConnection() {
    func page(_ name: String, _ get: @escaping @Sendable (BirdPage) -> ResolvedValue) {
      field("BirdConnection", name) { get(try $0.source()) }
      field("PageInfo", name) { get(try $0.source()) }
    }
    page("edges") { .list($0.birds.map { .object($0) }) }
    page("nodes") { .list($0.birds.map { .object($0) }) }
    page("pageInfo") { .object($0) }
    page("totalCount") { .int($0.totalCount) }
    page("hasNextPage") { .bool($0.hasNextPage) }
    page("hasPreviousPage") { .bool($0.hasPreviousPage) }
    page("startCursor") { .optional($0.birds.first) { .string(BirdPage.cursor($0)) } }
    page("endCursor") { .optional($0.birds.last) { .string(BirdPage.cursor($0)) } }
    field("BirdEdge", "node") { .object(try $0.source(as: Bird.self)) }
    field("BirdEdge", "cursor") { .string(BirdPage.cursor(try $0.source())) }
  }

  private mutating func addMigrationHistory(_ pace: Pace) {
    func history(_ name: String, _ get: @escaping @Sendable ([Flight]) -> ResolvedValue) {
      field("MigrationHistory", name) { get(try $0.source()) }
    }
    history("totalDistance") { flights in .double(flights.reduce(0) { $0 + $1.distance }.rounded(toPlaces: 1)) }
    history("flightCount") { .int($0.count) }
    history("topSpeed") { flights in .double((flights.map(\.speed).max() ?? 0).rounded(toPlaces: 1)) }
    history("stations") { flights in
      var seen = Set<Int>()
      let visited = flights.first.map { [$0.from] } ?? []
      return .list((visited + flights.map(\.to)).filter { seen.insert($0.index).inserted }.map { .object($0) })
    }
    history("years") { flights in
      let years = Dictionary(grouping: flights) { $0.departedAt.year }
        .map { MigrationYear(year: $0.key, flights: $0.value) }.sorted { $0.year < $1.year }
      return pace.list(years, milliseconds: 350) { .object($0) }
    }
    field("MigrationYear", "year") { .int(try $0.source(as: MigrationYear.self).year) }
    field("MigrationYear", "distance") {
      .double(try $0.source(as: MigrationYear.self).flights.reduce(0) { $0 + $1.distance }.rounded(toPlaces: 1))
    }
    field("MigrationYear", "flights") { .list(try $0.source(as: MigrationYear.self).flights.map { .object($0) }) }
  }

  mutating func addFlights(_ world: DemoDatabase, _ pace: Pace) {
    func flight(_ name: String, _ get: @escaping @Sendable (Flight) -> ResolvedValue) {
      field("Flight", name) { get(try $0.source()) }
    }
    flight("id") { .string($0.id) }
    flight("bird") { .optional(world.now.bird($0.bird)) { .object($0) } }
    flight("from") { .object($0.from) }
    flight("to") { .object($0.to) }
    flight("departedAt") { .time($0.departedAt) }
    flight("arrivedAt") { .time($0.arrivedAt) }
    flight("distance") { .double($0.distance.rounded(toPlaces: 1)) }
    flight("speed") { .double($0.speed.rounded(toPlaces: 1)) }
    flight("track") { flight in
      pace.list(Array(0...12), milliseconds: 150) { step in
        .coordinates(flight.from.coordinates.point(towards: flight.to.coordinates, fraction: Double(step) / 12))
      }
    }
  }

  mutating func addObservations(_ world: DemoDatabase) {
    func observation(_ name: String, _ get: @escaping @Sendable (Observation) -> ResolvedValue) {
      field("Observation", name) { get(try $0.source()) }
    }
    observation("id") { .string($0.id) }
    observation("bird") { .optional(world.now.bird($0.bird)) { .object($0) } }
    observation("station") { .object(NaturalHistory.stations[$0.station]) }
    observation("observer") { .string($0.observer) }
    observation("observedAt") { .time($0.observedAt) }
    observation("behaviour") { .string($0.behaviour) }
    observation("coordinates") { .coordinates($0.coordinates) }
    observation("remark") { .optional($0.remark, ResolvedValue.string) }
  }

  mutating func addFaults(_ pace: Pace) {
    field("Faults", "optional") { throw failure($0, code: "NO_ANSWER") }
    field("Faults", "required") { throw failure($0, code: "LOGBOOK_LOST") }
    field("Faults", "list") { _ in
      .list([.string("first"), .failure(ExecutionError("The second item is broken.")), .string("third")])
    }
    asyncField("Faults", "late") { context in
      try await pace.wait(milliseconds: context.arguments["milliseconds"]?.int ?? 1000)
      throw ExecutionError("It took a while, and then it failed.")
    }
  }
}

/// The source of `Faults`, which has no data.
struct Fault: Sendable {}

/// Returns the error that a field's arguments request.
func failure(_ context: FieldContext, code: String) -> ExecutionError {
  ExecutionError(
    context.arguments["message"]?.string ?? "It failed.", extensions: .object([("code", JSONValue(code))]))
}
