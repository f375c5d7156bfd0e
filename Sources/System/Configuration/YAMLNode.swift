import ApusSecrets

/// A location in a file. Line and column start at 1.
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

  /// A description of the value for error messages.
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

  /// Returns a positive number of seconds.
  package func seconds(_ what: String) throws(ConfigurationError) -> Duration {
    guard let seconds = Double(try string(what)), seconds > 0, seconds < 1e9 else {
      throw error("\(what) must be a number of seconds")
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

  /// The value of a key; nil if the node is not a mapping, or the key is missing or null.
  package subscript(key: String) -> YAMLNode? {
    guard case .mapping(let members) = value, let member = members.first(where: { $0.key == key }),
      !member.value.isNull
    else { return nil }
    return member.value
  }

  /// Throws if the mapping has unsupported keys, which are usually typos.
  package func allow(keys existing: [String], in what: String) throws(ConfigurationError) {
    for member in try members(what) where !existing.contains(member.key) {
      throw ConfigurationError(
        file: file, at: member.keyPosition,
        "\(what) has no key '\(printable(member.key))'; known are \(existing.joined(separator: ", "))")
    }
  }
}
