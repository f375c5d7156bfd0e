import ApusJSON

/// The value of a field does not match its Swift type.
public struct LeafValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value in the response.
  public let found: JSONValue

  /// Creates an error, for custom `LeafValue` types.
  public init(found: JSONValue) { self.found = found }

  public var description: String { found.isNull ? "it is null" : "it is \(found)" }
}
