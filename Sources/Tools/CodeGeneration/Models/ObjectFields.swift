import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The fields that an object certainly has: of `{ id ... on Owl { prey } ... @defer { nest } }` an owl has `id` and
/// `prey`, another bird only `id`.
struct ObjectFields {
  struct Field {
    let field: DocumentField
    let definition: FieldDefinition
    var isConditional: Bool
    /// The selection sets of the field's object.
    var sources: [ModelBuilder.Source]

    var responseKey: String { field.responseKey }
  }

  struct NamedFragment {
    let name: String
    var isOptional: Bool
  }

  /// The number of fields. If one view contains the other, equal extents mean equal fields.
  struct Extent: Equatable {
    let fields: Int
    let sources: Int
    let conditional: Int
  }

  private(set) var fields: [Field] = []
  private(set) var fragments: [NamedFragment] = []
  private var fragmentPlaces: [String: Int] = [:]
  private var subselections: Set<NodeID> = []
  private var visited: Set<ModelBuilder.Source> = []
  private let type: TypeDefinition
  private let context: ModelContext

  /// Creates a view. Afterwards the context's table has the indices of the fields.
  init(_ sources: [ModelBuilder.Source], on type: TypeDefinition, in context: ModelContext) {
    self.type = type
    self.context = context
    context.places.removeAll()
    for source in sources { collect(source) }
  }

  var extent: Extent {
    Extent(
      fields: fields.count, sources: fields.reduce(0) { $0 + $1.sources.count },
      conditional: fields.count(where: \.isConditional))
  }

  private mutating func collect(_ source: ModelBuilder.Source) {
    guard visited.insert(source).inserted else { return }
    for selection in context.selections(of: source.set) {
      let isConditional = source.isConditional || !selection.conditions.isEmpty
      switch selection.content {
      case .field(let field): add(field, isConditional)
      case .inlineFragment(let condition, let set):
        guard selection.deferral == nil, condition.covers(type) else { continue }
        collect(ModelBuilder.Source(set: set, isConditional: isConditional))
      case .fragment(let name):
        guard selection.deferral == nil, let fragment = context.fragment(name) else { continue }
        let isCovered = fragment.condition.covers(type)
        insert(name, isOptional: isConditional || !isCovered)
        if isCovered { collect(ModelBuilder.Source(set: fragment.set, isConditional: isConditional)) }
      }
    }
  }

  private mutating func add(_ field: DocumentField, _ isConditional: Bool) {
    guard let definition = field.definition(on: type) else { return }
    let isNew = field.set.map { subselections.insert($0).inserted } ?? false
    guard let index = context.places[field.id] else {
      context.places[field.id] = fields.count
      // A selection set without others is present as a whole or not at all.
      let sources = field.set.map { [ModelBuilder.Source(set: $0, isConditional: false)] } ?? []
      fields.append(Field(field: field, definition: definition, isConditional: isConditional, sources: sources))
      return
    }
    if let set = field.set, isNew {
      if fields[index].isConditional, fields[index].sources.count == 1 {
        fields[index].sources[0].isConditional = true
      }
      fields[index].sources.append(ModelBuilder.Source(set: set, isConditional: isConditional))
    }
    fields[index].isConditional = fields[index].isConditional && isConditional
  }

  private mutating func insert(_ name: String, isOptional: Bool) {
    if let index = fragmentPlaces[name] {
      fragments[index].isOptional = fragments[index].isOptional && isOptional
    } else {
      fragmentPlaces[name] = fragments.count
      fragments.append(NamedFragment(name: name, isOptional: isOptional))
    }
  }
}

extension [DirectiveNode] {
  /// The `@include` and `@skip` with variables. Literals that always hold are ignored.
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
    // `if: false` disables the deferral.
    if let value = directive.argument(named: "if")?.value, value.kind == .boolean, !value.boolValue { return nil }
    return directive
  }
}
