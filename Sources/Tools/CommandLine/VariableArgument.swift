import ApusClientOperation
import ApusGraphQLSchema
import ApusJSON

/// `--var NAME=VALUE`: one variable, parsed by its type in the operation: `first=10`, `order=WEIGHT`,
/// `ids=["b1","b2"]`.
///
/// Numbers and Booleans are written as in GraphQL, strings and enum values without quotes, lists and input objects as
/// JSON; `null` is null if the type allows it. Errors do not repeat the value, which may be a secret.
struct VariableArgument: Sendable {
  let name: String
  let text: String

  init(_ word: String) throws(CommandError) {
    // Compare Unicode scalars, because the value may begin with a combining mark.
    guard let equals = word.unicodeScalars.firstIndex(of: "="), equals != word.startIndex else {
      throw .usage("--var takes NAME=VALUE", command: "query")
    }
    let name = word[..<equals]
    self.name = String(name.hasPrefix("$") ? name.dropFirst() : name)
    text = String(word.unicodeScalars[equals...].dropFirst())
  }

  /// Returns the variables with those of `--var` added, which replace others of the same name.
  static func add(
    _ arguments: [VariableArgument], to variables: JSONValue, of operation: CompiledOperation, schema: Schema?
  ) throws(CommandError) -> JSONValue {
    guard !arguments.isEmpty else { return variables }
    var members = variables.members.map { (name: $0.key, value: $0.value) }
    var names: Set<String> = []
    if let twice = arguments.first(where: { !names.insert($0.name).inserted }) {
      throw .usage("--var \(twice.name) was given twice; pass a list as one JSON value", command: "query")
    }
    for argument in arguments {
      guard let definition = operation.variableDefinitions.first(where: { $0.name == argument.name }) else {
        let declared = operation.variableDefinitions.map { "$\($0.name): \($0.typeDescription)" }.joined(
          separator: ", ")
        throw .usage(
          "--var \(argument.name): the operation has no such variable; it has \(declared.isEmpty ? "none" : declared)",
          command: "query")
      }
      let value = try argument.value(of: definition.typeDescription, schema)
      members.removeAll { $0.name == argument.name }
      members.append((argument.name, value))
    }
    return .object(members.map { ($0.name, $0.value) })
  }

  private func value(of type: String, _ schema: Schema?) throws(CommandError) -> JSONValue {
    func wrong(_ reason: String) -> CommandError {
      .usage("--var \(name): the value is \(reason) ($\(name): \(type))", command: "query")
    }
    let isNonNull = type.hasSuffix("!")
    let nullable = isNonNull ? type.dropLast() : type[...]
    if text == "null" {
      if !isNonNull { return .null }
      if nullable != "String", nullable != "ID" { throw wrong("null") }
    }
    if nullable.hasPrefix("[") {
      if let list = json, list.kind == .array { return list }
      if text.hasPrefix("[") { throw wrong("not a JSON list") }
      // A single value is coerced to a list with one item, as in GraphQL.
      return .array([try value(of: String(nullable.dropFirst().dropLast()), schema)])
    }
    switch nullable {
    case "String", "ID": return JSONValue(text)
    case "Int":
      guard let number = Int32(text) else { throw wrong("not a 32-bit integer") }
      return JSONValue(Int(number))
    case "Float":
      guard let number = JSONNumber(text: text) else { throw wrong("not a number") }
      return JSONValue(number)
    case "Boolean":
      guard text == "true" || text == "false" else { throw wrong("neither true nor false") }
      return JSONValue(text == "true")
    default: return try value(of: schema?.type(named: String(nullable)), wrong)
    }
  }

  /// Returns the value for a type that is not built in; nil for an unknown one.
  private func value(
    of type: TypeDefinition?, _ wrong: (String) -> CommandError
  ) throws(CommandError) -> JSONValue {
    if type?.kind == .enum {
      guard type?.enumValue(named: text) != nil else { throw wrong("not in the enum") }
      return JSONValue(text)
    }
    if text.hasPrefix("{") || text.hasPrefix("\"") || type?.kind == .inputObject {
      guard let json, type?.kind != .inputObject || json.kind == .object else { throw wrong("not a JSON object") }
      return json
    }
    // An enum or scalar value: a number or Boolean is parsed, anything else is a string.
    guard let json, json.kind == .number || json.kind == .bool else { return JSONValue(text) }
    return json
  }

  private var json: JSONValue? { try? JSONDocument(parsing: text).root }
}
