/// Importing the models imports the client.
@_exported public import Apus

/// The scalar `Day` of the schema: a date without a time.
public struct Day: CustomScalar {
  public let text: String

  public init(_ text: String) { self.text = text }

  public init(_jsonValue value: JSONValue) throws {
    guard let text = value.string, text.count == 10 else { throw NotADay() }
    self.text = text
  }

  public var _jsonValue: JSONValue { JSONValue(text) }

  public static let mockValue = Day("2025-01-01")
}

public struct NotADay: Error {}
