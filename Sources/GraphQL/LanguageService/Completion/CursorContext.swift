import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The kind of completions at a position in a document.
enum CursorContext {
  /// At the top level, a definition begins. After a description, an extension cannot.
  case definition(isDescribed: Bool)
  /// A definition may end here: one of these words or the next definition follows.
  case ending([String])
  /// One of these words.
  case keywords([String])
  /// In a selection set.
  case selection(parent: TypeDefinition?)
  /// After `...`: a type condition's `on`, or the name of a fragment.
  case spread(parent: TypeDefinition?)
  /// After `... on` or in a fragment definition after `on`. `parent` is the enclosing type, if any.
  case typeCondition(parent: TypeDefinition?)
  case argumentName(arguments: [InputValueDefinition], used: Set<String>)
  case inputField(type: TypeDefinition?, used: Set<String>)
  /// A value, of this type if it is known.
  case value(type: TypeReference?, inConstant: Bool)
  /// After `$` where a variable is used.
  case variable(type: TypeReference?)
  /// After `@`, at a location such as `FIELD`; with the field there, if it is known.
  case directive(location: DirectiveLocation, used: Set<String>, field: FieldDefinition?)
  case variableType
  /// The name of a type in a type definition.
  case typeName(TypeNameUse)
  /// In the braces of a type that implements interfaces, before the colon.
  case interfaceField(interfaces: Set<String>, used: Set<String>)
  /// In a schema definition, before the colon.
  case rootOperation(used: Set<String>)
  /// In a directive's definition, after `on`.
  case directiveLocation(used: Set<String>)
  /// A name that only the user can choose, or nothing.
  case nothing
}

/// The purpose of a type's name in a type definition.
enum TypeNameUse {
  case output, input
  /// The root type of an operation.
  case root
  case interface(TypeList)
  case unionMember(TypeList)
  /// The type that an extension extends.
  case extended(TypeKind)
}

/// The names written so far after `implements` or after `union Pet =`: `Dog` in `union Pet = Dog | `.
struct TypeList {
  /// The type that lists them.
  let name: String
  let isExtension: Bool
  let listed: Set<String>
}

/// A word that begins a definition of the schema language.
enum TypeSystemKeyword: String, CaseIterable {
  case type, interface, union, `enum`, input, scalar, directive, schema

  /// The kind of type that is defined.
  var typeKind: TypeKind? {
    switch self {
    case .type: .object
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .input: .inputObject
    case .scalar: .scalar
    case .directive, .schema: nil
    }
  }

  var takesInterfaces: Bool { self == .type || self == .interface }

  /// The location of directives that follow the name.
  var directiveLocation: DirectiveLocation {
    switch self {
    case .type: .object
    case .interface: .interface
    case .union: .union
    case .enum: .enum
    case .input: .inputObject
    case .scalar: .scalar
    case .directive: .directiveDefinition
    case .schema: .schema
    }
  }

  /// The members in the braces; nil for a definition without braces.
  var members: MemberList.Kind? {
    switch self {
    case .type, .interface: .field
    case .enum: .enumValue
    case .input: .inputField
    case .schema: .rootOperation
    case .union, .scalar, .directive: nil
    }
  }
}
