import GraphQLLanguage
import GraphQLSchema

/// What an object of one type certainly has: the fields of some selection sets, and of the fragments in them that cover
/// the type and are not deferred.
struct ObjectView {
  struct Field {
    let responseKey: String
    let definition: FieldDefinition
    var isConditional: Bool
    /// The selection sets beneath.
    var sources: [ModelBuilder.Source]
  }

  struct NamedFragment {
    let name: String
    var isOptional: Bool
  }

  private(set) var fields: [Field] = []
  private(set) var fragments: [NamedFragment] = []
  private var indexes: [String: Int] = [:]
  private var visited: Set<ModelBuilder.Source> = []
  private let type: TypeDefinition
  private let context: ModelContext

  init(_ sources: [ModelBuilder.Source], on type: TypeDefinition, in context: ModelContext) {
    self.type = type
    self.context = context
    for source in sources {
      collect(SelectionSetNode(context.document, source.set), isConditional: source.isConditional)
    }
  }

  private mutating func collect(_ set: SelectionSetNode, isConditional: Bool) {
    guard visited.insert(ModelBuilder.Source(set: set.id, isConditional: isConditional)).inserted else { return }
    for selection in set.selections {
      let directives = selection.directives
      let isConditional = isConditional || !directives.conditions.isEmpty
      switch selection {
      case .field(let field): add(field, isConditional)
      case .inlineFragment(let fragment):
        guard directives.deferral == nil, covers(fragment.typeCondition?.name.value) else { continue }
        collect(fragment.selectionSet, isConditional: isConditional)
      case .fragmentSpread(let spread):
        guard directives.deferral == nil, let definition = context.fragment(spread.name.value) else { continue }
        let isCovered = covers(definition.typeCondition.name.value)
        note(spread.name.value, isOptional: isConditional || !isCovered)
        if isCovered { collect(definition.selectionSet, isConditional: isConditional) }
      }
    }
  }

  private mutating func add(_ node: FieldNode, _ isConditional: Bool) {
    guard let definition = type.field(named: node.name.value) else { return }
    let key = node.responseKey
    let sources = node.selectionSet.map { [ModelBuilder.Source(set: $0.id, isConditional: isConditional)] } ?? []
    guard let index = indexes[key] else {
      indexes[key] = fields.count
      // What stands there alone is all there or not at all.
      let whole = sources.map { ModelBuilder.Source(set: $0.set, isConditional: false) }
      fields.append(
        Field(responseKey: key, definition: definition, isConditional: isConditional, sources: whole))
      return
    }
    let isAnother = sources.contains { source in !fields[index].sources.contains { $0.set == source.set } }
    if fields[index].isConditional, isAnother, fields[index].sources.count == 1 {
      fields[index].sources = fields[index].sources.map { ModelBuilder.Source(set: $0.set, isConditional: true) }
    }
    fields[index].isConditional = fields[index].isConditional && isConditional
    for source in sources where !fields[index].sources.contains(where: { $0.set == source.set }) {
      fields[index].sources.append(source)
    }
  }

  private mutating func note(_ name: String, isOptional: Bool) {
    if let index = fragments.firstIndex(where: { $0.name == name }) {
      fragments[index].isOptional = fragments[index].isOptional && isOptional
    } else {
      fragments.append(NamedFragment(name: name, isOptional: isOptional))
    }
  }

  private func covers(_ condition: String?) -> Bool { context.covers(condition, type) }
}

extension [DirectiveNode] {
  /// `@include` and `@skip` with variables; literal ones that always hold count for nothing.
  var conditions: [ModelConditions.Condition] {
    compactMap { directive in
      let isSkip = directive.name.hasValue("skip")
      guard isSkip || directive.name.hasValue("include"), let value = directive.argument(named: "if")?.value else {
        return nil
      }
      if value.kind == .variable {
        return ModelConditions.Condition(variable: value.variableName, isInverted: isSkip)
      }
      return value.boolValue == isSkip ? ModelConditions.Condition(variable: "", isInverted: isSkip) : nil
    }
  }

  var deferral: DirectiveNode? {
    guard let directive = first(where: { $0.name.hasValue("defer") }) else { return nil }
    // `if: false` is no deferral at all.
    if let value = directive.argument(named: "if")?.value, value.kind == .boolean, !value.boolValue { return nil }
    return directive
  }
}
