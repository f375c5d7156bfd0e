import ApusGraphQLSchema
import ApusJSON

/// The type of a field with resolved names, for CompleteValue.
indirect enum ResolvedOutputType {
  case scalar(String, ScalarCoding)
  case enumeration(TypeDefinition)
  case object(TypeDefinition)
  case abstract(TypeDefinition)
  case list(ResolvedOutputType)
  case nonNull(ResolvedOutputType)

  init(_ type: TypeReference, scalars: [String: ScalarCoding]) throws(ExecutionError) {
    if type.isNonNull {
      self = .nonNull(try ResolvedOutputType(type.nullable, scalars: scalars))
    } else if let element = type.elementType {
      self = .list(try ResolvedOutputType(element, scalars: scalars))
    } else if let definition = type.definition {
      switch definition.kind {
      case .scalar:
        self = .scalar(definition.name, scalars[definition.name] ?? ScalarCoding.builtIn[definition.name] ?? .any)
      case .enum: self = .enumeration(definition)
      case .object: self = .object(definition)
      case .interface, .union: self = .abstract(definition)
      case .inputObject: throw ExecutionError("\"\(definition.name)\" is not an output type.")
      }
    } else {
      throw ExecutionError("Type \"\(type.name)\" is not known.")
    }
  }

  var isNonNull: Bool {
    if case .nonNull = self { true } else { false }
  }
}
