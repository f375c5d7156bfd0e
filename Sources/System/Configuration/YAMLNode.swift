import ApusSecrets

/// A place in a file; line and column count from 1.
package struct YAMLPosition: Equatable, Sendable {
  package var line: Int
  package var column: Int
}

/// A value of a YAML file with the place where it stands, read by accessors that say what they expected and where.
package struct YAMLNode: Sendable {
  package enum Value: Sendable {
    /// A scalar's text; plain means written without quotes.
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

  /// Nothing at all, `~` or `null`.
  package var isNull: Bool {
    guard case .scalar(let text, isPlain: true) = value else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(text)
  }

  /// What was found where something else was expected.
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

  /// A number of seconds, more than none.
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

  /// The value of a mapping's key; nil where there is no such key, nothing behind it, or no mapping.
  package subscript(key: String) -> YAMLNode? {
    guard case .mapping(let members) = value, let member = members.first(where: { $0.key == key }),
      !member.value.isNull
    else { return nil }
    return member.value
  }

  /// Refuses keys that nobody will read: mostly, they are misspelt.
  package func allow(keys known: [String], in what: String) throws(ConfigurationError) {
    for member in try members(what) where !known.contains(member.key) {
      throw ConfigurationError(
        file: file, at: member.keyPosition,
        "\(what) has no key '\(printable(member.key))'; known are \(known.joined(separator: ", "))")
    }
  }
}
