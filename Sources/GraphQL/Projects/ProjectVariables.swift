import ApusConfiguration
import ApusPlatform

/// The environment variables in the paths and names of a graphql-config file: `${SCHEMA}` and `${SCHEMA:schema.graphql}`.
///
/// URLs and headers are left as they are, because the user must allow requests with variables before they are resolved. So
/// is a value that turns out to be a URL.
///
/// Source: graphql-config 5, "Environment Variables".
package enum ProjectVariables {
  /// The value of a variable of this process.
  package static let ofProcess: @Sendable (String) -> String? = { name in getenv(name).map { String(cString: $0) } }

  /// The keys with requests.
  private static let requests: Set<String> = ["endpoints", "headers", "url", "subscription"]

  /// Returns a tree with the variables of paths and names resolved. Those without a value or default remain.
  static func resolved(_ node: YAMLNode, _ value: (String) -> String?) -> YAMLNode {
    switch node.value {
    case .scalar(let text, let isPlain):
      guard let resolved = resolved(text, value), !resolved.contains("://") else { return node }
      return YAMLNode(value: .scalar(resolved, isPlain: isPlain), position: node.position, file: node.file)
    case .sequence(let elements):
      return YAMLNode(
        value: .sequence(elements.map { resolved($0, value) }), position: node.position, file: node.file)
    case .mapping(let members):
      let members = members.map { member in
        requests.contains(member.key)
          ? member
          : YAMLNode.Member(
            key: member.key, keyPosition: member.keyPosition, value: resolved(member.value, value))
      }
      return YAMLNode(value: .mapping(members), position: node.position, file: node.file)
    }
  }

  /// Returns the text with its variables resolved; `nil` if it has none, or one without a value.
  static func resolved(_ text: String, _ value: (String) -> String?) -> String? {
    guard text.contains("${") else { return nil }
    var result = ""
    var rest = text[...]
    while let start = rest.firstRange(of: "${"), let end = rest[start.upperBound...].firstIndex(of: "}") {
      result += rest[..<start.lowerBound]
      let parts = rest[start.upperBound..<end].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      let name = parts[0].filter { !$0.isWhitespace }
      let replacement = parts.count > 1 ? String(parts[1].filter { $0 != "\"" && $0 != "'" }.drop { $0 == " " }) : nil
      // An empty variable has no value.
      guard let found = value(name).flatMap({ $0.isEmpty ? nil : $0 }) ?? replacement else { return nil }
      result += found
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  /// Returns the name of the first variable in a text; `nil` if there is none.
  static func firstName(in text: String) -> String? {
    guard let start = text.firstRange(of: "${"), let end = text[start.upperBound...].firstIndex(of: "}") else {
      return nil
    }
    return String(text[start.upperBound..<end].prefix { $0 != ":" })
  }
}
