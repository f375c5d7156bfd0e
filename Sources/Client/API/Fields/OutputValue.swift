import ApusJSON

/// What a field of a response can be in Swift: a scalar, an enum, a selection set, and optionals and lists of these.
public protocol OutputValue: Sendable, Hashable {
  /// The field's type in the schema's terms; non-null but for optionals.
  static var _outputType: OutputType { get }
  /// `nil` when the JSON has another shape.
  init?(_ field: FieldView)
  /// As a response would have it.
  var _json: JSONValue { get }
}

/// A field's type as a model declares it.
public indirect enum OutputType: Sendable {
  /// A scalar with the check that a value must pass.
  case scalar(name: String, check: @Sendable (JSONValue) -> Bool)
  /// A scalar of the application's own, by its name in the schema.
  case customScalar(name: String, any CustomScalar.Type)
  /// An enum of the schema, by its name in Swift.
  case enumeration(name: String)
  /// An object, interface or union, with the model that has its selections.
  case object(any SelectionSet.Type)
  /// A list of values of the type inside.
  case list(OutputType)
  /// The type inside, without null.
  case nonNull(OutputType)

  /// The type without its outermost non-null.
  public var nullable: OutputType { if case .nonNull(let inner) = self { inner } else { self } }

  /// The same with another name of the scalar that it is, or that its lists are of.
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

/// A field's value on its way to Swift.
public struct FieldView: Sendable {
  /// The field's value in the response; JSON null where the server sent null or the field is not there.
  public let json: JSONValue
  let place: ObjectPlace

  init(_ json: JSONValue, place: ObjectPlace) {
    self.json = json
    self.place = place
  }

  /// The object as a model's data.
  func object<Model: SelectionSet>(for model: Model.Type) -> DataDict { DataDict(json, place: place.resolved(model)) }

  func element(_ value: JSONValue, at index: Int) -> FieldView {
    FieldView(value, place: place.hasStates ? place.appending(.index(index)) : place)
  }
}

extension Optional: OutputValue where Wrapped: OutputValue {
  public static var _outputType: OutputType { Wrapped._outputType.nullable }

  public init?(_ field: FieldView) {
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

  public init?(_ field: FieldView) {
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
