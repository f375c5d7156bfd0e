import ApusClientOperation

/// What a selection may be made on: a type of the schema, or a list or an optional of one.
public protocol SelectionScope: Sendable {
  /// The type without lists and optionals.
  static var __type: any TypeScope.Type { get }
}

/// A type of the schema that has fields: generated, never instantiated.
public protocol TypeScope: SelectionScope {
  /// The type's name in the schema.
  static var typeName: String { get }
  /// The object types that can stand here.
  static var possibleTypes: [String] { get }
  /// The fields that make the key of the type's cache records; asked for along with the others.
  static var keyFields: [String] { get }
}

extension TypeScope {
  public static var __type: any TypeScope.Type { self }
  public static var keyFields: [String] { [] }
}

/// An object type.
public protocol ObjectScope: TypeScope {}
/// An interface: it has fields of its own, and `on`.
public protocol InterfaceScope: TypeScope {}
/// A union: it has only `on`.
public protocol UnionScope: TypeScope {}
/// A root type, whose selections are operations.
public protocol RootScope: ObjectScope {
  /// Whether its selections are queries, mutations or subscriptions.
  static var __operationType: CompiledOperation.OperationType { get }
}
/// What `send` takes: the query root and the mutation root.
public protocol RequestScope: RootScope {}
/// The query root.
public protocol QueryScope: RequestScope {}
/// The mutation root.
public protocol MutationScope: RequestScope {}
/// The subscription root, which `listen` takes.
public protocol SubscriptionScope: RootScope {}

extension ObjectScope {
  public static var possibleTypes: [String] { [typeName] }
}

extension QueryScope {
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
