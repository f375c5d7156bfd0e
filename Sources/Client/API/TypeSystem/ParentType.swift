/// A type with fields: an object, interface or union.
public protocol ParentType: Sendable {
  /// The type's name in the schema.
  var name: String { get }
  /// Names of the possible object types.
  var possibleTypes: Set<String> { get }
}

/// An object type in generated code.
public struct ObjectType: ParentType, Hashable {
  public let name: String
  /// Implemented interfaces, including inherited ones.
  public let implementedInterfaces: [InterfaceType]
  /// Fields of the cache key; `nil` to use the client's configuration.
  public let keyFields: [String]?

  /// Creates an object type.
  public init(_ name: String, implementedInterfaces: [InterfaceType] = [], keyFields: [String]? = nil) {
    self.name = name
    self.implementedInterfaces = implementedInterfaces
    self.keyFields = keyFields
  }

  public var possibleTypes: Set<String> { [name] }

  /// Whether the type implements an interface, compared by name.
  public func implements(_ interface: InterfaceType) -> Bool {
    implementedInterfaces.contains { $0.name == interface.name }
  }
}

/// The object types of a schema by name.
public struct ObjectTypes: Sendable, ExpressibleByArrayLiteral {
  private let types: [String: ObjectType]

  public init(arrayLiteral types: ObjectType...) {
    self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The type with a name; `nil` if the schema did not have it when the code was generated.
  public subscript(name: String) -> ObjectType? { types[name] }
}

/// An interface in generated code.
public struct InterfaceType: ParentType, Hashable {
  public let name: String
  /// Names of the object types that implement it.
  public let possibleTypes: Set<String>
  /// Fields of the cache key of objects whose own type has none.
  public let keyFields: [String]?

  /// Creates an interface.
  public init(_ name: String, possibleTypes: Set<String>, keyFields: [String]? = nil) {
    self.name = name
    self.possibleTypes = possibleTypes
    self.keyFields = keyFields
  }
}

/// A union in generated code.
public struct UnionType: ParentType, Hashable {
  public let name: String
  /// Names of the member types.
  public let possibleTypes: Set<String>

  /// Creates a union.
  public init(_ name: String, possibleTypes: Set<String>) {
    self.name = name
    self.possibleTypes = possibleTypes
  }
}
