import ApusClientAPI
import ApusJSON

/// The secrets that an imported document needs but does not contain, in a comment above its operation.
///
///     # secrets: password, input.pin
package enum DeclaredSecrets {
  private static let mark = "# secrets:"

  /// Returns the comment for variables and members of variables; empty if there are none.
  package static func comment(_ paths: [[String]]) -> String {
    var names: [String] = []
    for path in paths.map({ $0.joined(separator: ".") }) where !names.contains(path) { names.append(path) }
    return names.isEmpty ? "" : "\(mark) \(names.joined(separator: ", "))\n"
  }

  /// Returns the first declared secret that the variables lack: `input.pin`. Only variables of the operation count.
  package static func missing(in document: String, variables: JSONValue, of operation: some Sequence<String>) -> String?
  {
    guard document.contains(mark) else { return nil }
    let defined = Set(operation)
    for line in document.split(whereSeparator: \.isNewline) {
      let line = line.drop { $0 == " " || $0 == "\t" }
      guard line.hasPrefix(mark) else { continue }
      for name in line.dropFirst(mark.count).split(separator: ",") {
        let path = name.filter { !$0.isWhitespace }.split(separator: ".").map(String.init)
        if let first = path.first, defined.contains(first), !contains(path[...], in: variables) {
          return path.joined(separator: ".")
        }
      }
    }
    return nil
  }

  private static func contains(_ path: ArraySlice<String>, in value: JSONValue) -> Bool {
    guard let name = path.first else { return !value.isNull }
    if value.kind == .array { return value.elements.allSatisfy { contains(path, in: $0) } }
    return value[name].map { contains(path.dropFirst(), in: $0) } ?? false
  }

  /// Returns variables without the members at paths, also in the items of lists.
  package static func removing(_ paths: [[String]], from value: JSONValue) -> JSONValue {
    paths.reduce(value) { removing($1[...], from: $0) }
  }

  private static func removing(_ path: ArraySlice<String>, from value: JSONValue) -> JSONValue {
    guard let name = path.first else { return value }
    switch value.kind {
    case .array: return .array(value.elements.map { removing(path, from: $0) })
    case .object:
      return .object(
        value.members.compactMap { key, member in
          guard key == name else { return (key, member) }
          return path.count == 1 ? nil : (key, removing(path.dropFirst(), from: member))
        })
    case .string, .number, .bool, .null: return value
    }
  }
}

extension GraphQLOperation {
  /// The first secret that a document declares for the operation and its variables lack.
  package func missingSecret(declaredIn document: String) -> String? {
    DeclaredSecrets.missing(in: document, variables: variables, of: compiled.variableDefinitions.map(\.name))
  }
}
