import ApusGraphQLLanguage
import ApusGraphQLSchema

/// Determines the fields to add to the selections on an object for the cache: its type name and key fields.
///
/// Fields are added only to the selections of fields, not of fragments, so that a record's key never depends on a
/// deferred fragment. For an abstract type without a key, the keys of the selected object types are added.
package struct CacheFieldPlanner {
  let document: Document
  let definitions: [String: FragmentDefinitionNode]
  let types: CompilerTypes
  let options: CompileOptions
  private let merged: MergedSelectionSets

  init(
    document: Document, definitions: [String: FragmentDefinitionNode], types: CompilerTypes, options: CompileOptions
  ) {
    self.document = document
    self.definitions = definitions
    self.types = types
    self.options = options
    merged = MergedSelectionSets(document, definitions: definitions, types: types) { type in
      Self.keyFields(of: type, options)
    }
  }

  package init(document: Document, schema: Schema, options: CompileOptions) {
    self.init(
      document: document,
      definitions: Dictionary(document.fragments.map { ($0.name.value, $0) }) { _, last in last },
      types: CompilerTypes(schema: schema), options: options)
  }

  /// Whether a field can be added to a selection set without contradicting another selection on the same object.
  package func canAdd(_ name: String, to node: SelectionSetNode) -> Bool { merged.canHold(name, in: node) }

  package func additions(to node: SelectionSetNode, type: TypeDefinition?) -> [CompiledSelection] {
    var added: [CompiledSelection] = []
    if !hasField("__typename", in: node) {
      added.append(.field(CompiledField(name: "__typename", type: CompilerTypes.typename, isAdded: true)))
    }
    guard let type else { return added }
    let declared = Self.keyFields(of: type, options)
    for name in declared where !hasField(name, in: node) && canAdd(name, to: node) {
      added.append(.field(field(name, of: type)))
    }
    guard type.isAbstract else { return added }
    for name in typeConditions(in: node) where name != type.name {
      guard let inner = types.type(named: name), inner.isComposite else { continue }
      let fields = Self.keyFields(of: inner, options).filter { !declared.contains($0) && canAdd($0, to: node) }
      guard !fields.isEmpty else { continue }
      let set = CompiledSelectionSet(parentType: name, selections: fields.map { .field(field($0, of: inner)) })
      added.append(
        .fragment(
          CompiledFragment(
            typeCondition: name, possibleTypes: types.possibleTypes(name),
            staticApplication: types.application(of: name, on: type), selectionSet: set)))
    }
    return added
  }

  package static func text(of added: [CompiledSelection]) -> String {
    added.map { selection in
      switch selection {
      case .field(let field): field.name
      case .fragment(let fragment):
        "... on \(fragment.typeCondition ?? "") { \(text(of: fragment.selectionSet.selections)) }"
      }
    }.joined(separator: " ")
  }

  private func field(_ name: String, of type: TypeDefinition) -> CompiledField {
    CompiledField(name: name, type: type.field(named: name).map { types.compiled($0.type) }, isAdded: true)
  }

  private static func keyFields(of type: TypeDefinition, _ options: CompileOptions) -> [String] {
    if let fields = options.keyFields[type.name] { return fields.filter { isKey($0, of: type) } }
    return options.keyCandidates.first { isKey($0, of: type) }.map { [$0] } ?? []
  }

  private static func isKey(_ name: String, of type: TypeDefinition) -> Bool {
    guard let field = type.field(named: name), !field.type.isList else { return false }
    return field.type.definition?.isLeaf == true && !field.arguments.contains(where: \.isRequired)
  }

  private func hasField(_ name: String, in node: SelectionSetNode) -> Bool {
    node.selections.contains { selection in
      guard case .field(let field) = selection else { return false }
      return field.alias == nil && field.name.hasValue(name) && field.directives.isEmpty
    }
  }

  /// Returns the type conditions of the fragments on an object.
  private func typeConditions(in node: SelectionSetNode) -> [String] {
    var names: [String] = []
    var visited: Set<String> = []
    addTypeConditions(in: node, to: &names, &visited)
    return names
  }

  private func addTypeConditions(
    in node: SelectionSetNode, to names: inout [String], _ visited: inout Set<String>
  ) {
    for selection in node.selections {
      switch selection {
      case .field: continue
      case .inlineFragment(let fragment):
        if let name = fragment.typeCondition?.name.value, !names.contains(name) { names.append(name) }
        addTypeConditions(in: fragment.selectionSet, to: &names, &visited)
      case .fragmentSpread(let spread):
        let name = spread.name.value
        guard visited.insert(name).inserted, let definition = definitions[name] else { continue }
        let condition = definition.typeCondition.name.value
        if !names.contains(condition) { names.append(condition) }
        addTypeConditions(in: definition.selectionSet, to: &names, &visited)
      }
    }
  }
}
