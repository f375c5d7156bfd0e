import ApusSecrets

package struct YAMLPosition: Equatable, Sendable {
  package var line: Int
  package var column: Int
}

/// A YAML value with its location. Its accessors throw errors that say what was expected, and where.
package struct YAMLNode: Sendable {
  package enum Value: Sendable {
    /// The text of a scalar. A plain scalar has no quotes.
    case scalar(String, isPlain: Bool)
    case sequence([YAMLNode])
    case mapping([Member])
  }

  package struct Member: Sendable {
    package let key: String
    package let keyPosition: YAMLPosition
    package let value: YAMLNode

    package init(key: String, keyPosition: YAMLPosition, value: YAMLNode) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
    }
  }

  package let value: Value
  package let position: YAMLPosition
  package let file: String

  package init(value: Value, position: YAMLPosition, file: String) {
    self.value = value
    self.position = position
    self.file = file
  }

  package func error(_ message: String) -> ConfigurationError {
    ConfigurationError(file: file, at: position, message)
  }

  /// Whether the value is missing, `~` or `null`.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = value else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// Words for the value in error messages: `a mapping` in "… must be a list, not a mapping".
  private var found: String {
    switch value {
    case .scalar: isNull ? "nothing" : "a single value"
    case .sequence: "a list"
    case .mapping: "a mapping"
    }
  }

  package func string(_ what: String) throws(ConfigurationError) -> String {
    guard case .scalar(let text, _) = value, !isNull else { throw error("\(what) must be text, not \(found)") }
    return text
  }

  package func bool(_ what: String) throws(ConfigurationError) -> Bool {
    switch try string(what) {
    case "true", "True", "TRUE", "yes", "on": return true
    case "false", "False", "FALSE", "no", "off": return false
    default: throw error("\(what) must be true or false")
    }
  }

  package func int(_ what: String, in range: ClosedRange<Int>) throws(ConfigurationError) -> Int {
    guard let number = Int(try string(what)), range.contains(number) else {
      throw error("\(what) must be a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return number
  }

  /// Returns a number of seconds, at least 0.001: no time would be no limit.
  package func seconds(_ what: String) throws(ConfigurationError) -> Duration {
    guard let seconds = Double(try string(what)), seconds >= 0.001, seconds < 1e9 else {
      throw error("\(what) must be a number of seconds from 0.001")
    }
    return .milliseconds(Int(seconds * 1_000))
  }

  package func elements(_ what: String) throws(ConfigurationError) -> [YAMLNode] {
    guard case .sequence(let elements) = value else { throw error("\(what) must be a list, not \(found)") }
    return elements
  }

  package func members(_ what: String) throws(ConfigurationError) -> [Member] {
    guard case .mapping(let members) = value else { throw error("\(what) must be a mapping, not \(found)") }
    return members
  }

  /// Finds the value of a key; nil if the node is not a mapping, or the key is missing or null.
  package subscript(key: String) -> YAMLNode? {
    guard case .mapping(let members) = value, let member = members.first(where: { $0.key == key }),
      !member.value.isNull
    else { return nil }
    return member.value
  }

  /// Throws if the mapping has unsupported keys, which are usually typos.
  package func allow(keys validKeys: [String], in what: String) throws(ConfigurationError) {
    for member in try members(what) where !validKeys.contains(member.key) {
      let hint = MisspelledName.hint(member.key, validKeys) ?? "; the keys are \(validKeys.joined(separator: ", "))"
      throw ConfigurationError(
        file: file, at: member.keyPosition, "\(what) has no key '\(printable(member.key))'\(hint)")
    }
  }
}
