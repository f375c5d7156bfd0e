import ApusJSON

/// How a payload broke the protocol of incremental delivery.
package enum IncrementalError: Error, Sendable, Equatable, CustomStringConvertible {
  case notAnObject
  /// The first payload has neither `data` nor an error.
  case notAResponse
  /// A member of a payload is not what it must be; the second says what that is.
  case malformed(String, String)
  case unknownID(String)
  /// Something was said of a part that had been completed.
  case completedID(String)
  case repeatedID(String)
  /// The path of an item is not a list of keys and indexes.
  case brokenPath
  /// A part of the result is to go where there is nothing to hold it.
  case noPlace(ResponsePath)
  case payloadAfterEnd

  /// The code under `extensions.code` of an entry that broke the protocol.
  static let code = "INVALID_DELIVERY"

  /// The place in the response that it is about.
  var place: ResponsePath? { if case .noPlace(let path) = self { path } else { nil } }

  /// What came is no response at all, of whatever format.
  package var isNoResponse: Bool { self == .notAnObject || self == .notAResponse }

  package var description: String {
    switch self {
    case .notAnObject: "a payload of the response is not a JSON object"
    case .notAResponse: "the response has neither data nor errors, so it is not a GraphQL response"
    case .malformed(let member, let expected): "the “\(member)” of a payload is not \(expected)"
    case .completedID(let id): "the response goes on with the deferred part \"\(id)\" after it was completed"
    case .unknownID(let id): "the response refers to the deferred part \"\(id)\", which was never announced"
    case .repeatedID(let id): "the response announces the deferred part \"\(id)\" twice"
    case .brokenPath: "the path of a deferred part is not a list of keys and indexes"
    case .noPlace(let path):
      "a deferred part belongs at \(path.components.isEmpty ? "the root" : "\"\(path)\""), but the response has nothing there to hold it"
    case .payloadAfterEnd: "the response goes on after it said that nothing more would come"
    }
  }
}
