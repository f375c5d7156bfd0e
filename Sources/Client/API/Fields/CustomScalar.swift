import ApusJSON

/// A scalar of an application's own, such as a date. Generated fields of its type decode it when they are read, after
/// the response was checked by decoding it once.
///
///     extension DateTime: CustomScalar {
///       init(_jsonValue value: JSONValue) throws { … }
///       var _jsonValue: JSONValue { JSONValue(text) }
///     }
public protocol CustomScalar: OutputValue, InputConvertible {
  /// Makes the scalar from its JSON value in a response, in whatever form the server writes it.
  ///
  /// - Throws: Any error, when the value is not one of this scalar: it makes the field null in the result, with an
  ///   error at its path. What is thrown is not shown, for it might quote the value.
  init(_jsonValue: JSONValue) throws
  /// The scalar as JSON, as it is sent in variables and kept in the cache: `init(_jsonValue:)` must take it back.
  var _jsonValue: JSONValue { get }
}

extension CustomScalar {
  public static var _outputType: OutputType {
    .nonNull(.customScalar(name: "\(Self.self)", Self.self))
  }

  /// Returns the scalar that a JSON value is decoded to, for comparisons; the JSON value itself where decoding fails.
  static func identity(of json: JSONValue) -> AnyHashable {
    (try? Self(_jsonValue: json)).map { AnyHashable($0) } ?? AnyHashable(json)
  }

  public init?(_ field: FieldView) {
    guard let value = try? Self(_jsonValue: field.json) else { return nil }
    self = value
  }

  public var _json: JSONValue { _jsonValue }
  public var _input: JSONValue? { _jsonValue }
}

/// Any JSON: what a scalar is of which nothing is known.
extension JSONValue: CustomScalar {
  public init(_jsonValue: JSONValue) { self = _jsonValue }
  /// The value itself.
  public var _jsonValue: JSONValue { self }
}
