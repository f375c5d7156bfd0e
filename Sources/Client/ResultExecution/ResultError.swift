import ApusJSON

/// How a response's data contradicts the operation it answers.
public struct ResultError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with a value.
  public enum Problem: Sendable, Hashable {
    /// A field that was asked for is not in the response.
    case missing
    /// Null where the type has no null.
    case nullForNonNull(type: String)
    /// The value is of another type than the operation's field; both in words.
    case wrongType(expected: String, found: String)
    /// An object says that it is of a type that cannot stand here.
    case unexpectedTypename(String, expected: String)
  }

  /// What is wrong.
  public let problem: Problem
  /// Where in the response.
  public internal(set) var path: ResponsePath

  package init(_ problem: Problem, at path: ResponsePath) {
    self.problem = problem
    self.path = path
  }

  public var description: String {
    let place = path.isRoot ? "the response" : "\"\(path)\""
    return switch problem {
    case .missing: "\(place) is missing in the response, although it was asked for"
    case .nullForNonNull(let type): "\(place) is null, although its type \(type) has no null"
    case .wrongType(let expected, let found): "\(place) is \(found), although its type is \(expected)"
    case .unexpectedTypename(let name, let expected): "\(place) is of type \(name), which is no \(expected)"
    }
  }
}
