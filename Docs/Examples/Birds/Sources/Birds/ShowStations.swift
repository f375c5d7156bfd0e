import BirdsSelections

/// The data of a station that this program uses.
struct StationLine: Sendable {
  let name: String
  let country: String
}

let stationLine = Selection.Station { station in
  StationLine(name: try station.name(), country: try station.country())
}

/// Shows the stations, by country.
func showStations(at url: String) async throws {
  let client = GraphQLClient(url: url)
  let stations = try await client.send(Selection.Query { try $0.stations(stationLine.list) })
  for station in stations.sorted(by: { $0.country < $1.country }) { print("\(station.country): \(station.name)") }
}
