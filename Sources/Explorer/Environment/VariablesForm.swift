import ApusExplorerCore
import ApusFormatting
import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import ApusJSON

/// The reason why a value from the form is rejected.
enum VariablesFormError: Error, CustomStringConvertible {
  case textIsNoJSON
  case noValue(String)

  var description: String {
    switch self {
    case .textIsNoJSON: "The variables are not valid JSON: fix them first"
    case .noValue(let type): "The value is not a \(type)"
    }
  }
}

/// A form for an operation's variables, based on the JSON text of their values.
struct VariablesForm {
  private let operation: OperationDefinitionNode?
  private let schema: Schema?
  /// Values; nil if the text is not a JSON object.
  private let values: JSONValue?
  /// The text if it has comments or trailing commas; nil otherwise.
  private let commented: VariablesSyntaxTree?
  private let tree: VariablesSyntaxTree
  private let problems: [VariablesDiagnostic]

  init(operation: OperationDefinitionNode?, schema: Schema?, text: String) {
    self.operation = operation
    self.schema = schema
    let root = try? JSONDocument(parsingRelaxed: text).root
    let bytes = Array(text.utf8)
    tree = VariablesSyntaxTree(text)
    commented = RelaxedJSON.strict(bytes) == bytes ? nil : tree
    problems = VariablesService(variables: text, operation: operation, schema: schema).diagnostics()
    values = text.allSatisfy(\.isWhitespace) ? .object([]) : root.flatMap { $0.kind == .object ? $0 : nil }
  }

  // MARK: Rows

  func rows(opened: [FormRow.Path: Bool]) -> [FormRow] {
    var rows: [FormRow] = []
    for definition in operation?.variableDefinitions ?? [] {
      let name = definition.variable.name.value
      add(
        [name], type: definition.type.description, note: definition.description ?? "",
        fallback: definition.defaultValue?.text, opened, &rows)
    }
    return rows
  }

  private func add(
    _ path: [String], type: String, note: String, fallback: String?, _ opened: [FormRow.Path: Bool],
    _ rows: inout [FormRow]
  ) {
    guard rows.count < 1000, let name = path.last else { return }
    let value = value(at: path)
    let named = namedType(type)
    let element = Self.element(of: type)
    let isInput = named?.kind == .inputObject && element == nil
    // Lists of other types are written as JSON.
    let hasItems = element != nil && (named?.kind == .inputObject || named?.kind == .enum)
    let isContainer = isInput || hasItems
    var row = FormRow(
      path: .variable(path), name: path.count == 1 ? "$\(name)" : name, type: type, note: note, depth: path.count - 1,
      value: value.map { isContainer ? Self.summary(of: $0) : JSONWriter.compact($0) } ?? fallback.map { "= \($0)" },
      choices: element != nil ? [] : choices(of: named, isNullable: !type.hasSuffix("!")))
    row.isMissing = type.hasSuffix("!") && fallback == nil && value == nil && isAsked(path)
    row.isWritable = !isContainer
    if named?.name == "Upload", note.isEmpty { row.note = "The path of a file, such as ~/bird.jpg" }
    let isOpen = opened[row.path] ?? (value != nil || row.isMissing)
    row.isOpen = isContainer ? isOpen : nil
    row.problem = problem(at: path, withChildren: !(isContainer && isOpen))
    rows.append(row)
    guard isContainer, isOpen, let named else { return }
    if let element {
      addItems(of: value, path, element, opened, &rows)
    } else {
      for field in named.inputFields {
        add(
          path + [field.name], type: field.type.description, note: field.description ?? "",
          fallback: field.defaultValueText, opened, &rows)
      }
    }
  }

  /// Adds the items of a list, and a row that adds one.
  private func addItems(
    of list: JSONValue?, _ path: [String], _ element: String, _ opened: [FormRow.Path: Bool], _ rows: inout [FormRow]
  ) {
    for index in 0..<(list?.kind == .array ? list?.count ?? 0 : 0) {
      add(path + ["\(index)"], type: element, note: "", fallback: nil, opened, &rows)
    }
    let named = namedType(element)
    let isInput = named?.kind == .inputObject && Self.element(of: element) == nil
    var row = FormRow(
      path: .variable(path + [FormRow.newItem]), name: "add item", type: element, depth: path.count,
      choices: Self.element(of: element) == nil ? choices(of: named, isNullable: !element.hasSuffix("!")) : [])
    row.isWritable = !isInput
    rows.append(row)
  }

  /// The number of items of a list; nothing for an object, whose fields are rows.
  private static func summary(of value: JSONValue) -> String {
    switch value.kind {
    case .object: ""
    case .array: DisplayFormat.plural(value.count, "item")
    case .null, .bool, .number, .string: JSONWriter.compact(value)
    }
  }

  /// Returns the type of a list's items: `Bird!` for `[Bird!]!`; nil for another type.
  static func element(of type: String) -> String? {
    let list = type.hasSuffix("!") ? type.dropLast() : type[...]
    return list.hasPrefix("[") && list.hasSuffix("]") ? String(list.dropFirst().dropLast()) : nil
  }

  /// Returns the problem of a value. While the value is open, its rows show missing fields.
  private func problem(at path: [String], withChildren: Bool) -> String? {
    guard let node = tree.node(at: path) else { return nil }
    return problems.first { problem in
      guard problem.range.lowerBound >= node.range.lowerBound, problem.range.upperBound <= node.range.upperBound else {
        return false
      }
      return withChildren || problem.range == node.range
    }?.message
  }

  /// Whether the form shows a row for the path. Fields of an input object appear only if that object has a value.
  private func isAsked(_ path: [String]) -> Bool { path.count == 1 || value(at: Array(path.dropLast())) != nil }

  private func value(at path: [String]) -> JSONValue? {
    var value = values
    for name in path { value = value?.kind == .array ? Int(name).flatMap { value?[$0] } : value?[name] }
    return value
  }

  private func namedType(_ type: String) -> TypeDefinition? {
    schema?.type(named: type.filter { !"[]! ".contains($0) })
  }

  private func choices(of type: TypeDefinition?, isNullable: Bool) -> [String] {
    let values: [String]
    if type?.kind == .enum {
      values = type?.enumValues.filter { !$0.isDeprecated }.map(\.name) ?? []
    } else if type?.name == "Boolean" {
      values = ["true", "false"]
    } else {
      return []
    }
    return values + (isNullable ? ["null"] : [])
  }

  // MARK: Setting values

  /// A change of the text that sets a value.
  struct Edit: Equatable {
    /// Bytes to replace; nil for the whole text.
    var range: Range<Int>?
    var text: String
    var losesComments = false
  }

  /// Returns the change that sets a value. Empty text removes the value. If the text has comments, an existing value is
  /// replaced alone.
  func setting(_ path: [String], to text: String) throws(VariablesFormError) -> Edit {
    guard let values else { throw .textIsNoJSON }
    let type = self.type(at: path)
    // Empty text removes the value; it does not mean null.
    var value: JSONValue?
    if !text.isEmpty { value = try parse(text, as: type) }
    if let value, let range = commented?.range(ofValueAt: path) {
      return Edit(range: range, text: JSONWriter.compact(value))
    }
    let written = JSONWriter.pretty(set(value, at: path[...], in: values))
    return Edit(text: written, losesComments: commented != nil)
  }

  private func set(_ value: JSONValue?, at path: ArraySlice<String>, in object: JSONValue) -> JSONValue {
    guard let name = path.first else { return value ?? .null }
    let rest = path.dropFirst()
    if name == FormRow.newItem || Int(name) != nil { return setItem(value, name, rest, in: object) }
    let old = object[name]
    let new = rest.isEmpty ? value : set(value, at: rest, in: Self.container(old))
    var members = object.members.map { ($0.key, $0.value) }
    if let index = members.firstIndex(where: { $0.0 == name }) {
      if let new { members[index].1 = new } else { members.remove(at: index) }
    } else if let new {
      members.append((name, new))
    }
    return .object(members)
  }

  /// The value that a path leads into: an object or a list, or an empty object in place of another value.
  private static func container(_ value: JSONValue?) -> JSONValue {
    value.map { $0.kind == .object || $0.kind == .array ? $0 : .object([]) } ?? .object([])
  }

  /// Sets, removes or appends an item of a list. A single value is a list of one item.
  private func setItem(
    _ value: JSONValue?, _ name: String, _ rest: ArraySlice<String>, in list: JSONValue
  ) -> JSONValue {
    var items = list.kind == .array ? Array(list.elements) : list == .object([]) || list.isNull ? [] : [list]
    if name == FormRow.newItem {
      items.append(value ?? .null)
    } else if let index = Int(name), items.indices.contains(index) {
      if !rest.isEmpty {
        items[index] = set(value, at: rest, in: items[index].kind == .object ? items[index] : .object([]))
      } else if let value {
        items[index] = value
      } else {
        items.remove(at: index)
      }
    }
    return .array(items)
  }

  private func type(at path: [String]) -> String {
    let definition = operation?.variableDefinitions.first { $0.variable.name.hasValue(path.first ?? "") }
    var type = definition?.type.description ?? ""
    for name in path.dropFirst() {
      type = Self.element(of: type) ?? namedType(type)?.inputField(named: name)?.type.description ?? ""
    }
    return type
  }

  /// Parses a value: strings are typed without quotes (`Owl`), everything else as JSON (`42`, `[1, 2]`).
  private func parse(_ text: String, as type: String) throws(VariablesFormError) -> JSONValue {
    let json = try? JSONDocument(parsing: Array(text.utf8)).root
    if json?.isNull == true, !type.hasSuffix("!") { return .null }
    if type.contains("[") {
      guard let json, json.kind == .array else { throw .noValue("list: \(type), such as [1, 2]") }
      return json
    }
    let named = namedType(type)
    switch named?.name ?? type.filter({ $0 != "!" }) {
    case "Int", "Float":
      guard let json, json.kind == .number else { throw .noValue("number") }
      return json
    case "Boolean":
      guard let json, json.kind == .bool else { throw .noValue("Boolean") }
      return json
    case "String", "ID":
      return json?.kind == .string ? json ?? .null : JSONValue(text)
    default:
      return named?.kind == .enum ? JSONValue(text) : json ?? JSONValue(text)
    }
  }
}

extension VariablesSyntaxTree {
  /// Returns the bytes of the value that a path of names leads to.
  fileprivate func range(ofValueAt path: [String]) -> Range<Int>? { node(at: path)?.range }

  /// Returns the value that a path of names and indexes leads to: `["filter", "species", "0"]`.
  fileprivate func node(at path: [String]) -> VariablesNode? {
    var node = root
    for name in path {
      switch node?.content {
      case .object(let members): node = members.last { $0.name == name }?.value
      case .array(let items): node = Int(name).flatMap { items.indices.contains($0) ? items[$0] : nil }
      case .string, .number, .bool, .null, .word, nil: return nil
      }
    }
    return node
  }
}
