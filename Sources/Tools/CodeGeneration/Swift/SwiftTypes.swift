import ApusGraphQLSchema

/// The unique Swift names of a schema's types.
struct SwiftTypes {
  let schema: Schema
  let scalars: [String: String]
  private let names: [String: String]

  init(schema: Schema, scalars: [String: String]) {
    self.schema = schema
    self.scalars = scalars
    var scope = NameScope()
    var names: [String: String] = [:]
    // Root types keep their usual names, whatever they are called in the schema.
    for (type, name) in [(schema.queryType, "Query"), (schema.mutationType, "Mutation")]
      + [(schema.subscriptionType, "Subscription")]
    {
      if let type { names[type.name] = scope.unique(name) }
    }
    for name in schema.types.map(\.name).sorted() where names[name] == nil {
      names[name] = scope.unique(SwiftName.type(name))
    }
    self.names = names
  }

  func name(_ type: String) -> String { names[type] ?? SwiftName.type(type) }

  /// Returns the Swift type of a scalar.
  func scalar(_ name: String) -> String {
    if let mapped = scalars[name] { return mapped }
    return switch name {
    case "Int": "Int"
    case "Float": "Double"
    case "String", "ID": "String"
    case "Boolean": "Bool"
    default: "JSONValue"
    }
  }

  /// Returns the type with its lists and optionals, such as `[Bird?]?` for `[Bird]`. `inner` returns the named type.
  func wrapped(_ type: TypeReference, _ inner: (TypeReference) -> String) -> String {
    if type.isNonNull { return bare(type.nullable, inner) }
    return bare(type, inner) + "?"
  }

  /// Returns the type without its outermost optional.
  func bare(_ type: TypeReference, _ inner: (TypeReference) -> String) -> String {
    if let element = type.elementType { return "[\(wrapped(element, inner))]" }
    return inner(type)
  }
}
