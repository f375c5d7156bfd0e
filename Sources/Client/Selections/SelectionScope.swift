import ApusClientOperation

/// The type parameter of a selection: a GraphQL type, or a list or optional of one.
public protocol SelectionScope: Sendable {
  /// The type without lists and optionals.
  static var __type: any TypeScope.Type { get }
}

/// A GraphQL type with fields, generated and never instantiated.
public protocol TypeScope: SelectionScope {
  /// The type's name in the schema.
  static var typeName: String { get }
  /// The possible object types.
  static var possibleTypes: [String] { get }
  /// Fields of the cache key, which are requested in addition to the selected ones.
  static var keyFields: [String] { get }
}

extension TypeScope {
  public static var __type: any TypeScope.Type { self }
  public static var keyFields: [String] { [] }
}

/// An object type.
public protocol ObjectScope: TypeScope {}
/// An interface, with fields and `on`.
public protocol InterfaceScope: TypeScope {}
/// A union, with `on` only.
public protocol UnionScope: TypeScope {}
/// A root operation type, whose selections are operations.
public protocol RootScope: ObjectScope {
  /// Whether its selections are queries, mutations or subscriptions.
  static var __operationType: CompiledOperation.OperationType { get }
  /// The name of the schema's query root type; `nil` if the code does not state it.
  static var queryTypeName: String? { get }
}
/// A root type for `send`: query or mutation.
public protocol RequestScope: RootScope {}
/// The query root type.
public protocol QueryScope: RequestScope {}
/// The mutation root type.
public protocol MutationScope: RequestScope {}
/// The subscription root type, for `subscribe`.
public protocol SubscriptionScope: RootScope {}

extension ObjectScope {
  public static var possibleTypes: [String] { [typeName] }
}

extension RootScope {
  public static var queryTypeName: String? { nil }
}

extension QueryScope {
  /// The name of this type.
  public static var queryTypeName: String? { typeName }
  /// `query`.
  public static var __operationType: CompiledOperation.OperationType { .query }
}

extension MutationScope {
  /// `mutation`.
  public static var __operationType: CompiledOperation.OperationType { .mutation }
}

extension SubscriptionScope {
  /// `subscription`.
  public static var __operationType: CompiledOperation.OperationType { .subscription }
}

extension Array: SelectionScope where Element: SelectionScope {
  public static var __type: any TypeScope.Type { Element.__type }
}

extension Optional: SelectionScope where Wrapped: SelectionScope {
  public static var __type: any TypeScope.Type { Wrapped.__type }
}
