import ApusGraphQLExecution
import ApusJSON

/// A page of a sorted and filtered list of birds (GraphQL Cursor Connections Specification).
struct BirdPage: Sendable {
  static let largest = 100

  var birds: [Bird]
  var hasNextPage: Bool
  var hasPreviousPage: Bool
  var totalCount: Int

  init(_ state: DemoDatabase.State, _ arguments: JSONValue, species: Int? = nil) throws(ExecutionError) {
    let order = BirdOrder(arguments["orderBy"])
    let filter = BirdFilter(arguments["filter"], species: species)
    let sorted = order.sort(state.birds.filter(filter.matches))
    var range = 0..<sorted.count
    if let after = arguments["after"]?.string {
      let bird = try Self.bird(at: after, in: state)
      let start = sorted.firstIndex { order.isBefore(bird, $0) } ?? sorted.count
      range = max(start, range.lowerBound)..<max(start, range.upperBound)
    }
    if let before = arguments["before"]?.string {
      let bird = try Self.bird(at: before, in: state)
      let end = sorted.firstIndex { !order.isBefore($0, bird) } ?? sorted.count
      range = min(range.lowerBound, end)..<min(range.upperBound, end)
    }
    let first = try Self.count("first", arguments)
    let last = try Self.count("last", arguments)
    guard first == nil || last == nil else { throw ExecutionError("Give \"first\" or \"last\", not both.") }
    var page = range
    if let last {
      page = max(range.lowerBound, range.upperBound - last)..<range.upperBound
    } else {
      page = range.lowerBound..<min(range.upperBound, range.lowerBound + (first ?? 20))
    }
    birds = Array(sorted[page])
    hasNextPage = page.upperBound < sorted.count
    hasPreviousPage = page.lowerBound > 0
    totalCount = sorted.count
  }

  static func cursor(_ bird: Bird) -> String { "at-\(bird.id)" }

  /// Returns the bird for a cursor. Cursors of deleted birds stay valid.
  private static func bird(at cursor: String, in state: DemoDatabase.State) throws(ExecutionError) -> Bird {
    if cursor.hasPrefix("at-b"), let number = Int(cursor.dropFirst(4)),
      let bird = state.bird(number) ?? state.deletedBirds[number]
    {
      return bird
    }
    throw ExecutionError("\"\(cursor)\" is not a cursor of this list.")
  }

  private static func count(_ name: String, _ arguments: JSONValue) throws(ExecutionError) -> Int? {
    guard let count = arguments[name]?.int else { return nil }
    guard (0...largest).contains(count) else {
      throw ExecutionError("\"\(name)\" must be between 0 and \(largest), not \(count).")
    }
    return count
  }
}

/// The sort order of birds: `{field: WEIGHT, direction: DESCENDING}`. Ties are sorted by number.
struct BirdOrder {
  private var field = "ID"
  private var isDescending = false

  init(_ argument: JSONValue?) {
    if let argument, !argument.isNull {
      field = argument["field"]?.string ?? "ID"
      isDescending = argument["direction"]?.string == "DESCENDING"
    }
  }

  func isBefore(_ left: Bird, _ right: Bird) -> Bool {
    isDescending ? isAscending(right, left) : isAscending(left, right)
  }

  func sort(_ birds: [Bird]) -> [Bird] {
    // The list is stored in the order of numbers.
    field == "ID" ? (isDescending ? birds.reversed() : birds) : birds.sorted(by: isBefore)
  }

  private func isAscending(_ left: Bird, _ right: Bird) -> Bool {
    switch field {
    case "NAME" where left.name != right.name: left.name < right.name
    case "WEIGHT" where left.weight != right.weight: (left.weight ?? -1) < (right.weight ?? -1)
    case "RINGED_AT" where left.ringedAt != right.ringedAt: left.ringedAt < right.ringedAt
    default: left.number < right.number
    }
  }
}

/// A filter for birds: `{nameContains: "owl", station: "st4"}`. All given conditions must match.
struct BirdFilter {
  private var name: String?
  private var species: Set<Int>?
  private var station: Int?
  private var sex: String?
  private var status: String?
  private var ringedSince: UTCTime?
  private var weightAtLeast: Double?

  init(_ argument: JSONValue?, species: Int? = nil) {
    self.species = species.map { [$0] }
    guard let argument, !argument.isNull else { return }
    name = (argument["nameContains"]?.string ?? argument["name"]?.string)?.lowercased()
    if let ids = argument["species"], !ids.isNull {
      self.species = Set(ids.elements.compactMap { $0.string.flatMap { DemoID.index($0, "sp") } })
    }
    // An invalid station id matches no bird.
    if let id = argument["station"]?.string { station = DemoID.index(id, "st") ?? -1 }
    sex = argument["sex"]?.string
    status = argument["status"]?.string
    ringedSince = argument["ringedSince"]?.string.flatMap { UTCTime($0) }
    weightAtLeast = argument["weightAtLeast"]?.double
  }

  func matches(_ bird: Bird) -> Bool {
    if let species, !species.contains(bird.species) { return false }
    if let station, bird.station != station { return false }
    if let sex, bird.sex != sex { return false }
    if let status, NaturalHistory.species[bird.species].status != status { return false }
    if let ringedSince, bird.ringedAt < ringedSince { return false }
    if let weightAtLeast, (bird.weight ?? 0) < weightAtLeast { return false }
    if let name, !bird.name.lowercased().contains(name) { return false }
    return true
  }
}

/// Ids with a prefix for their type: `b12`, `sp3`, `st4`, `f12-1`, `o99`.
enum DemoID {
  /// Returns the index in a fixed list. Indices start at 0, ids at 1.
  static func index(_ id: String, _ prefix: String) -> Int? {
    number(id, prefix).map { $0 - 1 }
  }

  static func number(_ id: String, _ prefix: String) -> Int? {
    guard id.hasPrefix(prefix), let number = Int(id.dropFirst(prefix.count)), number > 0 else { return nil }
    return number
  }

  static func species(_ id: String?) -> Species? {
    guard let index = id.flatMap({ index($0, "sp") }), index < NaturalHistory.species.count else { return nil }
    return NaturalHistory.species[index]
  }

  static func station(_ id: String?) -> Station? {
    guard let index = id.flatMap({ index($0, "st") }), index < NaturalHistory.stations.count else { return nil }
    return NaturalHistory.stations[index]
  }

  static func node(_ id: String, in state: DemoDatabase.State) -> ResolvedValue {
    if let species = species(id) { return .object(species, type: "Species") }
    if let station = station(id) { return .object(station, type: "Station") }
    if let bird = number(id, "b").flatMap({ state.bird($0) }) { return .object(bird, type: "Bird") }
    if let number = number(id, "o"), let observation = state.observations.first(where: { $0.number == number }) {
      return .object(observation, type: "Observation")
    }
    if id.hasPrefix("f") {
      let parts = id.dropFirst().split(separator: "-").map { Int($0) }
      if parts.count == 2, let bird = parts[0].flatMap({ state.bird($0) }), let ordinal = parts[1] {
        let flights = DemoDatabase.flights(of: bird)
        if flights.indices.contains(ordinal - 1) { return .object(flights[ordinal - 1], type: "Flight") }
      }
    }
    return .null
  }
}
