import ApusGraphQLExecution
import ApusJSON

extension Resolvers {
  mutating func addScalars() {
    scalar("DateTime", ScalarCoding(parse: parseDateTime, serialize: { value throws(ExecutionError) in value }))
    scalar("URL", ScalarCoding(parse: parseURL, serialize: { value throws(ExecutionError) in value }))
    scalar("Upload", ScalarCoding(parse: parseUpload, serialize: { value throws(ExecutionError) in value }))
    scalar("Coordinates", ScalarCoding(parse: parseCoordinates, serialize: { value throws(ExecutionError) in value }))
  }
}

extension ResolvedValue {
  static func time(_ time: UTCTime) -> ResolvedValue { .string(time.text) }
  static func coordinates(_ place: Coordinates) -> ResolvedValue { .leaf(place.json) }
}

extension Coordinates {
  var json: JSONValue { .object([("latitude", JSONValue(latitude)), ("longitude", JSONValue(longitude))]) }

  /// Creates coordinates from a value that `parseCoordinates` accepted.
  init?(_ json: JSONValue?) {
    guard let latitude = json?["latitude"]?.double, let longitude = json?["longitude"]?.double else { return nil }
    self.init(latitude: latitude, longitude: longitude)
  }
}

@Sendable private func parseDateTime(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
  guard let time = value.string.flatMap({ UTCTime($0) }) else {
    throw ExecutionError("DateTime cannot represent value: \(value). Write it like \"2025-04-19T06:30:00Z\".")
  }
  return JSONValue(time.text)
}

@Sendable private func parseURL(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
  guard let text = value.string, text.contains("://"), !text.contains(" ") else {
    throw ExecutionError("URL cannot represent value: \(value). It needs a scheme, as in \"https://example.org\".")
  }
  return value
}

/// Coerces a file to its index among the request's files.
@Sendable private func parseUpload(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
  guard let index = value.int, index >= 0 else {
    throw ExecutionError("Upload cannot represent value: \(value). Send the file in a GraphQL multipart request.")
  }
  return value
}

/// Coerces `{latitude: 56.2, longitude: 16.4}` or `"56.2,16.4"`.
@Sendable private func parseCoordinates(_ value: JSONValue) throws(ExecutionError) -> JSONValue {
  var place = Coordinates(value)
  if let text = value.string {
    let parts = text.split(separator: ",").map { $0.drop { $0 == " " } }.map { Double($0) }
    if parts.count == 2, let latitude = parts[0], let longitude = parts[1] {
      place = Coordinates(latitude: latitude, longitude: longitude)
    }
  }
  guard let place, abs(place.latitude) <= 90, abs(place.longitude) <= 180 else {
    throw ExecutionError(
      "Coordinates cannot represent value: \(value). Write {latitude: 56.2, longitude: 16.4} or \"56.2,16.4\".")
  }
  return place.json
}
