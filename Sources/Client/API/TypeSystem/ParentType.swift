/// A type that fields are selected on: an object, an interface or a union.
public protocol ParentType: Sendable {
  /// The type's name in the schema.
  var name: String { get }
  /// The names of the object types that can stand here.
  var possibleTypes: Set<String> { get }
}

/// An object type of a schema, as generated code describes it.
public struct ObjectType: ParentType, Hashable {
  public let name: String
  /// The interfaces it implements, those of its interfaces among them.
  public let implementedInterfaces: [InterfaceType]
  /// The fields that make an object's key in the cache; `nil` leaves that to the client's rule.
  public let keyFields: [String]?

  /// An object type by its name in the schema.
  public init(_ name: String, implementedInterfaces: [InterfaceType] = [], keyFields: [String]? = nil) {
    self.name = name
    self.implementedInterfaces = implementedInterfaces
    self.keyFields = keyFields
  }

  public var possibleTypes: Set<String> { [name] }

  /// Whether the type implements the interface, by its name.
  public func implements(_ interface: InterfaceType) -> Bool {
    implementedInterfaces.contains { $0.name == interface.name }
  }
}

/// The object types of a schema by their names.
public struct ObjectTypes: Sendable, ExpressibleByArrayLiteral {
  private let types: [String: ObjectType]

  public init(arrayLiteral types: ObjectType...) {
    self.types = Dictionary(types.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The type of that name; `nil` where the schema had none when the source was generated.
  public subscript(name: String) -> ObjectType? { types[name] }
}

/// An interface of a schema, as generated code describes it.
public struct InterfaceType: ParentType, Hashable {
  public let name: String
  /// The names of the object types that implement it.
  public let possibleTypes: Set<String>
  /// The fields that make an object's key in the cache where its own type names none.
  public let keyFields: [String]?

  /// An interface by its name in the schema.
  public init(_ name: String, possibleTypes: Set<String>, keyFields: [String]? = nil) {
    self.name = name
    self.possibleTypes = possibleTypes
    self.keyFields = keyFields
  }
}

/// A union of a schema, as generated code describes it.
public struct UnionType: ParentType, Hashable {
  public let name: String
  /// The names of its members.
  public let possibleTypes: Set<String>

  /// A union by its name in the schema.
  public init(_ name: String, possibleTypes: Set<String>) {
    self.name = name
    self.possibleTypes = possibleTypes
  }
}
