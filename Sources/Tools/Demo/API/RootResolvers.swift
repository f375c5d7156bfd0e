import ApusDigest
import ApusGraphQLExecution
import ApusJSON

extension Resolvers {
  mutating func addQueries(_ world: DemoDatabase, _ pace: Pace) {
    field("Query", "node") { DemoID.node($0.arguments["id"]?.string ?? "", in: world.now) }
    field("Query", "nodes") { context in
      let state = world.now
      return .list(context.arguments["ids"]?.elements.map { DemoID.node($0.string ?? "", in: state) } ?? [])
    }
    field("Query", "bird") { .optional(bird($0.arguments["id"]?.string, in: world.now)) { .object($0) } }
    field("Query", "birdBy") { context in
      let state = world.now
      let lookup = context.arguments["lookup"]
      if let id = lookup?["id"]?.string { return .optional(bird(id, in: state)) { .object($0) } }
      let ring = lookup?["ring"]?.string
      let name = lookup?["name"]?.string
      return .optional(state.birds.first { $0.ring == ring || $0.name == name }) { .object($0) }
    }
    field("Query", "birds") { .object(try BirdPage(world.now, $0.arguments)) }
    field("Query", "allBirds") { _ in .list(world.now.birds.map { .object($0) }) }
    field("Query", "species") { .optional(DemoID.species($0.arguments["id"]?.string)) { .object($0) } }
    field("Query", "allSpecies") { context in
      let status = context.arguments["status"]?.string
      return .list(NaturalHistory.species.filter { status == nil || $0.status == status }.map { .object($0) })
    }
    field("Query", "station") { .optional(DemoID.station($0.arguments["id"]?.string)) { .object($0) } }
    field("Query", "stations") { _ in .list(NaturalHistory.stations.map { .object($0) }) }
    field("Query", "observations") { context in
      guard let offset = context.arguments["offset"]?.int, offset >= 0 else {
        throw ExecutionError("\"offset\" must not be negative.")
      }
      let limit = try listCount("limit", context.arguments) ?? 20
      return .list(world.now.observations.reversed().dropFirst(offset).prefix(limit).map { .object($0) })
    }
    field("Query", "observationCount") { _ in .int(world.now.observations.count) }
    field("Query", "search") { .list(try search($0.arguments, in: world.now)) }
    field("Query", "fail") { throw failure($0, code: "ASKED_FOR") }
    field("Query", "faults") { _ in .object(Fault()) }
    asyncField("Query", "slow") { context in
      let milliseconds = context.arguments["milliseconds"]?.int ?? 1000
      try await pace.wait(milliseconds: milliseconds)
      return .string("That took \(milliseconds) ms.")
    }
  }

  mutating func addMutations(_ world: DemoDatabase) {
    field("Mutation", "ringBird") { context in
      let input = context.arguments["input"]
      let species = try existing(DemoID.species(input?["species"]?.string), "species", input?["species"])
      let station = try existing(DemoID.station(input?["station"]?.string), "station", input?["station"])
      let bird = world.ring(
        name: try name(input?["name"]), species: species.index, station: station.index,
        sex: input?["sex"]?.string ?? "UNKNOWN", weight: input?["weight"]?.double,
        at: input?["ringedAt"]?.string.flatMap { UTCTime($0) } ?? .now)
      return .object(bird)
    }
    field("RingBirdPayload", "bird") { .object(try $0.source(as: Bird.self)) }
    field("RingBirdPayload", "station") { .object(NaturalHistory.stations[try $0.source(as: Bird.self).station]) }

    field("Mutation", "renameBird") { context in
      let id = context.arguments["id"]
      let number = try existing(bird(id?.string, in: world.now), "bird", id).number
      let change = world.rename(number, to: try name(context.arguments["name"]))
      return .object(Renaming(birds: try existing(change, "bird", id)))
    }
    field("RenameBirdPayload", "bird") { .object(try $0.source(as: Renaming.self).birds.after) }
    field("RenameBirdPayload", "previousName") { .string(try $0.source(as: Renaming.self).birds.before.name) }

    field("Mutation", "recordObservation") { context in
      let input = context.arguments["input"]
      let bird = try existing(bird(input?["bird"]?.string, in: world.now), "bird", input?["bird"])
      let station = try existing(DemoID.station(input?["station"]?.string), "station", input?["station"])
      return .object(
        world.record(
          bird: bird.number, station: station.index, observer: input?["observer"]?.string ?? "",
          behaviour: input?["behaviour"]?.string ?? "RESTING",
          coordinates: Coordinates(input?["coordinates"]) ?? station.coordinates, remark: input?["remark"]?.string,
          at: .now))
    }
    field("RecordObservationPayload", "observation") { .object(try $0.source(as: Observation.self)) }

    field("Mutation", "deleteBird") { context in
      let id = context.arguments["id"]
      let bird = try existing(bird(id?.string, in: world.now), "bird", id)
      return .object(Deletion(id: bird.id, remaining: try existing(world.delete(bird.number), "bird", id)))
    }
    field("DeleteBirdPayload", "deletedId") { .string(try $0.source(as: Deletion.self).id) }
    field("DeleteBirdPayload", "remainingCount") { .int(try $0.source(as: Deletion.self).remaining) }
    addUploads(world)
  }

  private mutating func addUploads(_ world: DemoDatabase) {
    field("Mutation", "addPhotos") { context in
      let id = context.arguments["bird"]
      let bird = try existing(bird(id?.string, in: world.now), "bird", id)
      let photos = try context.arguments["photos"]?.elements.map { try photo($0, context) } ?? []
      let cover = try context.arguments["cover"].flatMap { $0.isNull ? nil : try photo($0, context) }
      return .object(PhotoAddition(bird: bird, photos: photos, cover: cover))
    }
    field("AddPhotosPayload", "bird") { .object(try $0.source(as: PhotoAddition.self).bird) }
    field("AddPhotosPayload", "photos") { .list(try $0.source(as: PhotoAddition.self).photos.map { .object($0) }) }
    field("AddPhotosPayload", "cover") {
      .optional(try $0.source(as: PhotoAddition.self).cover) { .object($0) }
    }
    field("Photo", "name") { .string(try $0.source(as: UploadedFile.self).name) }
    field("Photo", "contentType") { .string(try $0.source(as: UploadedFile.self).contentType) }
    field("Photo", "size") { .int(try $0.source(as: UploadedFile.self).bytes.count) }
    field("Photo", "sha256") { .string(SHA256Digest.hexadecimal(of: try $0.source(as: UploadedFile.self).bytes)) }
  }
}

private struct Renaming: Sendable {
  var birds: (before: Bird, after: Bird)
}

private struct Deletion: Sendable {
  var id: String
  var remaining: Int
}

private struct PhotoAddition: Sendable {
  var bird: Bird
  var photos: [UploadedFile]
  var cover: UploadedFile?
}

/// Returns the file of an argument of type `Upload`.
private func photo(_ value: JSONValue, _ context: FieldContext) throws(ExecutionError) -> UploadedFile {
  guard let files = context.request as? [UploadedFile], let index = value.int, files.indices.contains(index) else {
    throw ExecutionError("No file was sent for this argument: send it in a GraphQL multipart request.")
  }
  return files[index]
}

private func bird(_ id: String?, in state: DemoDatabase.State) -> Bird? {
  id.flatMap { DemoID.number($0, "b") }.flatMap { state.bird($0) }
}

private func existing<Value>(_ value: Value?, _ what: String, _ id: JSONValue?) throws(ExecutionError) -> Value {
  guard let value else {
    throw ExecutionError(
      "There is no \(what) with the id \(id ?? .null).", extensions: .object([("code", "NOT_FOUND")]))
  }
  return value
}

private func name(_ value: JSONValue?) throws(ExecutionError) -> String {
  guard let name = value?.string, !name.allSatisfy(\.isWhitespace) else {
    throw ExecutionError("A bird needs a name.", extensions: .object([("code", "BAD_NAME")]))
  }
  return name
}

private func search(_ arguments: JSONValue, in state: DemoDatabase.State) throws -> [ResolvedValue] {
  let text = (arguments["text"]?.string ?? "").lowercased()
  let limit = try listCount("first", arguments) ?? 10
  var kinds: Set<String> = ["BIRD", "SPECIES", "STATION"]
  if let requested = arguments["kinds"], !requested.isNull { kinds = Set(requested.elements.compactMap(\.string)) }
  func matches(_ names: [String]) -> Bool { names.contains { $0.lowercased().contains(text) } }
  var found: [ResolvedValue] = []
  if kinds.contains("SPECIES") {
    for species in NaturalHistory.species where matches(species.commonNames + [species.scientificName]) {
      found.append(.object(species, type: "Species"))
    }
  }
  if kinds.contains("STATION") {
    for station in NaturalHistory.stations where matches([station.name, station.country]) {
      found.append(.object(station, type: "Station"))
    }
  }
  if kinds.contains("BIRD") {
    for bird in state.birds where found.count < limit && matches([bird.name, bird.ring]) {
      found.append(.object(bird, type: "Bird"))
    }
  }
  return Array(found.prefix(limit))
}
