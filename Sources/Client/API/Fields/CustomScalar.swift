import ApusJSON

/// A custom scalar of the application, such as a date. Generated fields decode it on each access, after the response
/// was validated by decoding it once.
///
///     extension DateTime: CustomScalar {
///       init(_jsonValue value: JSONValue) throws { … }
///       var _jsonValue: JSONValue { JSONValue(text) }
///     }
public protocol CustomScalar: OutputValue, InputConvertible {
  /// Creates the scalar from its JSON value in a response.
  ///
  /// - Throws: Any error if the value is invalid. The field then becomes null in the result, with an error at its path.
  ///   The thrown error is not shown, because it might quote the value.
  init(_jsonValue: JSONValue) throws
  /// The JSON value for variables and the cache. `init(_jsonValue:)` must accept it.
  var _jsonValue: JSONValue { get }
}

extension CustomScalar {
  public static var _outputType: OutputType {
    .nonNull(.customScalar(name: "\(Self.self)", Self.self))
  }

  /// Returns the decoded scalar for comparisons, or the JSON value if decoding fails.
  static func identity(of json: JSONValue) -> AnyHashable {
    (try? Self(_jsonValue: json)).map { AnyHashable($0) } ?? AnyHashable(json)
  }

  public init?(_ field: FieldValue) {
    guard let value = try? Self(_jsonValue: field.json) else { return nil }
    self = value
  }

  public var _json: JSONValue { _jsonValue }
  public var _input: JSONValue? { _jsonValue }
}

/// Any JSON value, the type of custom scalars without a Swift type.
extension JSONValue: CustomScalar {
  public init(_jsonValue: JSONValue) { self = _jsonValue }
  /// The value itself.
  public var _jsonValue: JSONValue { self }
}
