import ApusClientOperation
import ApusJSON

/// Compiles the static selections of generated models, each named fragment once.
struct ModelCompiler {
  private var fragments: [CompiledFragment] = []
  private var nextID = 0
  private var named: [ObjectIdentifier: CompiledSelectionSet] = [:]
  private let conditionals: Conditionals

  /// The treatment of conditional selections. Objects created in code have no variables to evaluate conditions.
  private enum Conditionals {
    case decided, retained, dropped
  }

  private init(_ conditionals: Conditionals) {
    self.conditionals = conditionals
  }

  /// Compiles an operation, or a single fragment.
  static func compile(
    _ data: any SelectionSet.Type, type: CompiledOperation.OperationType, name: String?, text: String,
    identifier: String?, defaults: InputDict
  ) -> CompiledOperation {
    var compiler = ModelCompiler(.decided)
    let set = compiler.set(of: data)
    let variables = defaults.json.members.map { member in
      CompiledVariable(name: member.key, typeDescription: "", isNonNull: false, defaultValue: member.value)
    }
    return CompiledOperation(
      operationType: type, name: name, documentText: text, documentDigest: identifier,
      rootTypeName: data.__parentType.name, queryTypeName: queryTypeName(of: data),
      rootIsAbstract: !(data.__parentType is ObjectType), selections: set,
      variableDefinitions: variables,
      fragments: compiler.fragments.sorted { $0.id < $1.id }, hasIncremental: set.hasIncremental)
  }

  private static func queryTypeName<Model: SelectionSet>(of model: Model.Type) -> String? {
    Model.Schema.rootTypes?.query
  }

  /// Compiles the selections of a model; for an inline fragment that is not deferred, including those of its enclosing
  /// object.
  static func node(of model: any SelectionSet.Type) -> PlanNode {
    node(of: model, made: sources(of: model), .retained)
  }

  /// Compiles the unconditional selections of a model.
  static func required(of model: any SelectionSet.Type) -> PlanNode {
    let merged = (model as? any CompositeInlineFragment.Type)?.__mergedSources ?? []
    return node(of: model, made: merged + [model], .dropped)
  }

  private static func node(
    of model: any SelectionSet.Type, made sources: [any SelectionSet.Type], _ conditionals: Conditionals
  ) -> PlanNode {
    var compiler = ModelCompiler(conditionals)
    let parent = model.__parentType
    return PlanNode(
      sets: sources.map { compiler.set(of: $0) }, concreteType: parent is ObjectType ? parent.name : nil)
  }

  private static func sources(of model: any SelectionSet.Type) -> [any SelectionSet.Type] {
    guard let inline = model as? any InlineFragment.Type else { return [model] }
    let merged = (model as? any CompositeInlineFragment.Type)?.__mergedSources.flatMap { sources(of: $0) } ?? []
    let root = root(of: inline)
    // A deferred fragment has only its own fields.
    return (isDeferred(model, by: root.__selections) ? [] : sources(of: root)) + merged + [model]
  }

  private static func isDeferred(_ model: any SelectionSet.Type, by selections: [ModelSelection]) -> Bool {
    selections.contains { selection in
      switch selection {
      case .deferred(_, let other, _, _): other == model || isDeferred(model, by: other.__selections)
      case .inlineFragment(let other): isDeferred(model, by: other.__selections)
      case .conditional(_, let nestedSelections): isDeferred(model, by: nestedSelections)
      case .field, .fragment, .key: false
      }
    }
  }

  private static func root<Model: InlineFragment>(of model: Model.Type) -> any SelectionSet.Type {
    Model.RootEntityType.self
  }

  // MARK: - Selections

  private mutating func set(of model: any SelectionSet.Type, isTypeCase: Bool = false) -> CompiledSelectionSet {
    let parent = model.__parentType
    var selections: [CompiledSelection] = []
    for selection in model.__selections where !(isTypeCase && selection.isBesideTypeCase) {
      add(selection, conditions: [], parent: parent, to: &selections)
    }
    return CompiledSelectionSet(parentType: parent.name, possibleTypes: parent.possibleTypes, selections: selections)
  }

  private mutating func add(
    _ selection: ModelSelection, conditions: [ModelSelection.Condition], parent: any ParentType,
    to selections: inout [CompiledSelection]
  ) {
    switch selection {
    case .field(let field):
      selections.append(.field(compile(field, conditions: conditions)))
    case .key(let field, let owner):
      // Objects created in code need no key.
      guard conditionals == .decided else { return }
      let key = CompiledSelection.field(compile(field, conditions: conditions, isAdded: true))
      selections.append(owner.map { .fragment(fragment(on: $0, [key], parent: parent)) } ?? key)
    case .fragment(let model):
      selections.append(.fragment(fragment(model, conditions: conditions, parent: parent)))
    case .inlineFragment(let model):
      selections.append(.fragment(fragment(model, conditions: conditions, parent: parent)))
      // The document has these beside the type case, so that they are not executed on another type.
      for selection in model.__selections where selection.isBesideTypeCase {
        add(selection, conditions: conditions, parent: parent, to: &selections)
      }
    case .deferred(let flag, let model, let label, _):
      let deferral = CompiledDeferral(label: label, condition: condition(flag))
      selections.append(.fragment(fragment(model, conditions: conditions, deferral: deferral, parent: parent)))
    case .conditional(let inner, let nestedSelections):
      // A selection with alternative conditions is added once per alternative; merging combines them.
      for group in inner.groups {
        for selection in nestedSelections {
          add(selection, conditions: conditions + group, parent: parent, to: &selections)
        }
      }
    }
  }

  private mutating func compile(
    _ field: ModelSelection.Field, conditions: [ModelSelection.Condition], isAdded: Bool = false
  ) -> CompiledField {
    let leaf = leaf(of: field.type)
    let stream = field.stream.map { stream in
      CompiledStream(
        label: stream.label, condition: condition(stream.condition), initialCount: value(stream.initialCount))
    }
    return CompiledField(
      name: field.name, responseKey: field.alias, arguments: field.arguments.map { argument($0.key, $0.value) },
      conditions: self.conditions(conditions), stream: stream, type: type(field.type),
      selectionSet: leaf.model.map { set(of: $0) }, isAdded: isAdded, leafCheck: leaf.check, leafIdentity: leaf.identity
    )
  }

  private mutating func fragment(
    _ model: any SelectionSet.Type, conditions: [ModelSelection.Condition], deferral: CompiledDeferral? = nil,
    parent: any ParentType
  ) -> CompiledFragment {
    var id = -1
    if deferral != nil {
      id = nextID
      nextID += 1
    }
    let fragmentModel = model as? any Fragment.Type
    let set = set(ofFragment: model, isNamed: fragmentModel != nil, isTypeCase: deferral == nil)
    let type = model.__parentType
    let fragment = CompiledFragment(
      id: id, name: fragmentModel.map { $0.fragmentName }, typeCondition: type.name,
      possibleTypes: type.possibleTypes, staticApplication: application(of: type, on: parent),
      conditions: self.conditions(conditions), deferral: deferral, selectionSet: set,
      model: ObjectIdentifier(model))
    if deferral != nil { fragments.append(fragment) }
    return fragment
  }

  /// Creates a fragment without a model.
  private func fragment(
    on type: any ParentType, _ selections: [CompiledSelection], parent: any ParentType
  ) -> CompiledFragment {
    CompiledFragment(
      typeCondition: type.name, possibleTypes: type.possibleTypes,
      staticApplication: application(of: type, on: parent),
      selectionSet: CompiledSelectionSet(
        parentType: type.name, possibleTypes: type.possibleTypes, selections: selections))
  }

  private mutating func set(
    ofFragment model: any SelectionSet.Type, isNamed: Bool, isTypeCase: Bool
  ) -> CompiledSelectionSet {
    guard isNamed else { return set(of: model, isTypeCase: isTypeCase) }
    if let set = named[ObjectIdentifier(model)] { return set }
    let made = set(of: model)
    named[ObjectIdentifier(model)] = made
    return made
  }

  private func application(of type: any ParentType, on parent: any ParentType) -> CompiledFragment.Application {
    if type.name == parent.name { return .covers }
    let covered = type.possibleTypes
    let possible = parent.possibleTypes
    // An interface may get implementations that the models do not know, so only object types are certain to be covered.
    if parent is ObjectType, possible.isSubset(of: covered) { return .covers }
    return possible.isDisjoint(with: covered) ? .never : .mayCover
  }

  // MARK: - Types

  private func type(_ type: OutputType) -> CompiledType {
    switch type {
    case .nonNull(let inner): .nonNull(self.type(inner))
    case .list(let inner): .list(self.type(inner))
    case .scalar(let name, _), .customScalar(let name, _): .named(name, kind: .scalar)
    case .enumeration(let name): .named(name, kind: .enumeration)
    case .object(let model):
      .named(model.__parentType.name, kind: model.__parentType is ObjectType ? .object : .abstract)
    }
  }

  /// Returns the innermost type: a model, or a custom scalar with its check.
  private func leaf(
    of type: OutputType
  ) -> Leaf {
    switch type {
    case .nonNull(let inner), .list(let inner): leaf(of: inner)
    case .scalar(let name, let check): Leaf(check: CompiledType.builtInScalars.contains(name) ? nil : check)
    case .customScalar(let name, let type):
      CompiledType.builtInScalars.contains(name)
        ? Leaf(identity: { type.identity(of: $0) })
        : Leaf(check: { (try? type.init(_jsonValue: $0)) != nil }, identity: { type.identity(of: $0) })
    case .enumeration: Leaf()
    case .object(let model): Leaf(model: model)
    }
  }

  private struct Leaf {
    var model: (any SelectionSet.Type)?
    var check: (@Sendable (JSONValue) -> Bool)?
    /// Decodes a custom scalar for comparisons.
    var identity: (@Sendable (JSONValue) -> AnyHashable)?
  }

  // MARK: - Arguments and conditions

  private func argument(_ name: String, _ value: InputValue) -> CompiledArgument {
    guard case .variable(_, let standIn) = value else { return CompiledArgument(name: name, value: self.value(value)) }
    return CompiledArgument(name: name, value: self.value(value), defaultValue: standIn)
  }

  private func value(_ value: InputValue) -> CompiledValue {
    switch value {
    case .constant(let json): .constant(json)
    case .variable(let name, _): .variable(name)
    case .list(let values): .folding(list: values.map { self.value($0) })
    case .object(let fields):
      .folding(
        fields: fields.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: self.value($0.value)) })
    }
  }

  private func conditions(_ conditions: [ModelSelection.Condition]) -> Conditions {
    switch conditionals {
    case .retained: return .none
    case .dropped: return conditions.isEmpty ? .none : Conditions(include: [.never], skip: [])
    case .decided: break
    }
    var include: [CompiledCondition] = []
    var skip: [CompiledCondition] = []
    for condition in conditions {
      switch condition {
      case .value(true): break
      case .value(false): include.append(.never)
      case .variable(let name, let isInverted):
        if isInverted {
          skip.append(.variable(name, absent: false))
        } else {
          include.append(.variable(name, absent: false))
        }
      }
    }
    return include.isEmpty && skip.isEmpty ? .none : Conditions(include: include, skip: skip)
  }

  private func condition(_ flag: ModelSelection.Flag?) -> CompiledCondition {
    switch flag {
    case nil, .value(true): .always
    case .value(false): .never
    case .variable(let name): .variable(name, absent: true)
    }
  }
}

extension ModelSelection {
  fileprivate var isBesideTypeCase: Bool {
    if case .deferred(_, _, _, isBesideTypeCase: true) = self { true } else { false }
  }
}
