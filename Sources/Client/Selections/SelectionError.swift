import ApusClientAPI
import ApusJSON

/// An error of a type-safe selection.
public enum SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The closure requests other fields for other values, as in `if try bird.isOwl() { try bird.prey() }`, and these
  /// were never sent.
  case dependsOnData(type: String, field: String)
  /// The closure threw for mock values, before anything was sent.
  case failedOnMocks(reason: String)
  /// The selection has no fields.
  case empty(type: String)
  /// The value is null although the selection requires one.
  case null(path: ResponsePath)
  /// The value has the wrong type.
  case wrongValue(path: ResponsePath, expected: String, reason: String)
  /// No branch of `on` matches the object's type.
  case unknownType(String?, path: ResponsePath)
  /// The response has no data; its errors are the reason.
  case noData([GraphQLError])

  public var description: String {
    switch self {
    case .dependsOnData(let type, let field):
      "the selection of \(type) selects \(field) only for some values; read all fields before you decide"
    case .failedOnMocks(let reason): "the selection failed on mock values, before it was sent: \(reason)"
    case .empty(let type): "the selection of \(type) selects no field"
    case .null(let path): "\(location(path)) is null, although the selection says that it never is"
    case .wrongValue(let path, let expected, let reason): "\(location(path)) is not a valid \(expected): \(reason)"
    case .unknownType(let name?, let path):
      "\(location(path)) is of type \(name), for which the selection has no branch; add one, or use 'otherwise'"
    case .unknownType(nil, let path): "\(location(path)) does not say its type"
    case .noData(let errors):
      errors.isEmpty
        ? "the response has no data" : "the response has no data: \(errors.map(\.description).joined(separator: "; "))"
    }
  }

  private func location(_ path: ResponsePath) -> String { path.isRoot ? "the response" : "\"\(path)\"" }
}
