import GraphQLLanguage
import GraphQLSchema

/// What a struct itself selects, in the order of the document, as lines of its `__selections`.
final class OwnSelections {
  struct Field {
    let responseKey: String
    let node: FieldNode
    let definition: FieldDefinition
    var conditions: ModelConditions
    var sets: [ModelBuilder.Own]
  }

  struct TypeCase {
    let index: Int
    let type: TypeDefinition
    let conditions: ModelConditions
    var sets: [ModelBuilder.Own]
  }

  struct Deferral {
    enum Content {
      case named(String)
      case inline(SelectionSetNode, TypeDefinition)
    }

    let index: Int
    let label: String
    /// The variable of `if`.
    let condition: String?
    let conditions: ModelConditions
    let content: Content

    func spreads(_ name: String) -> Bool { if case .named(name) = content { true } else { false } }
  }

  private enum Entry {
    case field(Int)
    case typeCase(Int)
    case deferral(Int)
    case fragment(String, ModelConditions)
  }

  private(set) var fields: [Field] = []
  private var indexes: [String: Int] = [:]
  private(set) var typeCases: [TypeCase] = []
  private(set) var deferrals: [Deferral] = []
  /// Where the structs of type cases and deferrals are, by their index.
  var paths: [Int: String] = [:]
  private var entries: [Entry] = []
  private var nextIndex = 0
  private let type: TypeDefinition
  private let context: ModelContext

  init(_ type: TypeDefinition, in context: ModelContext) {
    self.type = type
    self.context = context
  }

  func selects(_ responseKey: String) -> Bool { indexes[responseKey] != nil }
  func field(_ responseKey: String) -> Field? { indexes[responseKey].map { fields[$0] } }

  func add(_ part: ModelBuilder.Own) {
    if let deferral = part.deferral {
      add(deferral, .inline(part.set, type), part.conditions)
    } else {
      add(part.set, part.conditions)
    }
  }

  private func add(_ set: SelectionSetNode, _ conditions: ModelConditions) {
    for selection in set.selections {
      let directives = selection.directives
      let conditions = conditions.and(directives.conditions)
      switch selection {
      case .field(let node): add(node, conditions)
      case .inlineFragment(let fragment): add(fragment, directives.deferral, conditions)
      case .fragmentSpread(let spread):
        if let deferral = directives.deferral {
          add(deferral, .named(spread.name.value), conditions)
        } else {
          entries.append(.fragment(spread.name.value, conditions))
        }
      }
    }
  }

  private func add(_ node: FieldNode, _ conditions: ModelConditions) {
    guard let definition = type.field(named: node.name.value) else { return }
    let key = node.responseKey
    if let index = indexes[key] {
      if fields[index].sets.count == 1, !fields[index].conditions.isNone {
        // Until now the field's condition was its set's too.
        let set = fields[index].sets[0].set
        fields[index].sets[0] = ModelBuilder.Own(set: set, conditions: fields[index].conditions)
      }
      if let set = node.selectionSet { fields[index].sets.append(.init(set: set, conditions: conditions)) }
      fields[index].conditions = fields[index].conditions.or(conditions)
      return
    }
    entries.append(.field(fields.count))
    indexes[key] = fields.count
    fields.append(
      Field(
        responseKey: key, node: node, definition: definition, conditions: conditions,
        sets: node.selectionSet.map { [.init(set: $0, conditions: .none)] } ?? []))
  }

  private func add(_ fragment: InlineFragmentNode, _ deferral: DirectiveNode?, _ conditions: ModelConditions) {
    let name = fragment.typeCondition?.name.value
    let isCovered = context.covers(name, type)
    if isCovered, let deferral {
      add(deferral, .inline(fragment.selectionSet, type), conditions)
    } else if isCovered {
      add(fragment.selectionSet, conditions)
    } else if let condition = name.flatMap({ context.schema.type(named: $0) }) {
      // A deferred fragment of a narrower type stands in the type case.
      addTypeCase(
        condition, ModelBuilder.Own(set: fragment.selectionSet, conditions: .none, deferral: deferral), conditions)
    }
  }

  private func addTypeCase(_ condition: TypeDefinition, _ part: ModelBuilder.Own, _ conditions: ModelConditions) {
    if let index = typeCases.firstIndex(where: { $0.type == condition && $0.conditions == conditions }) {
      typeCases[index].sets.append(part)
      return
    }
    typeCases.append(TypeCase(index: nextIndex, type: condition, conditions: conditions, sets: [part]))
    entries.append(.typeCase(typeCases.count - 1))
    nextIndex += 1
  }

  private func add(_ directive: DirectiveNode, _ content: Deferral.Content, _ conditions: ModelConditions) {
    let flag = directive.argument(named: "if")?.value
    deferrals.append(
      Deferral(
        index: nextIndex, label: directive.argument(named: "label")?.value.stringValue ?? "",
        condition: flag?.kind == .variable ? flag?.variableName : nil, conditions: conditions, content: content))
    entries.append(.deferral(deferrals.count - 1))
    nextIndex += 1
  }

  // MARK: Lines

  /// - Parameter types: The Swift types of the fields by their response keys.
  func lines(types: [String: String], names: ModelNames, model: ModelStruct) -> [ModelSelection] {
    entries.map { entry in
      switch entry {
      case .field(let index):
        let field = fields[index]
        return .line(line(field, types[field.responseKey] ?? "String", names), field.conditions)
      case .typeCase(let index):
        return .line("inlineFragment(\(paths[typeCases[index].index] ?? "").self)", typeCases[index].conditions)
      case .fragment(let name, let conditions):
        return .line("fragment(\(names.fragment(name)).self)", conditions)
      case .deferral(let index):
        let deferral = deferrals[index]
        let flag = deferral.condition.map { "if: .variable(\(SwiftLiteral.string($0))), " } ?? ""
        let path = paths[deferral.index] ?? ""
        return .line(
          "deferred(\(flag)\(path).self, label: \(SwiftLiteral.string(deferral.label)))", deferral.conditions)
      }
    }
  }

  private func line(_ field: Field, _ type: String, _ names: ModelNames) -> String {
    var parts = [SwiftLiteral.string(field.definition.name)]
    if field.responseKey != field.definition.name {
      parts.append("alias: \(SwiftLiteral.string(field.responseKey))")
    }
    parts.append("\(type).self")
    let arguments = InputLiteral.arguments(field.node, field.definition)
    if !arguments.isEmpty { parts.append("arguments: [\(arguments.joined(separator: ", "))]") }
    if let stream = field.node.directives.first(where: { $0.name.hasValue("stream") }) {
      parts.append("stream: \(InputLiteral.stream(stream))")
    }
    return "field(\(parts.joined(separator: ", ")))"
  }
}

/// Arguments and values as Swift expressions.
enum InputLiteral {
  /// The arguments that are given, and the schema's defaults of those that are not: the cache needs both.
  static func arguments(_ node: FieldNode, _ definition: FieldDefinition) -> [String] {
    var result: [String] = []
    for argument in node.arguments {
      let known = definition.argument(named: argument.name.value)
      var text = value(argument.value, known?.type)
      if argument.value.kind == .variable, let standIn = known?.defaultValue.map({ value($0, known?.type) }) {
        text = ".variable(\(SwiftLiteral.string(argument.value.variableName)), default: \(standIn))"
      }
      result.append("\(SwiftLiteral.string(argument.name.value)): \(text)")
    }
    for argument in definition.arguments where node.argument(named: argument.name) == nil {
      guard let standIn = argument.defaultValue else { continue }
      result.append("\(SwiftLiteral.string(argument.name)): \(value(standIn, argument.type))")
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

  /// A value with its variables, in the spelling that the cache compares: an id is text, however it is written.
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
    case .null: return "nil"
    case .string: return SwiftLiteral.string(node.stringValue)
    case .enum: return SwiftLiteral.string(node.text)
    case .int where type?.name == "ID": return SwiftLiteral.string(node.text)
    default: return node.text
    }
  }
}
