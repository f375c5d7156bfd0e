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
      collect(source.set, isConditional: source.isConditional)
    }
  }

  private mutating func collect(_ set: NodeID, isConditional: Bool) {
    guard visited.insert(ModelBuilder.Source(set: set, isConditional: isConditional)).inserted else { return }
    for selection in context.selections(of: set) {
      let isConditional = isConditional || !selection.conditions.isEmpty
      switch selection.content {
      case .field(_, let key, let name, let set): add(key, name, set, isConditional)
      case .inlineFragment(let condition, let set):
        if selection.deferral == nil, condition.covers(type) { collect(set, isConditional: isConditional) }
      case .fragment(let name):
        guard selection.deferral == nil, let fragment = context.fragment(name) else { continue }
        let isCovered = fragment.condition.covers(type)
        note(name, isOptional: isConditional || !isCovered)
        if isCovered { collect(fragment.set, isConditional: isConditional) }
      }
    }
  }

  private mutating func add(_ key: String, _ name: NameID?, _ set: NodeID?, _ isConditional: Bool) {
    guard let definition = name.flatMap({ type.field(named: $0) }) else { return }
    let sources = set.map { [ModelBuilder.Source(set: $0, isConditional: isConditional)] } ?? []
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
