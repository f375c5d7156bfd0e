import ApusSecrets

/// Settings for linting schemas, from `lint` in `config.yml` or from a separate file of the same form:
///
///     lint:
///       require-description: off
///       naming-convention:
///         severity: warning
///         enumValues: camelCase
///
/// Rule and option names are checked by the code that runs the rules.
package struct LintSettings: Equatable, Sendable {
  /// A rule or an option with its values, and the location for error messages.
  package struct Entry: Equatable, Sendable {
    package let name: String
    /// A single value, or the elements of a list.
    package let values: [String]
    fileprivate let file: String
    fileprivate let position: YAMLPosition

    package func error(_ message: String) -> ConfigurationError {
      ConfigurationError(file: file, at: position, message)
    }
  }

  package struct Rule: Equatable, Sendable {
    /// The severity in `values`, if given: `off`, `warning` or `error`.
    package let entry: Entry
    package var options: [Entry] = []
  }

  package var rules: [Rule] = []

  package init() {}

  init(_ node: YAMLNode) throws(ConfigurationError) {
    for member in try node.members("lint") {
      let what = printable(member.key)
      guard case .mapping(let options) = member.value.value else {
        rules.append(Rule(entry: try Self.entry(member, "the severity of \(what)")))
        continue
      }
      let severity = try options.first { $0.key == "severity" }.map { (option) throws(ConfigurationError) in
        try Self.entry(option, "the severity of \(what)").values
      }
      var rule = Rule(
        entry: Entry(
          name: member.key, values: severity ?? [], file: member.value.file, position: member.keyPosition))
      for option in options where option.key != "severity" {
        rule.options.append(try Self.entry(option, "\(printable(option.key)) of \(what)"))
      }
      rules.append(rule)
    }
  }

  private static func entry(_ member: YAMLNode.Member, _ what: String) throws(ConfigurationError) -> Entry {
    var values: [String] = []
    if case .sequence(let elements) = member.value.value {
      for element in elements { values.append(try element.string(what)) }
    } else {
      values = [try member.value.string(what)]
    }
    return Entry(name: member.key, values: values, file: member.value.file, position: member.keyPosition)
  }

  /// Reads a file whose only key is `lint`; nil if it does not exist.
  package static func read(_ path: String) throws(ConfigurationError) -> LintSettings? {
    guard let bytes = try UserFile.read(path) else { return nil }
    let root = try YAMLParser.parse(bytes, file: path)
    if root.isNull { return LintSettings() }
    try root.allow(keys: ["lint"], in: "a file for lints")
    return try root["lint"].map { (node) throws(ConfigurationError) in try LintSettings(node) } ?? LintSettings()
  }
}
