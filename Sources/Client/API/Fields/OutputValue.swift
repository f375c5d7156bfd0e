import ApusJSON

/// A Swift type for response fields: a scalar, an enum, a selection set, or an optional or list of these.
public protocol OutputValue: Sendable, Hashable {
  /// The field's type in the schema. All types except optionals are non-null.
  static var _outputType: OutputType { get }
  /// Creates the value; `nil` if the JSON has a different form.
  init?(_ field: FieldValue)
  /// The JSON value as in a response.
  var _json: JSONValue { get }
}

/// The type of a field in a model.
public indirect enum OutputType: Sendable {
  /// A scalar, with a check of its values.
  case scalar(name: String, check: @Sendable (JSONValue) -> Bool)
  /// A custom scalar of the application, by its name in the schema.
  case customScalar(name: String, any CustomScalar.Type)
  /// An enum, by its name in Swift.
  case enumeration(name: String)
  /// An object, interface or union, with its model.
  case object(any SelectionSet.Type)
  /// A list.
  case list(OutputType)
  /// A non-null type.
  case nonNull(OutputType)

  /// The type without its outermost non-null.
  public var nullable: OutputType { if case .nonNull(let inner) = self { inner } else { self } }

  /// Returns the type with the innermost scalar renamed.
  func named(_ scalar: String) -> OutputType {
    switch self {
    case .scalar(_, let check): .scalar(name: scalar, check: check)
    case .customScalar(_, let type): .customScalar(name: scalar, type)
    case .list(let inner): .list(inner.named(scalar))
    case .nonNull(let inner): .nonNull(inner.named(scalar))
    case .enumeration, .object: self
    }
  }
}

/// A field value to be decoded.
public struct FieldValue: Sendable {
  /// The JSON value; JSON null if the field is null or missing.
  public let json: JSONValue
  let place: ObjectContext

  init(_ json: JSONValue, place: ObjectContext) {
    self.json = json
    self.place = place
  }

  /// Returns the object as the data of a model.
  func object<Model: SelectionSet>(for model: Model.Type) -> DataDict { DataDict(json, place: place.resolved(model)) }

  func element(_ value: JSONValue, at index: Int) -> FieldValue {
    FieldValue(value, place: place.hasStates ? place.appending(.index(index)) : place)
  }
}

extension Optional: OutputValue where Wrapped: OutputValue {
  public static var _outputType: OutputType { Wrapped._outputType.nullable }

  public init?(_ field: FieldValue) {
    if field.json.isNull {
      self = .none
    } else if let value = Wrapped(field) {
      self = .some(value)
    } else {
      return nil
    }
  }

  public var _json: JSONValue { map(\._json) ?? .null }
}

extension Array: OutputValue where Element: OutputValue {
  public static var _outputType: OutputType { .nonNull(.list(Element._outputType)) }

  public init?(_ field: FieldValue) {
    guard field.json.kind == .array else { return nil }
    self = []
    reserveCapacity(field.json.count)
    var index = 0
    for element in field.json.elements {
      guard let value = Element(field.element(element, at: index)) else { return nil }
      append(value)
      index += 1
    }
  }

  public var _json: JSONValue { .array(map(\._json)) }
}
