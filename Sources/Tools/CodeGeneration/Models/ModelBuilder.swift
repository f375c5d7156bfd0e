import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Builds the structs of fragments and operations.
///
/// A struct has all fields that its object certainly has: its own, those of the enclosing object of a type case, and
/// those of covering fragments without `@defer`. The fields of an inner object may therefore come from several
/// selection sets. Structs are reused for equal combinations of sets.
struct ModelBuilder {
  private let context: ModelContext
  private let names: ModelNames
  /// The paths of the structs that were built, by their sets.
  private var structPaths: [SetKey: String] = [:]
  /// The properties of leaves that are named like their fields.
  private var leaves: [FieldDefinition: ModelField] = [:]
  private var documentation: [FieldDefinition: FieldDocumentation] = [:]
  /// The structs of type cases by their sets.
  private var casePaths: [NodeID: String] = [:]
  /// The fields of type cases and named fragments, by their paths.
  private var extents: [String: ObjectFields.Extent] = [:]

  private struct SetKey: Hashable {
    let sources: [Source]
    let isMutable: Bool

    init(_ sources: [Source], isMutable: Bool) {
      self.sources = sources.count < 2 ? sources : sources.sorted { $0.set < $1.set }
      self.isMutable = isMutable
    }
  }

  /// A selection set that contributes to an object's fields.
  struct Source: Hashable {
    let set: NodeID
    /// Whether its fields depend on a condition that other sets of the object do not have.
    var isConditional: Bool
  }

  /// A selection set that belongs to the struct itself.
  struct DirectSource {
    let set: NodeID
    let conditions: ModelConditions
    /// The `@defer` of the set, if it is a deferred part of the object.
    var deferral: DirectiveNode?
  }

  init(_ context: ModelContext, names: ModelNames) {
    self.context = context
    self.names = names
  }

  // MARK: Roots

  /// Returns the struct of a named fragment. The fragments that it uses must already exist.
  mutating func model(of fragment: FragmentDefinitionNode, isMutable: Bool) -> ModelStruct? {
    guard let type = context.schema.type(named: fragment.typeCondition.name.value) else { return nil }
    let name = names.fragment(fragment.name.value)
    let model = ModelStruct(name: name, path: name, kind: .namedFragment, parentType: type, isMutable: isMutable)
    fill(
      model, direct: [DirectSource(set: fragment.selectionSet.id, conditions: .none)],
      sources: [Source(set: fragment.selectionSet.id, isConditional: false)], rootPath: name)
    return model
  }

  /// Returns the `Data` struct of an operation.
  mutating func data(of operation: OperationDefinitionNode, in path: String, isMutable: Bool) -> ModelStruct? {
    guard let type = context.schema.rootType(operation.operation) else { return nil }
    let model = ModelStruct(
      name: "Data", path: path + ".Data", kind: .object, parentType: type, isMutable: isMutable)
    fill(
      model, direct: [DirectSource(set: operation.selectionSet.id, conditions: .none)],
      sources: [Source(set: operation.selectionSet.id, isConditional: false)], rootPath: model.path)
    return model
  }

  // MARK: One struct

  /// - Parameters:
  /// - own: The sets of the struct itself.
  /// - sources: The sets whose fields it has, including its own.
  /// - rootPath: The struct of the enclosing object of type cases.
  private mutating func fill(_ model: ModelStruct, direct: [DirectSource], sources: [Source], rootPath: String) {
    let selected = DirectSelections(direct, on: model.parentType, in: context)
    let view = ObjectFields(sources, on: model.parentType, in: context)
    switch model.kind {
    case .typeCase, .namedFragment: extents[model.path] = view.extent
    case .object, .mergedCase, .deferred: break
    }
    // For each field of the view, its index among the struct's own fields.
    var indexes: [Int?] = Array(repeating: nil, count: view.fields.count)
    for (index, direct) in selected.fields.enumerated() {
      if let place = context.places[direct.field.id] { indexes[place] = index }
    }

    var properties = PropertyNames(view.fields, taken: names.takenMembers)
    var structs = NameScope([model.name], within: names.takenInside)
    var shown: [ModelField?] = Array(repeating: nil, count: selected.fields.count)
    var children: [ModelStruct] = []
    model.fields.reserveCapacity(view.fields.count)
    // In an expression, a property takes precedence over a struct of the same name.
    let hasPlainNames = view.fields.allSatisfy { field in
      field.responseKey == "__typename" || field.responseKey.first?.isLowercase == true
    }
    for (field, index) in zip(view.fields, indexes) {
      if field.responseKey == "__typename", field.definition.name == "__typename" { continue }
      let property = properties.name(of: field)
      let made: ModelField
      if field.definition.type.definition?.isComposite == true {
        let object = object(field, direct: index.map { selected.fields[$0].sets } ?? [], in: model, names: &structs)
        if let child = object.model { children.append(child) }
        let path = hasPlainNames ? Self.name(of: object.path, in: model) : object.path
        made = ModelField(
          responseKey: field.responseKey, property: SwiftName.member(property),
          type: names.wrapped(field.definition.type, path),
          isConditional: field.isConditional, documentation: documentation(of: field.definition))
      } else {
        made = leaf(field, property)
      }
      if let index { shown[index] = made }
      model.fields.append(made)
    }
    model.children = children
    addTypeCases(to: model, selected, sources, rootPath, &properties, &structs)
    addMergedCases(to: model, selected, direct, sources, rootPath, &properties, &structs)
    addFragments(to: model, view, selected, rootPath, &structs)
    model.selections = selected.lines(shown, names: names)
  }

  /// Returns the name of a struct inside the model: without the path if it is nested.
  private static func name(of path: String, in model: ModelStruct) -> String {
    path.hasPrefix(model.path + ".") ? String(path.dropFirst(model.path.count + 1)) : path
  }

  private mutating func documentation(of definition: FieldDefinition) -> FieldDocumentation {
    if let documentation = documentation[definition] { return documentation }
    let made = FieldDocumentation(definition)
    documentation[definition] = made
    return made
  }

  private mutating func leaf(_ field: ObjectFields.Field, _ property: String) -> ModelField {
    let isShared = !field.isConditional && property == field.responseKey && property == field.definition.name
    if isShared, let leaf = leaves[field.definition] { return leaf }
    let made = ModelField(
      responseKey: field.responseKey, property: SwiftName.member(property),
      type: names.wrapped(field.definition.type, names.output(field.definition.type)),
      isConditional: field.isConditional, documentation: documentation(of: field.definition), isShared: isShared)
    if isShared { leaves[field.definition] = made }
    return made
  }

  /// Returns the struct for a field's object: an existing one, or a new one.
  private mutating func object(
    _ field: ObjectFields.Field, direct parts: [DirectSource], in model: ModelStruct, names structs: inout NameScope
  ) -> (path: String, model: ModelStruct?) {
    let key = SetKey(field.sources, isMutable: model.isMutable)
    if parts.isEmpty, let path = structPaths[key] { return (path, nil) }
    guard let type = field.definition.type.definition else { return ("JSONValue", nil) }
    let plain = SwiftName.capitalized(field.responseKey)
    let name = structs.unique(SwiftName.type(field.definition.type.isListSomewhere ? Singular.of(plain) : plain))
    let child = ModelStruct(
      name: name, path: "\(model.path).\(name)", kind: .object, parentType: type, isMutable: model.isMutable)
    structPaths[key] = child.path
    fill(child, direct: parts, sources: field.sources, rootPath: child.path)
    return (child.path, child)
  }

  private mutating func addTypeCases(
    to model: ModelStruct, _ selected: DirectSelections, _ sources: [Source], _ rootPath: String,
    _ properties: inout PropertyNames, _ structs: inout NameScope
  ) {
    for typeCase in selected.typeCases {
      let suffix = typeCase.conditions.isNone ? "" : "If" + names.suffix(typeCase.conditions)
      let name = structs.unique("As\(SwiftName.capitalized(typeCase.type.name))\(suffix)")
      let child = ModelStruct(
        name: name, path: "\(model.path).\(name)", kind: .typeCase(root: rootPath), parentType: typeCase.type,
        isMutable: model.isMutable)
      let shown = typeCase.sets.filter { $0.deferral == nil }.map { Source(set: $0.set, isConditional: false) }
      fill(child, direct: typeCase.sets, sources: sources + shown, rootPath: rootPath)
      model.children.append(child)
      model.typeCases.append((SwiftName.member(properties.unique(SwiftName.lowercased(name))), child.name))
      selected.paths[typeCase.index] = child.path
      for part in typeCase.sets where part.deferral == nil { casePaths[part.set] = child.path }
    }
  }

  /// Adds the type cases that come from fragments.
  private mutating func addMergedCases(
    to model: ModelStruct, _ selected: DirectSelections, _ direct: [DirectSource], _ sources: [Source],
    _ rootPath: String,
    _ properties: inout PropertyNames, _ structs: inout NameScope
  ) {
    let found: [Source]
    var outer: [String] = []
    switch model.kind {
    case .object, .namedFragment: found = sources
    case .typeCase:
      // Those of the object itself are next to this struct.
      found = direct.filter { $0.deferral == nil }.map { Source(set: $0.set, isConditional: false) }
      outer = [model.path]
    case .mergedCase, .deferred: return
    }
    let selectedTypes = selected.typeCases.filter(\.conditions.isNone).map(\.type)
    let merged = MergedCases(
      found, on: model.parentType, without: selected.typeCases.flatMap { $0.sets.map(\.set) }, in: context)
    for mergedCase in merged.cases where !selectedTypes.contains(mergedCase.type) {
      let paths = mergedCase.parts.compactMap { part in
        switch part {
        case .fragment(let name): names.fragment(name)
        case .inline(let set): casePaths[set]
        }
      }
      guard let first = paths.first else { continue }
      let plain = "As\(SwiftName.capitalized(mergedCase.type.name))"
      // If the fragment has the same fields, it is used instead of a new struct.
      if paths.count == 1, extents[first] == ObjectFields(sources, on: mergedCase.type, in: context).extent {
        model.typeCases.append((SwiftName.member(properties.unique(SwiftName.lowercased(plain))), first))
        continue
      }
      let name = structs.unique(plain)
      let child = ModelStruct(
        name: name, path: "\(model.path).\(name)", kind: .mergedCase(root: rootPath, sources: outer + paths),
        parentType: mergedCase.type, isMutable: model.isMutable)
      fill(child, direct: [], sources: sources, rootPath: rootPath)
      model.children.append(child)
      model.typeCases.append((SwiftName.member(properties.unique(SwiftName.lowercased(name))), child.name))
    }
  }

  /// Adds the struct of an inline fragment that is deferred.
  private mutating func addDeferred(
    _ name: String, at path: String, to model: ModelStruct, _ set: NodeID, _ type: TypeDefinition,
    _ rootPath: String
  ) {
    let child = ModelStruct(
      name: name, path: path, kind: .deferred(root: rootPath), parentType: type, isMutable: model.isMutable)
    fill(
      child, direct: [DirectSource(set: set, conditions: .none)], sources: [Source(set: set, isConditional: false)],
      rootPath: rootPath)
    model.children.append(child)
  }

  private mutating func addFragments(
    to model: ModelStruct, _ view: ObjectFields, _ selected: DirectSelections, _ rootPath: String,
    _ structs: inout NameScope
  ) {
    // The property wrapper of a deferred fragment creates a property with a leading underscore, which no other name
    // has.
    var properties = NameScope(["self", "dataDict"], within: names.takenMembers)
    for fragment in view.fragments {
      let type = names.fragment(fragment.name)
      model.fragments.append(
        ModelFragment(
          property: SwiftName.member(properties.unique(SwiftName.unprefixed(SwiftName.lowercased(type)))), type: type,
          isOptional: fragment.isOptional))
    }
    for deferral in selected.deferrals {
      var path: String
      var property: String
      var needsLabel = false
      switch deferral.content {
      case .named(let name):
        path = names.fragment(name)
        needsLabel = selected.deferrals.filter { $0.spreads(name) }.count > 1
        property = needsLabel ? deferral.label : path
      case .inline(let set, let type):
        let name = structs.unique(SwiftName.type(SwiftName.identifier(deferral.label)))
        path = "\(model.path).\(name)"
        addDeferred(name, at: path, to: model, set, type, rootPath)
        property = deferral.label
      }
      let name = properties.unique(SwiftName.unprefixed(SwiftName.lowercased(SwiftName.identifier(property))))
      model.deferred.append(
        ModelDeferral(
          property: name, type: path, label: deferral.label, needsLabel: needsLabel))
      selected.paths[deferral.index] = path
    }
  }
}

/// The property names of a struct. Response keys are unique, so names are checked only in case of a conflict.
private struct PropertyNames {
  /// All names, collected when a name may not be unique.
  private var scope: NameScope?
  private let fields: [ObjectFields.Field]
  private let taken: Set<String>

  init(_ fields: [ObjectFields.Field], taken: Set<String>) {
    self.fields = fields
    self.taken = taken
    if fields.contains(where: { $0.field.mayBeTaken && taken.contains($0.responseKey) }) {
      scope = NameScope(within: taken)
    }
  }

  mutating func name(of field: ObjectFields.Field) -> String {
    scope?.unique(field.responseKey) ?? field.responseKey
  }

  /// Returns a name that does not conflict with any field.
  mutating func unique(_ name: String) -> String {
    var names = scope ?? NameScope(Set(fields.map(\.responseKey)), within: taken)
    defer { scope = names }
    return names.unique(name)
  }
}
