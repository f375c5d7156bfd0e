import ApusExplorerCore
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
  /// The values; nil if the text is not a JSON object.
  private let values: JSONValue?
  /// The text if it has comments or trailing commas; nil otherwise.
  private let commented: VariablesSyntaxTree?

  init(operation: OperationDefinitionNode?, schema: Schema?, text: String) {
    self.operation = operation
    self.schema = schema
    let root = try? JSONDocument(parsingRelaxed: text).root
    let bytes = Array(text.utf8)
    commented = RelaxedJSON.strict(bytes) == bytes ? nil : VariablesSyntaxTree(text)
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
    let isList = type.contains("[")
    let isInput = named?.kind == .inputObject && !isList
    var row = FormRow(
      path: .variable(path), name: path.count == 1 ? "$\(name)" : name, type: type, note: note, depth: path.count - 1,
      value: value.map { isInput ? "" : JSONWriter.compact($0) } ?? fallback.map { "= \($0)" },
      choices: isList ? [] : choices(of: named, isNullable: !type.hasSuffix("!")))
    row.isMissing = type.hasSuffix("!") && fallback == nil && value == nil && isAsked(path)
    row.isWritable = !isInput
    let isOpen = opened[row.path] ?? (value != nil || row.isMissing)
    row.isOpen = isInput ? isOpen : nil
    rows.append(row)
    guard isInput, isOpen, let named else { return }
    for field in named.inputFields {
      add(
        path + [field.name], type: field.type.description, note: field.description ?? "",
        fallback: field.defaultValueText, opened, &rows)
    }
  }

  /// Whether the form shows a row for the path. Fields of an input object appear only if that object has a value.
  private func isAsked(_ path: [String]) -> Bool { path.count == 1 || value(at: Array(path.dropLast())) != nil }

  private func value(at path: [String]) -> JSONValue? {
    var value = values
    for name in path { value = value?[name] }
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
    /// The bytes to replace; nil for the whole text.
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
    let old = object[name]
    let new = rest.isEmpty ? value : set(value, at: rest, in: old?.kind == .object ? old ?? .object([]) : .object([]))
    var members = object.members.map { ($0.key, $0.value) }
    if let place = members.firstIndex(where: { $0.0 == name }) {
      if let new { members[place].1 = new } else { members.remove(at: place) }
    } else if let new {
      members.append((name, new))
    }
    return .object(members)
  }

  private func type(at path: [String]) -> String {
    let definition = operation?.variableDefinitions.first { $0.variable.name.hasValue(path.first ?? "") }
    var type = definition?.type.description ?? ""
    for name in path.dropFirst() { type = namedType(type)?.inputField(named: name)?.type.description ?? "" }
    return type
  }

  /// Parses a value: strings are typed without quotes, everything else as JSON.
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
  fileprivate func range(ofValueAt path: [String]) -> Range<Int>? {
    var node = root
    for name in path {
      guard case .object(let members)? = node?.content else { return nil }
      node = members.last { $0.name == name }?.value
    }
    return node?.range
  }
}
