import ApusGraphQLSchema

/// The types and fields in the selection API, with their names.
struct SelectionScopes {
  let schema: Schema
  let types: SwiftTypes
  /// Composite types, sorted by name.
  let composites: [TypeDefinition]
  private let chosen: Set<String>
  private let chosenFields: [String: Set<String>]

  init(schema: Schema, types: SwiftTypes, choice: GenerationSettings.SelectionChoice) {
    self.schema = schema
    self.types = types
    let all = schema.types.filter { $0.isComposite && !$0.name.hasPrefix("__") }
    guard case .some(let entries) = choice else {
      composites = all.sorted { $0.name < $1.name }
      chosen = Set(all.map(\.name))
      chosenFields = [:]
      return
    }
    let roots = [schema.queryType, schema.mutationType, schema.subscriptionType].compactMap { $0?.name }
    var chosen = Set(roots)
    var fields: [String: Set<String>] = [:]
    for entry in entries {
      let parts = entry.split(separator: ".").map(String.init)
      chosen.insert(parts[0])
      guard parts.count == 2 else { continue }
      fields[parts[0], default: []].insert(parts[1])
      if let type = schema.type(named: parts[0])?.field(named: parts[1])?.type.definition, type.isComposite {
        chosen.insert(type.name)
      }
    }
    self.chosen = chosen
    chosenFields = fields
    composites = all.filter { chosen.contains($0.name) }.sorted { $0.name < $1.name }
  }

  /// Returns the entries of a choice that the schema does not define.
  static func unknown(_ choice: GenerationSettings.SelectionChoice, in schema: Schema) -> [String] {
    guard case .some(let entries) = choice else { return [] }
    return entries.filter { entry in
      let parts = entry.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard let type = schema.type(named: parts[0]), type.isComposite, parts.count <= 2 else { return true }
      return parts.count == 2 && type.field(named: parts[1]) == nil
    }
  }

  /// Returns the fields of a type that can be selected, because their types are included.
  func fields(of type: TypeDefinition) -> [FieldDefinition] {
    // An invalid schema may declare a field twice.
    var names: Set<String> = []
    return type.fields.filter { field in
      guard names.insert(field.name).inserted else { return false }
      if let only = chosenFields[type.name], !only.contains(field.name) { return false }
      guard let inner = field.type.definition else { return false }
      return inner.isLeaf || chosen.contains(inner.name)
    }
  }

  func possibleTypes(of type: TypeDefinition) -> [TypeDefinition] {
    type.possibleTypes.filter { chosen.contains($0.name) }.sorted { $0.name < $1.name }
  }

  /// Returns the scope of a type, such as `Objects.Human`.
  func scope(_ type: TypeDefinition) -> String { "\(namespace(type)).\(types.name(type.name))" }

  func namespace(_ type: TypeDefinition) -> String {
    if root(type) != nil { return "Operations" }
    return switch type.kind {
    case .interface: "Interfaces"
    case .union: "Unions"
    case .enum: "Enums"
    case .inputObject: "InputObjects"
    case .scalar, .object: "Objects"
    }
  }

  /// Returns the protocol of a root operation type; nil for other types.
  func root(_ type: TypeDefinition) -> String? {
    if type == schema.queryType { return "QueryScope" }
    if type == schema.mutationType { return "MutationScope" }
    if type == schema.subscriptionType { return "SubscriptionScope" }
    return nil
  }

  /// Returns the type of a field or argument, such as `[Enums.Episode?]`.
  func swift(_ type: TypeReference) -> String { types.wrapped(type, named) }

  /// Returns the type without its outermost optional.
  func required(_ type: TypeReference) -> String { types.bare(type.nullable, named) }

  private func named(_ type: TypeReference) -> String {
    guard let definition = type.definition, definition.kind != .scalar else { return types.scalar(type.name) }
    return scope(definition)
  }

  /// Returns the enums and input objects that the types and arguments of fields use.
  func reachableInputs() -> (enums: [TypeDefinition], inputObjects: [TypeDefinition]) {
    var seen: Set<String> = []
    var pending: [TypeDefinition] = []
    func reach(_ type: TypeReference) {
      guard let definition = type.definition, definition.kind == .enum || definition.kind == .inputObject else {
        return
      }
      if seen.insert(definition.name).inserted { pending.append(definition) }
    }
    for type in composites {
      for field in fields(of: type) {
        reach(field.type)
        for argument in field.arguments { reach(argument.type) }
      }
    }
    var enums: [TypeDefinition] = []
    var objects: [TypeDefinition] = []
    while let type = pending.popLast() {
      if type.kind == .enum {
        enums.append(type)
      } else {
        objects.append(type)
        for field in type.inputFields { reach(field.type) }
      }
    }
    return (enums.sorted { $0.name < $1.name }, objects.sorted { $0.name < $1.name })
  }
}
