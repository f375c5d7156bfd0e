import ApusGraphQLExecution
import ApusJSON

extension Resolvers {
  mutating func addSpecies(_ world: DemoDatabase, _ pace: Pace) {
    func species(_ name: String, _ get: @escaping @Sendable (Species, FieldContext) throws -> ResolvedValue) {
      field("Species", name) { try get($0.source(), $0) }
    }
    species("id") { species, _ in .string(species.id) }
    species("scientificName") { species, _ in .string(species.scientificName) }
    species("latinName") { species, _ in .string(species.scientificName) }
    species("commonName") { species, context in
      let languages = ["ENGLISH", "SWEDISH", "SPANISH", "JAPANESE"]
      let index = languages.firstIndex(of: context.arguments["language"]?.string ?? "") ?? 0
      return .string(species.commonNames[index])
    }
    species("commonNames") { species, _ in .list(species.commonNames.map(ResolvedValue.string)) }
    species("family") { species, _ in .string(species.family) }
    species("status") { species, _ in .string(species.status) }
    species("wingspan") { species, context in
      let isInches = context.arguments["unit"]?.string == "INCH"
      return .double(isInches ? (species.wingspan / 2.54).rounded(toPlaces: 1) : species.wingspan)
    }
    species("journey") { species, _ in .int(species.journey) }
    species("page") { species, _ in
      .string("https://species.example/\(species.scientificName.lowercased().replacing(" ", with: "-"))")
    }
    species("birdCount") { species, _ in .int(world.now.birds.count { $0.species == species.index }) }
    species("birds") { species, context in
      .object(try BirdPage(world.now, context.arguments, species: species.index))
    }
    asyncField("Species", "range") { context in
      let species: Species = try context.source()
      try await pace.wait(milliseconds: 800)
      return .object(species)
    }
    field("SpeciesRange", "breeding") { .list(try $0.source(as: Species.self).breeding.map(ResolvedValue.string)) }
    field("SpeciesRange", "wintering") { .list(try $0.source(as: Species.self).wintering.map(ResolvedValue.string)) }
    field("SpeciesRange", "area") {
      var generator = SeededGenerator(seed: UInt64(try $0.source(as: Species.self).index) &+ 77)
      return .double(Double(generator.int(40..<31000)) * 1000)
    }
  }

  mutating func addStations(_ world: DemoDatabase, _ pace: Pace) {
    func station(_ name: String, _ get: @escaping @Sendable (Station, FieldContext) throws -> ResolvedValue) {
      field("Station", name) { try get($0.source(), $0) }
    }
    station("id") { station, _ in .string(station.id) }
    station("name") { station, _ in .string(station.name) }
    station("country") { station, _ in .string(station.country) }
    station("kind") { station, _ in .string(station.kind) }
    station("coordinates") { station, _ in .coordinates(station.coordinates) }
    station("founded") { station, _ in .int(station.founded) }
    station("website") { station, _ in .optional(station.website, ResolvedValue.string) }
    station("birdCount") { station, _ in .int(world.now.birds.count { $0.station == station.index }) }
    station("observations") { station, context in
      let limit = try listCount("limit", context.arguments) ?? 5
      let seen = world.now.observations.reversed().lazy.filter { $0.station == station.index }.prefix(limit)
      return .list(seen.map { .object($0) })
    }
    asyncField("Station", "weather") { context in
      let station: Station = try context.source()
      try await pace.wait(milliseconds: 1200)
      return .object(Weather(at: station))
    }
    field("Weather", "temperature") { .double(try $0.source(as: Weather.self).temperature) }
    field("Weather", "windSpeed") { .double(try $0.source(as: Weather.self).windSpeed) }
    field("Weather", "windDirection") { .string(try $0.source(as: Weather.self).windDirection) }
    field("Weather", "summary") { .string(try $0.source(as: Weather.self).summary) }
    field("Weather", "measuredAt") { _ in .time(DemoDatabase.epoch) }
  }
}

/// The weather at a station, which depends only on the station and is the same on every start.
private struct Weather: Sendable {
  let temperature: Double
  let windSpeed: Double
  let windDirection: String
  let summary: String

  init(at station: Station) {
    var generator = SeededGenerator(seed: 0xA1 &+ UInt64(station.index) &* 31)
    let warmth = 30 - Int(abs(station.coordinates.latitude) / 2.2)
    temperature = generator.tenths(warmth - 6..<warmth + 6)
    windSpeed = generator.tenths(0..<17)
    windDirection = generator.pick(NaturalHistory.winds)
    summary = generator.pick(NaturalHistory.skies)
  }
}

/// Returns a count from an argument; throws if it is out of range.
func listCount(_ name: String, _ arguments: JSONValue, atMost limit: Int = 100) throws(ExecutionError) -> Int? {
  guard let count = arguments[name]?.int else { return nil }
  guard (0...limit).contains(count) else {
    throw ExecutionError("\"\(name)\" must be between 0 and \(limit), not \(count).")
  }
  return count
}
