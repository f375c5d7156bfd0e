import ApusGraphQLSchema

/// Model names and schema type names in generated source.
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
    if let expression = uses.parentTypes[type] { return expression }
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

/// Derives the singular of a name, for the struct of list elements: `birds` is a list of `bird`, `categories` of
/// `category`, `userStatuses` of `userStatus`; `species` is unchanged.
enum Singular {
  /// Endings of words that are their own plural, or that end in `s` in the singular.
  private static let unchanged = ["series", "species", "ss", "us", "is", "news"]
  /// Words whose plural has `s` only, although their ending looks like one with `es` or `ies`.
  private static let plain = [
    "movie", "cookie", "zombie", "selfie", "calorie", "tie", "pie", "lie", "cache", "ache", "niche", "avalanche",
    "axe",
  ]
  /// Words whose plural has `es`, although their ending looks like one with `s`.
  private static let sibilant = ["status", "bonus", "virus", "campus", "bus", "alias", "canvas", "gas", "lens"]

  static func of(_ name: String) -> String {
    let lower = name.lowercased()
    let start = name.lastIndex { $0.isUppercase || $0 == "_" } ?? name.startIndex
    let word = name[start...].drop { $0 == "_" }.lowercased()
    if name.count < 4 || unchanged.contains(where: lower.hasSuffix) { return name }
    if plain.contains(where: { word == $0 + "s" }) { return String(name.dropLast()) }
    if sibilant.contains(where: { word == $0 + "es" }) { return String(name.dropLast(2)) }
    if lower.hasSuffix("ies") { return name.dropLast(3) + "y" }
    if lower.hasSuffix("zzes") { return String(name.dropLast(3)) }
    for ending in ["sses", "shes", "ches", "xes", "tzes"] where lower.hasSuffix(ending) {
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
  /// Converts any text to a name: removes invalid characters and capitalizes the following letter. `first-name` becomes
  /// `firstName`, `2nd` becomes `_2nd`.
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

  /// Returns a name without leading underscores: `__typename` becomes `typename`.
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
