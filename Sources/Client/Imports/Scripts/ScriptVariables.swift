import ApusJSON

/// The variables of a script that have a literal as their value. The text that they fill in is limited, because a few lines
/// of `b = a + a` would otherwise need more than any memory.
struct ScriptVariables {
  /// The bytes that may still be filled in.
  private var room = 16 << 20
  private var values: [String: (value: JSONValue, size: Int)] = [:]

  /// The value of a variable; nil where none is known, or all variables together would fill in too much.
  mutating func value(_ name: String) -> JSONValue? {
    guard let (value, size) = values[name], size <= room else { return nil }
    room -= size
    return value
  }

  mutating func set(_ name: String, _ value: JSONValue) { values[name] = (value, Self.size(value)) }

  /// Sets a member of an object, which is created if there is none.
  mutating func set(_ key: String, _ value: JSONValue, of name: String) {
    var members = values[name].map { $0.value.members.map { ($0.key, $0.value) } } ?? []
    members.removeAll { $0.0.lowercased() == key.lowercased() }
    if members.count < ImportedHeaders.limit { members.append((key, value)) }
    let size = (values[name]?.size ?? 0) + key.utf8.count + Self.size(value)
    values[name] = (.object(members), size)
  }

  private static func size(_ value: JSONValue) -> Int { JSONWriter.compactBytes(value).count }
}
