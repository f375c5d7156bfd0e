/// One selection of a generated model: a field, a fragment, or one of these under a condition. Inside of models it is called
/// `Selection`.
///
///     .field("person", Person?.self, arguments: ["id": .variable("personId")])
///     .inlineFragment(AsUser.self)
///     .deferred(if: "later", DeferredFriends.self, label: "deferredFriends")
///     .include(if: "details" && !"short", .fragment(PersonDetails.self))
public indirect enum ModelSelection: Sendable {
  /// A field with its alias, arguments and type.
  case field(Field)
  /// A named fragment.
  case fragment(any Fragment.Type)
  /// An inline fragment that is not deferred: `... on User`.
  case inlineFragment(any InlineFragment.Type)
  /// `@defer(if:label:)` on a named or an inline fragment.
  case deferred(if: Flag? = nil, any Deferrable.Type, label: String)
  /// A key field that only the cache reads: the model has no property for it. `of` is the type that has it, where not
  /// every object of the selection does.
  case key(Field, of: (any ParentType)?)
  /// `@include` and `@skip`.
  case conditional(Conditions, [ModelSelection])

  /// A field, with its Swift type: `String?.self`, `[Friend].self`.
  ///
  /// - Parameter scalar: The scalar's name in the schema, where the Swift type is not of its own: an `ID` is a `String` in
  ///   Swift, and a server may send it as an integer (GraphQL specification, section 3.5.5).
  public static func field(
    _ name: String, alias: String? = nil, _ type: any OutputValue.Type, scalar: String? = nil,
    arguments: [String: InputValue] = [:], stream: Stream? = nil
  ) -> ModelSelection {
    let type = scalar.map { type._outputType.named($0) } ?? type._outputType
    return .field(Field(name, alias: alias, type: type, arguments: arguments, stream: stream))
  }

  /// A key field that only the cache reads, with its Swift type. A generator adds it so that the records of objects do not
  /// depend on where the objects were met.
  ///
  /// - Parameters:
  ///   - scalar: The scalar's name in the schema, as for `field`.
  ///   - owner: The type that has the field, where not every object of the selection does.
  public static func key(
    _ name: String, _ type: any OutputValue.Type, scalar: String? = nil, of owner: (any ParentType)? = nil
  ) -> ModelSelection {
    .key(Field(name, type: scalar.map { type._outputType.named($0) } ?? type._outputType), of: owner)
  }

  /// A selection that is only there when the conditions hold: `@include(if:)`, or `@skip(if:)` turned around (GraphQL
  /// specification, sections 3.13.1 and 3.13.2).
  public static func include(if conditions: Conditions, _ selection: ModelSelection) -> ModelSelection {
    .conditional(conditions, [selection])
  }

  /// Selections that are only there when the conditions hold.
  public static func include(if conditions: Conditions, _ selections: [ModelSelection]) -> ModelSelection {
    .conditional(conditions, selections)
  }

  /// A field as a model selects it.
  public struct Field: Sendable {
    /// The field's name in the schema.
    public let name: String
    /// The alias that the document gives it; `nil` where it has none. The response has the field under its alias.
    public let alias: String?
    /// The field's type, with lists and non-null.
    public let type: OutputType
    /// The arguments that the document gives, by name; empty where it gives none.
    public let arguments: [String: InputValue]
    /// The field's `@stream`; `nil` where it has none.
    public let stream: Stream?

    /// A field. `alias`, `arguments` and `stream` are left out where the document has none.
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
    /// The directive's `if`; `nil` where it has none, which counts as true.
    public let condition: Flag?
    /// The directive's `label`; `nil` where it has none.
    public let label: String?
    /// How many items come with the list itself: an integer, or a variable that has one.
    public let initialCount: InputValue

    /// The directive with its arguments; each stands for its default where it is left out.
    public init(if condition: Flag? = nil, label: String? = nil, initialCount: InputValue = 0) {
      self.condition = condition
      self.label = label
      self.initialCount = initialCount
    }
  }

  /// The `if` of `@defer` and `@stream`: a literal or a variable, `true` or `"later"`.
  public enum Flag: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// Always or never.
    case value(Bool)
    /// As a variable says, by its name without `$`.
    case variable(String)

    public init(stringLiteral value: String) { self = .variable(value) }
    public init(booleanLiteral value: Bool) { self = .value(value) }
  }
}
