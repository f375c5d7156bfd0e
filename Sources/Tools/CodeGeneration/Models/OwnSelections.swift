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
      case inline(NodeID, TypeDefinition)
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

  /// The place of a field among `fields`; nil for one that only a fragment selects.
  func index(of responseKey: String) -> Int? { indexes[responseKey] }

  func add(_ part: ModelBuilder.Own) {
    if let deferral = part.deferral {
      add(deferral, .inline(part.set, type), part.conditions)
    } else {
      add(part.set, part.conditions)
    }
  }

  private func add(_ set: NodeID, _ conditions: ModelConditions) {
    for selection in context.selections(of: set) {
      let conditions = selection.conditions.isEmpty ? conditions : conditions.and(selection.conditions)
      switch selection.content {
      case .field(let node, let key, let name, let set): add(node, key, name, set, conditions)
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

  private func add(_ node: FieldNode, _ key: String, _ name: NameID?, _ set: NodeID?, _ conditions: ModelConditions) {
    guard let definition = name.flatMap({ type.field(named: $0) }) else { return }
    if let index = indexes[key] {
      if fields[index].sets.count == 1, !fields[index].conditions.isNone {
        // Until now the field's condition was its set's too.
        let set = fields[index].sets[0].set
        fields[index].sets[0] = ModelBuilder.Own(set: set, conditions: fields[index].conditions)
      }
      if let set { fields[index].sets.append(.init(set: set, conditions: conditions)) }
      fields[index].conditions = fields[index].conditions.or(conditions)
      return
    }
    entries.append(.field(fields.count))
    indexes[key] = fields.count
    fields.append(
      Field(
        responseKey: key, node: node, definition: definition, conditions: conditions,
        sets: set.map { [.init(set: $0, conditions: .none)] } ?? []))
  }

  private func add(
    _ condition: TypeCondition, _ set: NodeID, _ deferral: DirectiveNode?, _ conditions: ModelConditions
  ) {
    if condition.covers(type) {
      if let deferral { add(deferral, .inline(set, type), conditions) } else { add(set, conditions) }
    } else if case .type(let condition) = condition {
      // A deferred fragment of a narrower type stands in the type case.
      addTypeCase(condition, ModelBuilder.Own(set: set, conditions: .none, deferral: deferral), conditions)
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

  /// - Parameter properties: The properties that read the fields, in their order.
  func lines(_ properties: [ModelField?], names: ModelNames) -> [ModelSelection] {
    entries.map { entry in
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
        return .line(
          "deferred(\(flag)\(path).self, label: \(SwiftLiteral.string(deferral.label)))", deferral.conditions)
      }
    }
  }

  private func line(_ field: Field, _ property: ModelField?) -> String {
    let hasAlias = field.node.alias != nil
    let arguments = InputLiteral.arguments(field.node, field.definition)
    let stream = field.node.directives.first { $0.name.hasValue("stream") }
    if let property, !hasAlias, arguments.isEmpty, stream == nil { return property.selection }
    var line = "field(\(SwiftLiteral.string(field.definition.name))"
    if hasAlias, field.responseKey != field.definition.name {
      line += ", alias: \(SwiftLiteral.string(field.responseKey))"
    }
    line += ", \(property?.unconditionalType ?? "String").self"
    if !arguments.isEmpty { line += ", arguments: [\(arguments.joined(separator: ", "))]" }
    if let stream { line += ", stream: \(InputLiteral.stream(stream))" }
    return line + ")"
  }
}

/// Arguments and values as Swift expressions.
enum InputLiteral {
  /// The arguments that are given, and the schema's defaults of those that are not: the cache needs both.
  static func arguments(_ node: FieldNode, _ definition: FieldDefinition) -> [String] {
    var result: [String] = []
    let given = node.arguments
    for argument in given {
      let known = definition.argument(named: argument.name.value)
      var text = value(argument.value, known?.type)
      if argument.value.kind == .variable, let standIn = known?.defaultValue.map({ value($0, known?.type) }) {
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
