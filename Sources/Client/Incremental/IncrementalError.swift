import ApusClientAPI
import ApusJSON

/// A violation of the incremental delivery protocol.
package enum IncrementalError: Error, Sendable, Equatable, CustomStringConvertible {
  case notAnObject
  /// The first payload has neither `data` nor an error.
  case notAResponse
  /// A member has the wrong type. The second value describes the expected type.
  case malformed(String, String)
  case unknownID(String)
  /// The id belongs to a fragment or stream that was already completed.
  case completedID(String)
  case repeatedID(String)
  /// The path is not a list of keys and indexes.
  case brokenPath
  /// The data has no object or list at the path.
  case noPlace(ResponsePath)
  case payloadAfterEnd

  /// The code in `extensions.code` of an error for an entry that violated the protocol.
  static let code = "INVALID_DELIVERY"

  /// The response path of the violation.
  var place: ResponsePath? { if case .noPlace(let path) = self { path } else { nil } }

  /// Whether the payload is not a response in any format.
  package var isNoResponse: Bool { self == .notAnObject || self == .notAResponse }

  package var description: String {
    switch self {
    case .notAnObject: "a payload of the response is not a JSON object"
    case .notAResponse: "the response has neither data nor errors, so it is not a GraphQL response"
    case .malformed(let member, let expected): "the '\(member)' of a payload is not \(expected)"
    case .completedID(let id): "the response continues the deferred part \"\(id)\" after it was completed"
    case .unknownID(let id): "the response refers to the deferred part \"\(id)\", which was never announced"
    case .repeatedID(let id): "the response announces the deferred part \"\(id)\" twice"
    case .brokenPath: "the path of a deferred part is not a list of keys and indexes"
    case .noPlace(let path):
      "a deferred part belongs at \(path.components.isEmpty ? "the root" : "\"\(path)\""), but the response has nothing there to hold it"
    case .payloadAfterEnd: "the response continues after its last payload"
    }
  }
}

extension GraphQLError {
  /// The code in `extensions.code` of an error for an object that two payloads contradict each other about.
  static let contradictionCode = "CONTRADICTING_PAYLOADS"

  /// Creates the error for an object that a payload replaced without all selected fields.
  init(contradictionAt path: ResponsePath) {
    self.init(
      message: "two payloads contradict each other: the later one has another object, and selected fields are missing",
      path: path, extensions: .object([("code", JSONValue(Self.contradictionCode))]))
  }
}
