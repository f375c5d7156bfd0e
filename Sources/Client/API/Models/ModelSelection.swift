/// A selection of a generated model: a field, a fragment, or a conditional selection. Models refer to it as
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
  /// A named or inline fragment with `@defer(if:label:)`.
  ///
  /// `isBesideTypeCase` is true if the model is in a type case that the fragment is not part of: for
  /// `... on User { email } ... on User @defer { birthday }`, whose second fragment is listed as not executed on objects of
  /// other types.
  case deferred(if: Flag? = nil, any Deferrable.Type, label: String, isBesideTypeCase: Bool = false)
  /// A key field for the cache, without a property in the model. `of` is the type that has the field, if not every
  /// object of the selection has it.
  case key(Field, of: (any ParentType)?)
  /// Selections with `@include` or `@skip`.
  case conditional(Conditions, [ModelSelection])

  /// Returns a field with its Swift type: `String?.self`, `[Friend].self`.
  ///
  /// - Parameter scalar: The scalar's name in the schema, if the Swift type serves several scalars: `ID` is a `String`
  ///   in Swift, and a server may send it as an integer (GraphQL specification, section 3.5.5).
  public static func field(
    _ name: String, alias: String? = nil, _ type: any OutputValue.Type, scalar: String? = nil,
    arguments: [String: InputValue] = [:], stream: Stream? = nil
  ) -> ModelSelection {
    let type = scalar.map { type._outputType.named($0) } ?? type._outputType
    return .field(Field(name, alias: alias, type: type, arguments: arguments, stream: stream))
  }

  /// Returns a key field for the cache with its Swift type. Generators add it so that the record of an object does not
  /// depend on the path of the object.
  ///
  /// - Parameters:
  /// - scalar: The scalar's name in the schema, as for `field`.
  /// - owner: The type that has the field, if not every object of the selection has it.
  public static func key(
    _ name: String, _ type: any OutputValue.Type, scalar: String? = nil, of owner: (any ParentType)? = nil
  ) -> ModelSelection {
    .key(Field(name, type: scalar.map { type._outputType.named($0) } ?? type._outputType), of: owner)
  }

  /// Returns a selection that is included only if the conditions hold: `@include(if:)`, or `@skip(if:)` inverted
  /// (GraphQL specification, sections 3.13.1 and 3.13.2).
  public static func include(if conditions: Conditions, _ selection: ModelSelection) -> ModelSelection {
    .conditional(conditions, [selection])
  }

  /// Selections that are included only if the conditions hold.
  public static func include(if conditions: Conditions, _ selections: [ModelSelection]) -> ModelSelection {
    .conditional(conditions, selections)
  }

  /// A field of a model.
  public struct Field: Sendable {
    /// The field's name in the schema.
    public let name: String
    /// The alias, which is the response key; `nil` if there is none.
    public let alias: String?
    /// The field's type, with lists and non-null.
    public let type: OutputType
    /// Arguments by name.
    public let arguments: [String: InputValue]
    /// The field's `@stream`; `nil` if there is none.
    public let stream: Stream?

    /// Creates a field with optional alias, arguments and stream.
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
    /// The directive's `if`; `nil` means true.
    public let condition: Flag?
    /// The directive's `label`.
    public let label: String?
    /// The number of items in the initial result: an integer, or an integer variable.
    public let initialCount: InputValue

    /// Creates the directive with its arguments. Omitted arguments have their defaults.
    public init(if condition: Flag? = nil, label: String? = nil, initialCount: InputValue = 0) {
      self.condition = condition
      self.label = label
      self.initialCount = initialCount
    }
  }

  /// The `if` of `@defer` and `@stream`: a literal (`true`) or a variable (`"later"`).
  public enum Flag: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral {
    /// A literal.
    case value(Bool)
    /// A variable, by its name without `$`.
    case variable(String)

    public init(stringLiteral value: String) { self = .variable(value) }
    public init(booleanLiteral value: Bool) { self = .value(value) }
  }
}
