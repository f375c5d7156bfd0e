/// Converts GraphQL names to Swift names without conflicts.
enum SwiftName {
  /// The reserved words of Swift.
  private static let keywords: Set<String> = [
    "Any", "Protocol", "Self", "Type", "actor", "as", "associatedtype", "async", "await", "break", "case", "catch",
    "class", "continue", "default", "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false",
    "fileprivate", "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return", "self", "static",
    "struct", "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    "_",
  ]

  /// Types that generated code uses. A type of the schema with such a name is renamed.
  private static let takenTypes: Set<String> = [
    "Any", "Array", "Bool", "Dictionary", "Double", "Int", "Never", "Optional", "Protocol", "Self", "String", "Type",
    "_",
    // Selections.
    "Argument", "EnumCodec", "Fields", "InputData", "InputObject", "InterfaceScope", "JSONValue", "MutationScope",
    "SelectionInputObject",
    "ObjectScope", "OptionalArgument", "QueryScope", "Scope", "Selection", "SubscriptionScope", "UnionScope", "Value",
    // Models.
    "CacheKeyInfo", "DataDict", "Data", "DeclaredFieldPolicy", "Deferred", "EnumType", "Fragment", "FragmentContainer",
    "Fragments", "GraphQLEnum", "GraphQLNullable", "ID", "InlineFragment", "InputDict", "InterfaceType", "Interfaces",
    "Metadata", "ObjectType", "Objects", "ParentType", "RootSelectionSet", "RootTypes", "SchemaMetadata",
    "SelectionSet",
    "UnionType", "Unions",
  ]

  /// Types that the bodies of generated models use, which a property, parameter or type of that name would hide.
  static let spokenByModels: Set<String> = [
    "Bool", "CompiledOperation", "DataDict", "DeclaredFieldPolicy", "Deferred", "Double", "FragmentContainer",
    "Fragments", "GraphQLEnum",
    "GraphQLMutation", "GraphQLNullable", "GraphQLQuery", "GraphQLSubscription", "InlineFragment", "InputDict", "Int",
    "JSONValue", "LocalCacheMutation", "OperationDocument", "ParentType", "RootTypes", "Selection", "Self", "String",
  ]

  /// Types that the methods of generated selections use.
  static let spokenBySelections: Set<String> = [
    "Argument", "Bool", "Double", "Enums", "Fields", "InputData", "InputObjects", "Int", "Interfaces", "JSONValue",
    "Objects", "Operations", "OptionalArgument", "Scope", "Selection", "Self", "String", "Unions", "Value",
  ]

  /// Returns the name of a type, which begins with an uppercase letter and does not conflict with generated code:
  /// `bird` becomes `Bird`, `Data` becomes `Data_`.
  static func type(_ name: String) -> String {
    let capital = capitalized(name)
    return takenTypes.contains(capital) ? capital + "_" : capital
  }

  /// Returns the name of a function, property, parameter or case, in backticks if it is a reserved word.
  static func member(_ name: String) -> String { keywords.contains(name) ? "`\(name)`" : name }

  /// Returns the name of an enum case: `NEW_HOPE`, `new_hope` and `NewHope` become `newHope`.
  static func enumCase(_ name: String) -> String {
    let isShouted = !name.contains { $0.isLowercase }
    var words = name.split(separator: "_").map(String.init)
    if words.isEmpty { words = [name] }
    var result = ""
    for (index, word) in words.enumerated() {
      let word = isShouted ? word.lowercased() : word
      result += index == 0 ? lowercased(word) : capitalized(word)
    }
    if name.hasPrefix("_") { result = "_" + result }
    if result.first?.isNumber == true { result = "_" + result }
    return result
  }

  static func capitalized(_ name: String) -> String {
    guard let index = name.firstIndex(where: { $0 != "_" }) else { return name }
    return name[..<index] + name[index].uppercased() + name[name.index(after: index)...]
  }

  static func lowercased(_ name: String) -> String {
    guard let first = name.first else { return name }
    // `URLSession` becomes `urlSession`, `ID` becomes `id`.
    let capitals = name.prefix { $0.isUppercase }
    if capitals.count <= 1 { return first.lowercased() + name.dropFirst() }
    if capitals.count == name.count { return name.lowercased() }
    return capitals.dropLast().lowercased() + name.dropFirst(capitals.count - 1)
  }
}

/// Assigns unique names by appending underscores: the second `name` becomes `name_`.
struct NameScope {
  private var taken: Set<String>
  /// Reserved names that many scopes share.
  private let common: Set<String>

  init(_ taken: Set<String> = [], within common: Set<String> = []) {
    self.taken = taken
    self.common = common
  }

  mutating func unique(_ name: String) -> String {
    var candidate = name
    while common.contains(candidate) || !taken.insert(candidate).inserted { candidate += "_" }
    return candidate
  }
}
