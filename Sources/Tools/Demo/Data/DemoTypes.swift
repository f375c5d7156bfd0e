/// The data types of the demo API. They refer to each other by index, and have the ids of the API.

struct Coordinates: Equatable, Sendable {
  var latitude: Double
  var longitude: Double
}

struct Species: Sendable {
  var index: Int
  var scientificName: String
  /// The common names in English, Swedish, Spanish and Japanese.
  var commonNames: [String]
  var family: String
  var status: String
  var wingspan: Double
  var journey: Int
  var weight: Range<Int>
  var breeding: [String]
  var wintering: [String]

  var id: String { "sp\(index + 1)" }
}

struct Station: Sendable {
  var index: Int
  var name: String
  var country: String
  var kind: String
  var coordinates: Coordinates
  var founded: Int
  var website: String?

  var id: String { "st\(index + 1)" }
}

struct Bird: Sendable {
  /// Numbers are never reused.
  var number: Int
  var name: String
  var ring: String
  var species: Int
  var sex: String
  var weight: Double?
  var station: Int
  var ringedAt: UTCTime
  /// The number of the companion.
  var companion: Int?
  var notes: String?

  var id: String { "b\(number)" }
}

struct Flight: Sendable {
  /// The bird's number, which forms the id together with `ordinal`.
  var bird: Int
  var ordinal: Int
  var from: Station
  var to: Station
  var departedAt: UTCTime
  var arrivedAt: UTCTime

  var id: String { "f\(bird)-\(ordinal + 1)" }

  /// The great-circle distance in kilometers.
  var distance: Double { from.coordinates.distance(to: to.coordinates) }

  /// The speed in meters per second.
  var speed: Double { distance * 1000 / Double(max(1, arrivedAt.seconds - departedAt.seconds)) }
}

struct Observation: Sendable {
  var number: Int
  var bird: Int
  var station: Int
  var observer: String
  var observedAt: UTCTime
  var behaviour: String
  var coordinates: Coordinates
  var remark: String?

  var id: String { "o\(number)" }
}

struct MigrationYear: Sendable {
  var year: Int
  var flights: [Flight]
}
