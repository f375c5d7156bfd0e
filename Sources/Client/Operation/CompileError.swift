/// Why a document cannot be run.
package enum CompileError: Error, Sendable, Hashable, CustomStringConvertible {
  case syntax(message: String, line: Int, column: Int)
  case noOperation
  case unknownOperation(String, known: [String])
  /// The document has several operations and nobody said which one is meant.
  case severalOperations([String])
  case unknownFragment(String)
  case fragmentCycle(String)
  case tooDeep(limit: Int)

  package var description: String {
    switch self {
    case .syntax(let message, let line, let column): "syntax error at \(line):\(column): \(message)"
    case .noOperation: "the document has no operation to run"
    case .unknownOperation(let name, let known):
      known.isEmpty
        ? "the document has no operation \"\(name)\"; its only operation has no name"
        : "the document has no operation \"\(name)\"; it has \(known.joined(separator: ", "))"
    case .severalOperations(let names):
      names.isEmpty
        ? "the document has several operations without a name; name them and say which one to run"
        : "the document has several operations, say which one to run: \(names.joined(separator: ", "))"
    case .unknownFragment(let name): "the document uses the fragment \"\(name)\", which it does not define"
    case .fragmentCycle(let name): "the fragment \"\(name)\" contains itself"
    case .tooDeep(let limit): "the document nests fields and fragments more than \(limit) levels deep"
    }
  }
}
