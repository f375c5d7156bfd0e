import ApusGraphQLSchema

/// The names of models and of the types of their schema.
struct ModelNames {
  /// The enum around the types of the schema.
  let namespace: String
  let types: SwiftTypes
  let uses = TypeUses()
  private let scalars: [String: String]
  private let fragments: [String: String]
  private let operations: [String: String]
  /// Names that a struct inside a model must not have, because models use them.
  let takenInside: Set<String>
  /// Names that a property inside a model must not have.
  let takenMembers: Set<String>

  init(schema: Schema, settings: GenerationSettings, fragments: [String], operations: [(name: String, kind: String)]) {
    namespace = settings.module ?? "API"
    types = SwiftTypes(schema: schema, scalars: [:])
    scalars = settings.scalars
    // File names must be unique in a module, regardless of folders.
    let files = ["Enums", "InputObjects", "Mocks", "Schema"]
    var scope = NameScope(SwiftName.spokenByModels.union(files + [namespace]))
    var fragmentNames: [String: String] = [:]
    for name in fragments { fragmentNames[name] = scope.unique(SwiftName.type(name)) }
    var operationNames: [String: String] = [:]
    for (name, kind) in operations {
      let capital = SwiftName.capitalized(name)
      operationNames[name] = scope.unique(capital.hasSuffix(kind) ? capital : capital + kind)
    }
    self.fragments = fragmentNames
    self.operations = operationNames
    takenInside = Set(fragmentNames.values).union(operationNames.values).union([
      namespace, "Data", "Fragments", "RootEntityType", "Schema",
    ]).union(settings.scalars.values).union(SwiftName.spokenByModels)
    takenMembers = takenInside.union(DocumentField.takenNames)
  }

  func fragment(_ name: String) -> String { fragments[name] ?? SwiftName.type(name) }
  func operation(_ name: String) -> String { operations[name] ?? SwiftName.type(name) }

  /// Returns the type of a leaf without lists and optionals.
  func output(_ type: TypeReference) -> String {
    switch type.name {
    case "Int": "Int"
    case "Float": "Double"
    case "String": "String"
    case "Boolean": "Bool"
    case "ID": "\(namespace).ID"
    default: schemaType(type)
    }
  }

  /// Returns the Swift type of a scalar.
  func scalar(_ type: TypeReference) -> String { scalars[type.name] ?? types.scalar(type.name) }

  private func schemaType(_ type: TypeReference) -> String {
    if let mapped = scalars[type.name] { return mapped }
    uses.insert(type.name)
    let name = "\(namespace).\(types.name(type.name))"
    return type.definition?.kind == .enum ? "GraphQLEnum<\(name)>" : name
  }

  /// Returns the expression for a parent type, such as `API.Objects.Human`.
  func parentType(_ type: TypeDefinition) -> String {
    if let existing = uses.parentTypes[type] { return existing }
    uses.insert(type.name)
    let kind = type.kind == .interface ? "Interfaces" : type.kind == .union ? "Unions" : "Objects"
    let made = "\(namespace).\(kind).\(types.name(type.name))"
    uses.parentTypes[type] = made
    return made
  }

  func wrapped(_ type: TypeReference, _ named: String) -> String { types.wrapped(type) { _ in named } }

  /// Returns the type of a variable or input object field.
  func input(_ type: TypeReference, hasDefault: Bool) -> String {
    if type.isNonNull, !hasDefault { return types.wrapped(type, output) }
    return "GraphQLNullable<\(types.bare(type.nullable, output))>"
  }

  func suffix(_ conditions: ModelConditions) -> String {
    conditions.groups.map { group in
      group.map { ($0.isInverted ? "Not" : "") + SwiftName.capitalized(SwiftName.identifier($0.variable)) }
        .joined(separator: "And")
    }.joined(separator: "Or")
  }
}

/// Derives the singular of a name, for the struct of list elements.
enum Singular {
  static func of(_ name: String) -> String {
    let lower = name.lowercased()
    if lower.hasSuffix("series") || lower.hasSuffix("species") || lower.hasSuffix("ss") || lower.hasSuffix("us")
      || lower.hasSuffix("is") || lower.hasSuffix("news") || name.count < 4
    {
      return name
    }
    if lower.hasSuffix("ies") { return name.dropLast(3) + "y" }
    for ending in ["sses", "shes", "ches", "xes", "zes"] where lower.hasSuffix(ending) {
      return String(name.dropLast(2))
    }
    return lower.hasSuffix("s") ? String(name.dropLast()) : name
  }
}

extension TypeReference {
  /// Whether the type is a list, nullable or not.
  var isListSomewhere: Bool { nullable.elementType != nil }
}

extension SwiftName {
  /// Converts any text to a name: removes invalid characters and capitalizes the following letter.
  static func identifier(_ text: String) -> String {
    var result = ""
    var isStart = false
    for character in text {
      if character.isLetter || character.isNumber || character == "_" {
        result += isStart ? character.uppercased() : String(character)
        isStart = false
      } else {
        isStart = !result.isEmpty
      }
    }
    if result.isEmpty { return "part" }
    return result.first?.isNumber == true ? "_" + result : result
  }

  /// Returns a name without leading underscores.
  static func unprefixed(_ name: String) -> String {
    let rest = name.drop { $0 == "_" }
    if rest.isEmpty { return "part" }
    return rest.first?.isNumber == true ? "_\(rest)" : lowercased(String(rest))
  }
}

/// The types of the schema that models use.
final class TypeUses {
  private(set) var names: Set<String> = []
  /// The expressions for types that have structs.
  var parentTypes: [TypeDefinition: String] = [:]

  func insert(_ name: String) { names.insert(name) }
}
