/// One selection of a generated model: a field, a fragment, or one of these under a condition.
///
///     .field("person", Person?.self, arguments: ["id": .variable("personId")])
///     .inlineFragment(AsUser.self)
///     .deferred(if: "later", DeferredFriends.self, label: "deferredFriends")
///     .include(if: "details" && !"short", .fragment(PersonDetails.self))
public indirect enum Selection: Sendable {
  case field(Field)
  /// A named fragment.
  case fragment(any Fragment.Type)
  case inlineFragment(any InlineFragment.Type)
  /// `@defer(if:label:)` on a named or an inline fragment.
  case deferred(if: Flag? = nil, any Deferrable.Type, label: String)
  /// `@include` and `@skip`.
  case conditional(Conditions, [Selection])

  /// A field, with its Swift type: `String?.self`, `[Friend].self`.
  ///
  /// - Parameter scalar: The scalar's name in the schema, where the Swift type is not of its own: an `ID` is a `String` in
  ///   Swift, and a server may send it as an integer (GraphQL specification, section 3.5.5).
  public static func field(
    _ name: String, alias: String? = nil, _ type: any OutputValue.Type, scalar: String? = nil,
    arguments: [String: InputValue] = [:], stream: Stream? = nil
  ) -> Selection {
    let type = scalar.map { type._outputType.named($0) } ?? type._outputType
    return .field(Field(name, alias: alias, type: type, arguments: arguments, stream: stream))
  }

  public static func include(if conditions: Conditions, _ selection: Selection) -> Selection {
    .conditional(conditions, [selection])
  }

  public static func include(if conditions: Conditions, _ selections: [Selection]) -> Selection {
    .conditional(conditions, selections)
  }

  /// A field as a model selects it.
  public struct Field: Sendable {
    public let name: String
    public let alias: String?
    public let type: OutputType
    public let arguments: [String: InputValue]
    public let stream: Stream?

    public init(
      _ name: String, alias: String? = nil, type: OutputType, arguments: [String: InputValue] = [:],
      stream: Stream? = nil
    ) {
      self.name = name
      self.alias = alias
      self.type = type
      self.arguments = arguments
      self.stream = stream
    }
  }

  /// `@stream(if:label:initialCount:)` on a list field.
  public struct Stream: Sendable {
    public let condition: Flag?
    public let label: String?
    public let initialCount: InputValue

    public init(if condition: Flag? = nil, label: String? = nil, initialCount: InputValue = 0) {
      self.condition = condition
      self.label = label
      self.initialCount = initialCount
    }
  }

  /// The `if` of `@defer` and `@stream`: a literal or a variable, `true` or `"later"`.
  public enum Flag: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    case value(Bool)
    case variable(String)

    public init(stringLiteral value: String) { self = .variable(value) }
    public init(booleanLiteral value: Bool) { self = .value(value) }
  }
}
