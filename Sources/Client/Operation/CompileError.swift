import ApusGraphQLLanguage

/// Why a document, or a fragment of it, cannot be used.
public enum CompileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The text is no GraphQL (specification, section 2): what is wrong, and where, counted from 1, columns in UTF-16 units.
  case syntax(message: String, line: Int, column: Int)
  /// The text breaks rules of the specification's section 5, in the order of the text: never empty.
  case invalid([DocumentProblem])
  /// The document has fragments alone, or nothing.
  case noOperation
  /// There is no operation of that name; `known` are the names of those that there are.
  case unknownOperation(String, known: [String])
  /// The document has several operations and nobody said which one is meant.
  case severalOperations([String])
  /// A fragment was meant and the document has none.
  case noFragment
  /// The document has several fragments and nobody said which one is meant.
  case severalFragments([String])
  /// A fragment is spread, or was asked for, that the document does not define.
  case unknownFragment(String)
  /// A fragment spreads itself, by others or straight away (specification, section 5.5.2.2).
  case fragmentCycle(String)
  /// Fields and fragments stand more levels deep in one another than the client reads.
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
