import ApusJSON

/// A nullable input that can be omitted. Servers may distinguish an omitted value from null.
///
/// `nil` omits the value; a literal of the wrapped type is a value.
@dynamicMemberLookup
public enum GraphQLNullable<Wrapped: InputConvertible>: Sendable, Hashable {
  /// Omitted. The server uses the argument's default or leaves the field unchanged.
  case none
  /// Sent as null.
  case null
  /// Sent as a value.
  case some(Wrapped)

  /// Creates an input that is omitted if `value` is nil.
  public init(_ value: Wrapped?) { self = value.map { .some($0) } ?? .none }

  /// Creates an input that is null if `value` is nil.
  public init(orNull value: Wrapped?) { self = value.map { .some($0) } ?? .null }

  /// The value; `nil` if it is omitted or null.
  public var wrapped: Wrapped? { if case .some(let value) = self { value } else { nil } }

  /// A member of the value; `nil` if there is no value.
  public subscript<Member>(dynamicMember path: KeyPath<Wrapped, Member>) -> Member? {
    wrapped.map { $0[keyPath: path] }
  }

  /// Returns the value, or a default if there is none.
  public static func ?? (left: GraphQLNullable, right: @autoclosure () -> Wrapped) -> Wrapped {
    left.wrapped ?? right()
  }
}

/// An input that can be omitted.
protocol AbsentInput {
  static var absent: Self { get }
}

extension GraphQLNullable: InputConvertible, AbsentInput {
  static var absent: GraphQLNullable { .none }

  public var _input: JSONValue? {
    switch self {
    case .none: nil
    case .null: .null
    case .some(let value): value._input
    }
  }
}

extension GraphQLNullable: ExpressibleByNilLiteral {
  public init(nilLiteral: ()) { self = .none }
}

extension GraphQLNullable: ExpressibleByUnicodeScalarLiteral where Wrapped: ExpressibleByUnicodeScalarLiteral {
  public init(unicodeScalarLiteral value: Wrapped.UnicodeScalarLiteralType) {
    self = .some(Wrapped(unicodeScalarLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByExtendedGraphemeClusterLiteral
where Wrapped: ExpressibleByExtendedGraphemeClusterLiteral {
  public init(extendedGraphemeClusterLiteral value: Wrapped.ExtendedGraphemeClusterLiteralType) {
    self = .some(Wrapped(extendedGraphemeClusterLiteral: value))
  }
}

extension GraphQLNullable: ExpressibleByStringLiteral where Wrapped: ExpressibleByStringLiteral {
  public init(stringLiteral value: Wrapped.StringLiteralType) { self = .some(Wrapped(stringLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByIntegerLiteral where Wrapped: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Wrapped.IntegerLiteralType) { self = .some(Wrapped(integerLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByFloatLiteral where Wrapped: ExpressibleByFloatLiteral {
  public init(floatLiteral value: Wrapped.FloatLiteralType) { self = .some(Wrapped(floatLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByBooleanLiteral where Wrapped: ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Wrapped.BooleanLiteralType) { self = .some(Wrapped(booleanLiteral: value)) }
}

extension GraphQLNullable: ExpressibleByArrayLiteral where Wrapped: RangeReplaceableCollection {
  public init(arrayLiteral elements: Wrapped.Element...) { self = .some(Wrapped(elements)) }
}
