import ApusJSON

/// A mismatch between a response's data and its operation.
public struct ResultError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of mismatch.
  public enum Problem: Sendable, Hashable {
    /// A requested field is missing.
    case missing
    /// The value is null although the type is non-null.
    case nullForNonNull(type: String)
    /// The value has another type. Both types are described in words.
    case wrongType(expected: String, found: String)
    /// The object has a type that is impossible here.
    case unexpectedTypename(String, expected: String)
  }

  /// The kind of mismatch.
  public let problem: Problem
  /// The response path.
  public internal(set) var path: ResponsePath

  package init(_ problem: Problem, at path: ResponsePath) {
    self.problem = problem
    self.path = path
  }

  public var description: String {
    let place = path.isRoot ? "the response" : "\"\(path)\""
    return switch problem {
    case .missing: "\(place) is missing in the response, although it was requested"
    case .nullForNonNull(let type): "\(place) is null, although its type \(type) has no null"
    case .wrongType(let expected, let found): "\(place) is \(found), although its type is \(expected)"
    case .unexpectedTypename(let name, let expected): "\(place) is of type \(name), which is not \(expected)"
    }
  }
}
