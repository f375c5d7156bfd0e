import ApusJSON

/// A field without selections has another value than its Swift type takes.
public struct LeafValueError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The value that is there.
  public let found: JSONValue

  /// For a `LeafValue` of your own that finds a value which is none of its type.
  public init(found: JSONValue) { self.found = found }

  public var description: String { found.isNull ? "it is null" : "it is \(found)" }
}
