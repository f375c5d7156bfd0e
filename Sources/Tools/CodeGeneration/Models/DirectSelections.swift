import ApusGraphQLLanguage
import ApusGraphQLSchema

/// The struct's own selections in document order, as lines of `__selections`.
final class DirectSelections {
  struct Field {
    let field: DocumentField
    let definition: FieldDefinition
    var conditions: ModelConditions
    var sets: [ModelBuilder.DirectSource]
  }

  struct TypeCase {
    let index: Int
    let type: TypeDefinition
    let conditions: ModelConditions
    var sets: [ModelBuilder.DirectSource]
  }

  struct Deferral {
    enum Content {
      case named(String)
      case inline(NodeID, TypeDefinition)
    }

    let index: Int
    let label: String
    /// The variable of `if`: `wide` in `@defer(if: $wide)`.
    let condition: String?
    let conditions: ModelConditions
    let content: Content
    /// Whether the document has the fragment beside the type case that contains its struct.
    var isBesideTypeCase = false

    func spreads(_ name: String) -> Bool { if case .named(name) = content { true } else { false } }
  }

  private enum Entry {
    case field(Int)
    case typeCase(Int)
    case deferral(Int)
    case fragment(String, ModelConditions)
  }

  private(set) var fields: [Field] = []
  private(set) var typeCases: [TypeCase] = []
  private(set) var deferrals: [Deferral] = []
  /// The paths of the structs of type cases and deferrals, by index.
  var paths: [Int: String] = [:]
  private var entries: [Entry] = []
  private var hiddenKeys: [(key: KeyFieldInserter.HiddenKey, conditions: ModelConditions)] = []
  private let type: TypeDefinition
  private let context: ModelContext

  /// Uses the context's table while it is created.
  init(_ parts: [ModelBuilder.DirectSource], on type: TypeDefinition, in context: ModelContext) {
    self.type = type
    self.context = context
    context.places.removeAll()
    for part in parts { add(part) }
  }

  private func add(_ part: ModelBuilder.DirectSource) {
    if let deferral = part.deferral {
      add(deferral, .inline(part.set, type), part.conditions)
      deferrals[deferrals.count - 1].isBesideTypeCase = true
    } else {
      add(part.set, part.conditions)
    }
  }

  private func add(_ set: NodeID, _ conditions: ModelConditions) {
    for key in context.hiddenKeys(of: set) { add(key, conditions) }
    for selection in context.selections(of: set) {
      let conditions = selection.conditions.isEmpty ? conditions : conditions.and(selection.conditions)
      switch selection.content {
      case .field(let field): add(field, conditions)
      case .inlineFragment(let condition, let set): add(condition, set, selection.deferral, conditions)
      case .fragment(let name):
        if let deferral = selection.deferral {
          add(deferral, .named(name), conditions)
        } else {
          entries.append(.fragment(name, conditions))
        }
      }
    }
  }

  private func add(_ key: KeyFieldInserter.HiddenKey, _ conditions: ModelConditions) {
    let index = hiddenKeys.firstIndex { $0.key.definition == key.definition && $0.key.owner == key.owner }
    if let index {
      hiddenKeys[index].conditions = hiddenKeys[index].conditions.or(conditions)
    } else {
      hiddenKeys.append((key, conditions))
    }
  }

  private func add(_ field: DocumentField, _ conditions: ModelConditions) {
    guard let definition = field.definition(on: type) else { return }
    if let index = context.places[field.id] {
      if fields[index].sets.count == 1, !fields[index].conditions.isNone {
        // So far the field had only one set, so its conditions also apply to that set.
        let set = fields[index].sets[0].set
        fields[index].sets[0] = ModelBuilder.DirectSource(set: set, conditions: fields[index].conditions)
      }
      if let set = field.set { fields[index].sets.append(.init(set: set, conditions: conditions)) }
      fields[index].conditions = fields[index].conditions.or(conditions)
      return
    }
    entries.append(.field(fields.count))
    context.places[field.id] = fields.count
    fields.append(
      Field(
        field: field, definition: definition, conditions: conditions,
        sets: field.set.map { [.init(set: $0, conditions: .none)] } ?? []))
  }

  private func add(
    _ condition: TypeCondition, _ set: NodeID, _ deferral: DirectiveNode?, _ conditions: ModelConditions
  ) {
    if condition.covers(type) {
      if let deferral { add(deferral, .inline(set, type), conditions) } else { add(set, conditions) }
    } else if case .type(let condition) = condition {
      // A deferred fragment on a narrower type belongs to the type case.
      addTypeCase(condition, ModelBuilder.DirectSource(set: set, conditions: .none, deferral: deferral), conditions)
    }
  }

  private func addTypeCase(
    _ condition: TypeDefinition, _ part: ModelBuilder.DirectSource, _ conditions: ModelConditions
  ) {
    if let index = typeCases.firstIndex(where: { $0.type == condition && $0.conditions == conditions }) {
      typeCases[index].sets.append(part)
      return
    }
    typeCases.append(TypeCase(index: entries.count, type: condition, conditions: conditions, sets: [part]))
    entries.append(.typeCase(typeCases.count - 1))
  }

  private func add(_ directive: DirectiveNode, _ content: Deferral.Content, _ conditions: ModelConditions) {
    let flag = directive.argument(named: "if")?.value
    deferrals.append(
      Deferral(
        index: entries.count, label: directive.argument(named: "label")?.value.stringValue ?? "",
        condition: flag?.kind == .variable ? flag?.variableName : nil, conditions: conditions, content: content))
    entries.append(.deferral(deferrals.count - 1))
  }

  // MARK: Lines

  /// - Parameter properties: The properties of the fields, in order.
  func lines(_ properties: [ModelField?], names: ModelNames) -> [SelectionLine] {
    let keys = hiddenKeys.filter { !isShown($0.key) }
    return keys.map { .line(line($0.key, names: names), $0.conditions) }
      + entries.map { entry in
        switch entry {
        case .field(let index): return .line(line(fields[index], properties[index]), fields[index].conditions)
        case .typeCase(let index):
          return .line("inlineFragment(\(paths[typeCases[index].index] ?? "").self)", typeCases[index].conditions)
        case .fragment(let name, let conditions):
          return .line("fragment(\(names.fragment(name)).self)", conditions)
        case .deferral(let index):
          let deferral = deferrals[index]
          let flag = deferral.condition.map { "if: .variable(\(SwiftLiteral.string($0))), " } ?? ""
          let path = paths[deferral.index] ?? ""
          let place = deferral.isBesideTypeCase ? ", isBesideTypeCase: true" : ""
          return .line(
            "deferred(\(flag)\(path).self, label: \(SwiftLiteral.string(deferral.label))\(place))", deferral.conditions)
        }
      }
  }

  /// Whether the struct selects the field unconditionally, with a property.
  private func isShown(_ key: KeyFieldInserter.HiddenKey) -> Bool {
    key.owner == nil && fields.contains { $0.field.isPlain && $0.definition == key.definition && $0.conditions.isNone }
  }

  private func line(_ key: KeyFieldInserter.HiddenKey, names: ModelNames) -> String {
    let type = key.definition.type
    var line = "key(\(SwiftLiteral.string(key.definition.name)), \(names.wrapped(type, names.output(type))).self"
    if type.name == "ID" { line += ", scalar: \"ID\"" }
    if let owner = key.owner { line += ", of: \(names.parentType(owner))" }
    return line + ")"
  }

  private func line(_ directField: Field, _ property: ModelField?) -> String {
    let node = directField.field.node
    if let property, directField.field.isPlain,
      !directField.definition.arguments.contains(where: { $0.defaultValue != nil })
    {
      return property.selection
    }
    let name = directField.definition.name
    var line = "field(\(SwiftLiteral.string(name))"
    if directField.field.responseKey != name {
      line += ", alias: \(SwiftLiteral.string(directField.field.responseKey))"
    }
    line += ", \(property?.selectedType ?? "String.self")"
    let arguments = InputLiteral.arguments(node, directField.definition)
    if !arguments.isEmpty { line += ", arguments: [\(arguments.joined(separator: ", "))]" }
    if let stream = node.directives.first(where: { $0.name.hasValue("stream") }) {
      line += ", stream: \(InputLiteral.stream(stream))"
    }
    return line + ")"
  }
}

/// Arguments and values as Swift expressions: `birds(first: $n)` has the argument `"first": .variable("n")`.
enum InputLiteral {
  /// Returns the given arguments, and the schema's defaults of the others, because the cache needs both.
  static func arguments(_ node: FieldNode, _ definition: FieldDefinition) -> [String] {
    var result: [String] = []
    let given = node.arguments
    for argument in given {
      let argumentDefinition = definition.argument(named: argument.name.value)
      var text = value(argument.value, argumentDefinition?.type)
      if argument.value.kind == .variable,
        let standIn = argumentDefinition?.defaultValue.map({ value($0, argumentDefinition?.type) })
      {
        text = ".variable(\(SwiftLiteral.string(argument.value.variableName)), default: \(standIn))"
      }
      result.append("\(SwiftLiteral.string(argument.name.value)): \(text)")
    }
    for argument in definition.arguments {
      guard let standIn = argument.defaultValue else { continue }
      let name = argument.name
      if given.contains(where: { $0.name.hasValue(name) }) { continue }
      result.append("\(SwiftLiteral.string(name)): \(value(standIn, argument.type))")
    }
    return result
  }

  static func stream(_ directive: DirectiveNode) -> String {
    var parts: [String] = []
    if let flag = directive.argument(named: "if")?.value {
      parts.append(
        "if: \(flag.kind == .variable ? ".variable(\(SwiftLiteral.string(flag.variableName)))" : flag.text)")
    }
    if let label = directive.argument(named: "label")?.value {
      parts.append("label: \(SwiftLiteral.string(label.stringValue))")
    }
    if let count = directive.argument(named: "initialCount")?.value { parts.append("initialCount: \(value(count))") }
    return ".init(\(parts.joined(separator: ", ")))"
  }

  /// Returns the value with its variables, in the canonical form of the cache: IDs are strings.
  static func value(_ node: ValueNode, _ type: TypeReference? = nil) -> String {
    switch node.kind {
    case .variable: return ".variable(\(SwiftLiteral.string(node.variableName)))"
    case .list:
      let element = type?.nullable.elementType
      return "[\(node.elements.map { value($0, element) }.joined(separator: ", "))]"
    case .object:
      let fields = node.fields.map { field in
        let name = field.name.value
        return "\(SwiftLiteral.string(name)): \(value(field.value, type?.definition?.inputField(named: name)?.type))"
      }
      return fields.isEmpty ? "[:]" : "[\(fields.joined(separator: ", "))]"
    case .null: return ".null"
    case .string: return SwiftLiteral.string(node.stringValue)
    case .enum: return SwiftLiteral.string(node.text)
    case .int where type?.name == "ID": return SwiftLiteral.string(node.text)
    case .int, .float: return SwiftLiteral.number(node.text)
    case .boolean: return node.text
    }
  }
}
