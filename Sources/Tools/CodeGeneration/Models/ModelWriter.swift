import ApusGraphQLSchema

struct ModelWriter {
  let names: ModelNames
  let access: String
  // The members that every struct has.
  private let constant: String
  private let variable: String
  private let dataInit: String
  private let parentType: String

  private var namespace: String { names.namespace }

  init(names: ModelNames, access: String) {
    self.names = names
    self.access = access
    constant = "\(access) let __data: DataDict"
    variable = "\(access) var __data: DataDict"
    dataInit = "\(access) init(_dataDict: DataDict) { __data = _dataDict }"
    parentType = "\(access) static var __parentType: any ParentType { "
  }

  /// - Parameter head: Writes the first members.
  func write(_ model: ModelStruct, to writer: inout SwiftWriter, head: (inout SwiftWriter) -> Void = { _ in }) {
    writer.block("\(access) struct \(model.name): \(conformances(model))") { writer in
      head(&writer)
      if let root = rootEntity(model) { writer.line("\(access) typealias RootEntityType = \(root)") }
      writer.line(model.isMutable ? variable : constant)
      writer.line(dataInit)
      writer.line(parentType, names.parentType(model.parentType), " }")
      if case .mergedCase(_, let sources) = model.kind {
        writer.list(
          "\(access) static var __mergedSources: [any SelectionSet.Type] { [", sources.map { $0 + ".self" }, "] }")
      }
      writeSelections(model, &writer)
      writeProperties(model, &writer)
      writeFragments(model, &writer)
      writeInitializer(model, &writer)
      for child in model.children {
        writer.gap()
        writer.line("/// \(meaning(child))")
        write(child, to: &writer)
      }
    }
  }

  private func conformances(_ model: ModelStruct) -> String {
    let local: String
    switch model.kind {
    case .object: local = "\(namespace)SelectionSet"
    case .namedFragment: local = "\(namespace)Fragment"
    case .typeCase, .deferred: local = "\(namespace)InlineFragment"
    case .mergedCase: local = "\(namespace)InlineFragment, CompositeInlineFragment"
    }
    return model.isMutable ? "\(local), MutableRootSelectionSet" : local
  }

  private func rootEntity(_ model: ModelStruct) -> String? {
    switch model.kind {
    case .object, .namedFragment: nil
    case .typeCase(let root), .deferred(let root), .mergedCase(let root, _): root
    }
  }

  private func meaning(_ model: ModelStruct) -> String {
    switch model.kind {
    case .object: "The selection on a `\(model.parentType.name)`."
    case .namedFragment: "A fragment on `\(model.parentType.name)`."
    case .typeCase, .mergedCase: "The object as a `\(model.parentType.name)`."
    case .deferred: "The deferred fields of a `\(model.parentType.name)`."
    }
  }

  // MARK: Members

  private func writeSelections(_ model: ModelStruct, _ writer: inout SwiftWriter) {
    guard !model.selections.isEmpty else { return }
    let items = model.selections.compactMap { selection -> String? in
      guard case .line(let text, let conditions) = selection, !text.isEmpty else { return nil }
      return conditions.isNone ? ".\(text)" : ".\(conditional(conditions)).\(text))"
    }
    writer.list("\(access) static var __selections: [Selection] { [", items, "] }")
  }

  private func conditional(_ conditions: ModelConditions) -> String {
    if conditions.groups.count == 1, conditions.groups[0].count == 1, !conditions.groups[0][0].isInverted,
      !conditions.groups[0][0].variable.isEmpty
    {
      return "include(if: \(SwiftLiteral.string(conditions.groups[0][0].variable)), "
    }
    let groups = conditions.groups.map { group in
      let conditions = group.map { condition in
        condition.variable.isEmpty
          ? ".value(false)"
          : ".variable(\(SwiftLiteral.string(condition.variable)), isInverted: \(condition.isInverted))"
      }
      return "[\(conditions.joined(separator: ", "))]"
    }
    return "include(if: Selection.Conditions([\(groups.joined(separator: ", "))]), "
  }

  private func writeProperties(_ model: ModelStruct, _ writer: inout SwiftWriter) {
    if !model.fields.isEmpty { writer.gap() }
    for field in model.fields { field.write(to: &writer, access: access, isMutable: model.isMutable) }
    if !model.typeCases.isEmpty { writer.gap() }
    for typeCase in model.typeCases {
      let head = "\(access) var \(typeCase.property): \(typeCase.type)?"
      writeView(head, "_asInlineFragment()", isMutable: model.isMutable, &writer)
    }
  }

  /// Writes a view of the object as a fragment. Setting the view sets its fields.
  private func writeView(_ head: String, _ view: String, isMutable: Bool, _ writer: inout SwiftWriter) {
    guard isMutable else { return writer.line("\(head) { \(view) }") }
    writer.block(head) { writer in
      writer.line("get { \(view) }")
      writer.line("set { __data.mergeFields(of: newValue) }")
    }
  }

  private func writeFragments(_ model: ModelStruct, _ writer: inout SwiftWriter) {
    guard !model.fragments.isEmpty || !model.deferred.isEmpty else { return }
    writer.gap()
    let isMutable = model.isMutable && !model.fragments.isEmpty
    let container = isMutable ? "MutableFragmentContainer" : "FragmentContainer"
    writer.block("\(access) struct Fragments: \(container)") { writer in
      writer.line(isMutable ? variable : constant)
      if model.deferred.isEmpty {
        writer.line(dataInit)
      } else {
        writer.block("\(access) init(_dataDict: DataDict)") { writer in
          writer.line("__data = _dataDict")
          for part in model.deferred {
            let label = part.needsLabel ? ", label: \(SwiftLiteral.string(part.label))" : ""
            writer.line("_\(part.property) = Deferred(_dataDict: _dataDict\(label))")
          }
        }
      }
      writer.gap()
      for fragment in model.fragments {
        let type = fragment.isOptional ? fragment.type + "?" : fragment.type
        writeView("\(access) var \(fragment.property): \(type)", "_toFragment()", isMutable: isMutable, &writer)
      }
      for part in model.deferred {
        writer.line("@Deferred \(access) var \(SwiftName.member(part.property)): \(part.type)?")
      }
    }
  }

  private func writeInitializer(_ model: ModelStruct, _ writer: inout SwiftWriter) {
    var parameters = model.parentType.isAbstract ? ["__typename: String"] : []
    for field in model.fields { parameters.append(field.parameter) }
    parameters += model.initializerParts.map { "\($0.name): \($0.type)? = nil" }
    writer.gap()
    writer.list("\(access) init(", parameters, ") {")
    writer.indented { $0.writeCall("self.init", with: model) }
    writer.line("}")
  }
}

extension SwiftWriter {
  /// Writes a call of the initializer of a model's data, with the model's properties as values.
  mutating func writeCall(_ initializer: String, with model: ModelStruct) {
    let typename = model.parentType.isAbstract ? "__typename" : SwiftLiteral.string(model.parentType.name)
    // The keys are one string, followed by the values in order, because a dictionary takes longer to compile.
    let keys = model.fields.map(\.responseKey).joined(separator: " ")
    let parts = model.initializerParts.map(\.name)
    let deferred = parts.isEmpty ? "" : ", deferred: [\(parts.joined(separator: ", "))]"
    list(
      "\(initializer)(_dataDict: DataDict(Self.self, typename: \(typename), \(SwiftLiteral.string(keys)), [",
      model.fields.map(\.property), "]\(deferred)))")
  }
}
