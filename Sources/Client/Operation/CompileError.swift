import ApusGraphQLLanguage

/// The reason why a document or a fragment cannot be compiled.
public enum CompileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A syntax error (GraphQL specification, section 2) with its location. Line and column start at 1; columns are in
  /// UTF-16 units.
  case syntax(message: String, line: Int, column: Int)
  /// Validation errors (GraphQL specification, section 5) in source order; never empty.
  case invalid([GraphQLDiagnostic])
  /// The document contains no operation.
  case noOperation
  /// No operation has the requested name. `known` are the existing names.
  case unknownOperation(String, known: [String])
  /// The document has several operations, and no name was given. The values are their names.
  case severalOperations([String])
  /// The document contains no fragment.
  case noFragment
  /// The document has several fragments, and no name was given. The values are their names.
  case severalFragments([String])
  /// A fragment is not defined.
  case unknownFragment(String)
  /// A fragment spreads itself, directly or indirectly (GraphQL specification, section 5.5.2.2).
  case fragmentCycle(String)
  /// The nesting of fields and fragments exceeds the limit of the client.
  case tooDeep(limit: Int)

  public var description: String {
    switch self {
    case .syntax(let message, let line, let column): "syntax error at \(line):\(column): \(message)"
    case .invalid(let problems): problems.map(\.description).joined(separator: "\n")
    case .noOperation: "the document has no operation to run"
    case .unknownOperation(let name, let known):
      known.isEmpty
        ? "the document has no operation \"\(name)\"; its only operation has no name"
        : "the document has no operation \"\(name)\"; it has \(known.joined(separator: ", "))"
    case .severalOperations(let names):
      names.isEmpty
        ? "the document has several operations without a name; name them and say which one to run"
        : "the document has several operations, say which one to run: \(names.joined(separator: ", "))"
    case .noFragment: "the document has no fragment"
    case .severalFragments(let names):
      "the document has several fragments, say which one is meant: \(names.joined(separator: ", "))"
    case .unknownFragment(let name): "the document uses the fragment \"\(name)\", which it does not define"
    case .fragmentCycle(let name): "the fragment \"\(name)\" contains itself"
    case .tooDeep(let limit): "the document nests fields and fragments more than \(limit) levels deep"
    }
  }
}
