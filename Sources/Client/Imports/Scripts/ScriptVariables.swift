import ApusJSON

/// The variables of a script that have literal values. The total size of the values that are read is limited, because a few
/// lines like `b = a + a` could otherwise exhaust memory.
struct ScriptVariables {
  /// The number of bytes that may still be read.
  private var room = 16 << 20
  private var values: [String: (value: JSONValue, size: Int)] = [:]

  /// Returns the value of a variable, or `nil` if it has none or the size limit is reached.
  mutating func value(_ name: String) -> JSONValue? {
    guard let (value, size) = values[name], size <= room else { return nil }
    room -= size
    return value
  }

  mutating func set(_ name: String, _ value: JSONValue) { values[name] = (value, Self.size(value)) }

  /// Sets a member of an object, which is created if necessary.
  mutating func set(_ key: String, _ value: JSONValue, of name: String) {
    var members = values[name].map { $0.value.members.map { ($0.key, $0.value) } } ?? []
    members.removeAll { $0.0.lowercased() == key.lowercased() }
    if members.count < ImportedHeaders.limit { members.append((key, value)) }
    let size = (values[name]?.size ?? 0) + key.utf8.count + Self.size(value)
    values[name] = (.object(members), size)
  }

  private static func size(_ value: JSONValue) -> Int { JSONWriter.compactBytes(value).count }
}
