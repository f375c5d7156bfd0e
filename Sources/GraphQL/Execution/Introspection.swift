import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON

/// The resolvers for introspection: `__typename`, `__schema`, `__type` and the fields below (section 4).
enum Introspection {
  /// A type in introspection: a named type, or a reference that may be wrapped.
  enum Shape: Sendable {
    case named(TypeDefinition)
    case reference(TypeReference)

    init(_ type: TypeReference) {
      if !type.isNonNull, !type.isList, let definition = type.definition {
        self = .named(definition)
      } else {
        self = .reference(type)
      }
    }
  }

  /// Returns the resolver of an introspection field; nil for other fields.
  static func resolver(_ type: String, _ field: String, schema: Schema) -> Resolver? {
    guard type.hasPrefix("__") || field.hasPrefix("__") else { return nil }
    switch field {
    case "__typename": return .immediate { .string($0.parentType) }
    case "__schema": return .immediate { _ in .object(schema) }
    case "__type":
      return .immediate { context in
        .optional(context.arguments["name"]?.string.flatMap { schema.type(named: $0) }) { .object(Shape.named($0)) }
      }
    default: break
    }
    return switch type {
    case "__Schema": .immediate { try schemaField($0, of: $0.source()) }
    case "__Type": .immediate { try typeField($0, of: $0.source()) }
    case "__Field": .immediate { try fieldField($0, of: $0.source()) }
    case "__InputValue": .immediate { try inputValueField($0.fieldName, of: $0.source()) }
    case "__EnumValue": .immediate { try enumValueField($0.fieldName, of: $0.source()) }
    case "__Directive": .immediate { try directiveField($0, of: $0.source()) }
    default: nil
    }
  }

  private static func schemaField(_ context: FieldContext, of schema: Schema) throws -> ResolvedValue {
    func type(_ definition: TypeDefinition?) -> ResolvedValue { .optional(definition) { .object(Shape.named($0)) } }
    return switch context.fieldName {
    case "description": .optional(schema.description, ResolvedValue.string)
    case "types": .list(schema.types.map { .object(Shape.named($0)) })
    case "queryType": type(schema.queryType)
    case "mutationType": type(schema.mutationType)
    case "subscriptionType": type(schema.subscriptionType)
    case "directives": directives(schema.directives, context)
    default: throw unknown("__Schema", context.fieldName)
    }
  }

  private static func typeField(_ context: FieldContext, of shape: Shape) throws -> ResolvedValue {
    switch shape {
    case .reference(let type):
      switch context.fieldName {
      case "kind": return .string(type.isNonNull ? "NON_NULL" : "LIST")
      case "ofType": return .optional(type.isNonNull ? type.nullable : type.elementType) { .object(Shape($0)) }
      default: return .null
      }
    case .named(let type):
      let isFull = context.arguments["includeDeprecated"]?.bool ?? false
      switch context.fieldName {
      case "kind": return .string(kindName(type.kind))
      case "name": return .string(type.name)
      case "description": return .optional(type.description, ResolvedValue.string)
      case "specifiedByURL": return .optional(type.specifiedByURL, ResolvedValue.string)
      case "fields":
        guard type.kind == .object || type.kind == .interface else { return .null }
        return .list(type.fields.filter { isFull || $0.deprecationReason == nil }.map { .object($0) })
      case "interfaces":
        guard type.kind == .object || type.kind == .interface else { return .null }
        return .list(type.interfaces.map { .object(Shape.named($0)) })
      case "possibleTypes":
        return type.isAbstract ? .list(type.possibleTypes.map { .object(Shape.named($0)) }) : .null
      case "enumValues":
        guard type.kind == .enum else { return .null }
        return .list(type.enumValues.filter { isFull || $0.deprecationReason == nil }.map { .object($0) })
      case "inputFields":
        guard type.kind == .inputObject else { return .null }
        return .list(type.inputFields.filter { isFull || $0.deprecationReason == nil }.map { .object($0) })
      case "ofType": return .null
      case "isOneOf": return type.kind == .inputObject ? .bool(type.isOneOf) : .null
      default: throw unknown("__Type", context.fieldName)
      }
    }
  }

  private static func fieldField(_ context: FieldContext, of field: FieldDefinition) throws -> ResolvedValue {
    switch context.fieldName {
    case "name": return .string(field.name)
    case "description": return .optional(field.description, ResolvedValue.string)
    case "args": return arguments(field.arguments, context)
    case "type": return .object(Shape(field.type))
    case "isDeprecated": return .bool(field.deprecationReason != nil)
    case "deprecationReason": return .optional(field.deprecationReason, ResolvedValue.string)
    default: throw unknown("__Field", context.fieldName)
    }
  }

  private static func inputValueField(_ name: String, of value: InputValueDefinition) throws -> ResolvedValue {
    switch name {
    case "name": return .string(value.name)
    case "description": return .optional(value.description, ResolvedValue.string)
    case "type": return .object(Shape(value.type))
    case "defaultValue": return .optional(value.defaultValue) { .string(Printer.print($0)) }
    case "isDeprecated": return .bool(value.deprecationReason != nil)
    case "deprecationReason": return .optional(value.deprecationReason, ResolvedValue.string)
    default: throw unknown("__InputValue", name)
    }
  }

  private static func enumValueField(_ name: String, of value: EnumValueDefinition) throws -> ResolvedValue {
    switch name {
    case "name": return .string(value.name)
    case "description": return .optional(value.description, ResolvedValue.string)
    case "isDeprecated": return .bool(value.deprecationReason != nil)
    case "deprecationReason": return .optional(value.deprecationReason, ResolvedValue.string)
    default: throw unknown("__EnumValue", name)
    }
  }

  private static func directiveField(
    _ context: FieldContext, of directive: DirectiveDefinition
  ) throws -> ResolvedValue {
    switch context.fieldName {
    case "name": return .string(directive.name)
    case "description": return .optional(directive.description, ResolvedValue.string)
    case "isRepeatable": return .bool(directive.isRepeatable)
    case "locations": return .list(directive.locations.map { .string($0.rawValue) })
    case "args": return arguments(directive.arguments, context)
    case "isDeprecated": return .bool(directive.deprecationReason != nil)
    case "deprecationReason": return .optional(directive.deprecationReason, ResolvedValue.string)
    default: throw unknown("__Directive", context.fieldName)
    }
  }

  private static func directives(_ directives: [DirectiveDefinition], _ context: FieldContext) -> ResolvedValue {
    let isFull = context.arguments["includeDeprecated"]?.bool ?? false
    return .list(directives.filter { isFull || $0.deprecationReason == nil }.map { .object($0) })
  }

  private static func arguments(_ arguments: [InputValueDefinition], _ context: FieldContext) -> ResolvedValue {
    let isFull = context.arguments["includeDeprecated"]?.bool ?? false
    return .list(arguments.filter { isFull || $0.deprecationReason == nil }.map { .object($0) })
  }

  private static func kindName(_ kind: TypeKind) -> String {
    switch kind {
    case .scalar: "SCALAR"
    case .object: "OBJECT"
    case .interface: "INTERFACE"
    case .union: "UNION"
    case .enum: "ENUM"
    case .inputObject: "INPUT_OBJECT"
    }
  }

  private static func unknown(_ type: String, _ field: String) -> ExecutionError {
    ExecutionError("\(type).\(field) is not known to this server.")
  }
}
