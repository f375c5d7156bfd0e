import ApusGraphQLLanguage
import ApusJSON

extension Schema {
  /// Returns the result of the newest introspection query, without the enclosing `data`.
  package func introspectionJSON() -> JSONValue {
    let schema: [(String, JSONValue)] = [
      ("description", text(description)),
      ("queryType", rootReference(queryType)),
      ("mutationType", rootReference(mutationType)),
      ("subscriptionType", rootReference(subscriptionType)),
      ("types", .array(introspectedTypes.map(introspect))),
      ("directives", .array(directives.filter { !$0.isImplied || $0.isSpecified }.map(introspect))),
    ]
    return .object([("__schema", .object(schema))])
  }

  /// The types without those of dialects, except for those that the schema itself uses, such as `AWSDateTime`.
  private var introspectedTypes: [TypeDefinition] {
    func isOfDialect(_ type: TypeDefinition) -> Bool { type.isBuiltIn && !BuiltInDefinitions.isBuiltIn(type.name) }
    guard !storage.dialects.isEmpty || !storage.links.isEmpty else { return types }
    var used: Set<UInt32> = []
    for type in types where !isOfDialect(type) {
      for field in type.fields {
        if let definition = field.type.definition { used.insert(definition.index) }
        for argument in field.arguments {
          if let definition = argument.type.definition { used.insert(definition.index) }
        }
      }
      for field in type.inputFields { if let definition = field.type.definition { used.insert(definition.index) } }
    }
    return types.filter { !isOfDialect($0) || used.contains($0.index) }
  }

  private func text(_ text: String?) -> JSONValue { text.map { JSONValue($0) } ?? .null }

  private func rootReference(_ type: TypeDefinition?) -> JSONValue {
    type.map { .object([("name", JSONValue($0.name))]) } ?? .null
  }

  // MARK: One element

  /// Returns the result of `__type`.
  package func introspect(_ type: TypeDefinition) -> JSONValue {
    let isComposite = type.kind == .object || type.kind == .interface
    return .object([
      ("kind", JSONValue(type.kind.introspectionName)),
      ("name", JSONValue(type.name)),
      ("description", text(type.description)),
      ("specifiedByURL", text(type.specifiedByURL)),
      ("isOneOf", type.kind == .inputObject ? JSONValue(type.isOneOf) : .null),
      ("fields", isComposite ? .array(type.fields.map(introspect)) : .null),
      ("inputFields", type.kind == .inputObject ? .array(type.inputFields.map(introspect)) : .null),
      ("interfaces", isComposite ? .array(type.interfaces.map(namedReference)) : .null),
      ("enumValues", type.kind == .enum ? .array(type.enumValues.map(introspect)) : .null),
      ("possibleTypes", type.isAbstract ? .array(type.possibleTypes.map(namedReference)) : .null),
    ])
  }

  package func introspect(_ field: FieldDefinition) -> JSONValue {
    .object([
      ("name", JSONValue(field.name)),
      ("description", text(field.description)),
      ("args", .array(field.arguments.map(introspect))),
      ("type", reference(field.type)),
      ("isDeprecated", JSONValue(field.isDeprecated)),
      ("deprecationReason", text(field.deprecationReason)),
    ])
  }

  package func introspect(_ value: InputValueDefinition) -> JSONValue {
    .object([
      ("name", JSONValue(value.name)),
      ("description", text(value.description)),
      ("type", reference(value.type)),
      ("defaultValue", text(value.defaultValue.map { Printer.print($0) })),
      ("isDeprecated", JSONValue(value.isDeprecated)),
      ("deprecationReason", text(value.deprecationReason)),
    ])
  }

  package func introspect(_ value: EnumValueDefinition) -> JSONValue {
    .object([
      ("name", JSONValue(value.name)),
      ("description", text(value.description)),
      ("isDeprecated", JSONValue(value.isDeprecated)),
      ("deprecationReason", text(value.deprecationReason)),
    ])
  }

  package func introspect(_ directive: DirectiveDefinition) -> JSONValue {
    .object([
      ("name", JSONValue(directive.name)),
      ("description", text(directive.description)),
      ("isRepeatable", JSONValue(directive.isRepeatable)),
      ("locations", .array(directive.locations.map { JSONValue($0.rawValue) })),
      ("args", .array(directive.arguments.map(introspect))),
      ("isDeprecated", JSONValue(directive.deprecationReason != nil)),
      ("deprecationReason", text(directive.deprecationReason)),
    ])
  }

  private func reference(_ type: TypeReference) -> JSONValue {
    if type.isNonNull {
      return .object([("kind", "NON_NULL"), ("name", .null), ("ofType", reference(type.nullable))])
    }
    if let element = type.elementType {
      return .object([("kind", "LIST"), ("name", .null), ("ofType", reference(element))])
    }
    let kind = type.definition.map(\.kind) ?? .scalar
    return .object([("kind", JSONValue(kind.introspectionName)), ("name", JSONValue(type.name)), ("ofType", .null)])
  }

  private func namedReference(_ type: TypeDefinition) -> JSONValue {
    .object([("kind", JSONValue(type.kind.introspectionName)), ("name", JSONValue(type.name)), ("ofType", .null)])
  }
}

extension TypeKind {
  /// The name of the kind in `__TypeKind`.
  package var introspectionName: String {
    switch self {
    case .scalar: "SCALAR"
    case .object: "OBJECT"
    case .interface: "INTERFACE"
    case .union: "UNION"
    case .enum: "ENUM"
    case .inputObject: "INPUT_OBJECT"
    }
  }
}
