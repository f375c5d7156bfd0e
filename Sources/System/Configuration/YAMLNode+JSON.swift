import ApusJSON

extension YAMLNode {
  /// The tree as JSON. Plain scalars can be numbers and Booleans.
  package var json: JSONValue {
    switch value {
    case .scalar(let text, isPlain: false): JSONValue(text)
    case .scalar(let text, isPlain: true):
      if isNull {
        .null
      } else if let value = try? JSONDocument(parsing: text).root, [.number, .bool].contains(value.kind) {
        value
      } else {
        JSONValue(text)
      }
    case .sequence(let elements): .array(elements.map(\.json))
    case .mapping(let members): .object(members.map { ($0.key, $0.value.json) })
    }
  }
}
