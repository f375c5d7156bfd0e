import ApusConfiguration
import ApusGraphQLSchema
import ApusJSON
import ApusSecrets

/// Reads the rule of one coordinate, such as `User.posts: { length: 3 }`, and checks it against the field's type.
/// Mistakes name line and coordinate.
struct MockRuleReader {
  let type: TypeDefinition
  let field: FieldDefinition
  private let coordinate: String

  private static let keys = ["value", "length", "error", "delay", "nulls"]

  init(_ member: YAMLNode.Member, in file: String, schema: Schema) throws(ConfigurationError) {
    coordinate = member.key
    func wrong(_ message: String) -> ConfigurationError {
      ConfigurationError(file: file, at: member.keyPosition, "\(printable(member.key)): \(message)")
    }
    let names = member.key.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard names.count == 2, names.allSatisfy({ !$0.isEmpty }) else {
      throw wrong("a rule is for a field: write Type.field")
    }
    guard let type = schema.type(named: names[0]) else {
      throw wrong("the schema has no type \(printable(names[0]))\(hint(names[0], schema.types.map(\.name)))")
    }
    guard let field = type.field(named: names[1]) else {
      throw wrong("the type \(type.name) has no field \(printable(names[1]))\(hint(names[1], type.fields.map(\.name)))")
    }
    self.type = type
    self.field = field
  }

  func rule(_ node: YAMLNode) throws(ConfigurationError) -> MockRules.Rule {
    var rule = MockRules.Rule()
    guard case .mapping(let members) = node.value else {
      rule.value = try value(node, of: field.type)
      return rule
    }
    for member in members {
      let place = "\(coordinate): \(member.key)"
      switch member.key {
      case "value": rule.value = try value(member.value, of: field.type)
      case "error": rule.error = try member.value.string(place)
      case "delay": rule.delay = try member.value.int(place, in: 0...3_600_000)
      case "length":
        guard field.type.isList || field.type.definition?.isConnection == true else {
          throw member.value.error("\(place): \(field.type) is neither a list nor a connection")
        }
        rule.length = try member.value.int(place, in: 0...10_000)
      case "nulls":
        guard !field.type.isNonNull else { throw member.value.error("\(place): \(field.type) is never null") }
        guard let share = Double(try member.value.string(place)), (0...1).contains(share) else {
          throw member.value.error("\(place) must be a number from 0 to 1")
        }
        rule.nulls = share
      default:
        let advice = MisspelledName.hint(member.key, Self.keys) ?? "; the keys are \(Self.keys.joined(separator: ", "))"
        throw ConfigurationError(
          file: node.file, at: member.keyPosition,
          "\(coordinate): a rule has no key '\(printable(member.key))'\(advice)")
      }
    }
    return rule
  }

  /// Returns a value of a type; for an object its id.
  private func value(_ node: YAMLNode, of type: TypeReference) throws(ConfigurationError) -> JSONValue {
    if node.isNull {
      guard !type.isNonNull else { throw mistake(node, type) }
      return .null
    }
    if let element = type.nullable.elementType {
      guard case .sequence(let nodes) = node.value else { throw mistake(node, type) }
      return .array(try nodes.map { (node) throws(ConfigurationError) in try value(node, of: element) })
    }
    guard let definition = type.definition else { throw mistake(node, type) }
    let json = node.json
    guard case .scalar(let text, let isPlain) = node.value else {
      guard definition.kind == .scalar, !Self.builtIn.contains(definition.name) else { throw mistake(node, type) }
      return json
    }
    switch definition.name {
    case "String", "ID": return JSONValue(text)
    case "Int":
      guard isPlain, let number = Int32(text) else { throw mistake(node, type) }
      return JSONValue(Int(number))
    case "Float":
      guard isPlain, json.kind == .number else { throw mistake(node, type) }
      return json
    case "Boolean":
      guard isPlain, json.kind == .bool else { throw mistake(node, type) }
      return json
    default:
      if definition.isComposite { return JSONValue(text) }
      if definition.kind == .enum {
        guard definition.enumValue(named: text) != nil else {
          throw node.error(
            "\(coordinate): \(definition.name) has no value '\(printable(text))'"
              + hint(text, definition.enumValues.map(\.name)))
        }
        return JSONValue(text)
      }
      return json
    }
  }

  private static let builtIn: Set<String> = ["Int", "Float", "String", "Boolean", "ID"]

  private func mistake(_ node: YAMLNode, _ type: TypeReference) -> ConfigurationError {
    node.error("\(coordinate): this is not a value of the type \(type)")
  }
}

/// Returns a suggestion for a misspelled name, or an empty string.
private func hint(_ wrong: String, _ valid: [String]) -> String { MisspelledName.hint(wrong, valid) ?? "" }
