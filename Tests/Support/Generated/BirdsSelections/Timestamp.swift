import ApusSelections

/// The demo API's `DateTime`: text such as `2025-04-19T06:30:00Z`, of which the year can be read.
public struct Timestamp: Codec {
  public let text: String

  public init(_ text: String) { self.text = text }

  public init(_jsonValue value: JSONValue) throws {
    guard let text = value.string, text.hasSuffix("Z"), text.contains("T") else { throw NotATime() }
    self.text = text
  }

  public var _jsonValue: JSONValue { JSONValue(text) }
  public static var mockValue: Timestamp { Timestamp("2025-01-01T00:00:00Z") }
  public var year: Int { Int(text.prefix(4)) ?? 0 }

  struct NotATime: Error {}
}
