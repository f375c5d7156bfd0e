import ApusGraphQLLanguage
import ApusJSON

/// Converts literals of a document to JSON.
package enum ConstantValue {
  /// Returns the JSON form of a literal: `{"sex":"MALE"}` for `{sex: MALE}`. Numbers keep their text, enum values
  /// become strings, and variables become null.
  package static func json(_ node: ValueNode) -> JSONValue {
    switch node.kind {
    case .int, .float: JSONNumber(text: node.text).map { JSONValue($0) } ?? .null
    case .string: JSONValue(node.stringValue)
    case .boolean: JSONValue(node.boolValue)
    case .enum: JSONValue(node.text)
    case .null, .variable: .null
    case .list: .array(node.elements.map(json))
    case .object: .object(node.fields.map { ($0.name.value, json($0.value)) })
    }
  }
}
