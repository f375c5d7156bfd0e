import ApusClientAPI
import ApusExplorerCore
import ApusJSON

/// The JSON form of the parts of a response other than its data, in sessions and in the history:
/// `{"failure": {"stage": …, "message": …}, "errors": […], "extensions": {…}}`, with the members that exist.
struct ResponseOutcome: Equatable {
  var errors: [GraphQLError] = []
  var extensions: JSONValue?
  var failure: RunError?

  var isEmpty: Bool { errors.isEmpty && extensions == nil && failure == nil }

  var members: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let failure { members.append(("failure", failure.json)) }
    if !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    if let extensions { members.append(("extensions", extensions)) }
    return members
  }

  init(errors: [GraphQLError] = [], extensions: JSONValue? = nil, failure: RunError? = nil) {
    self.errors = errors
    self.extensions = extensions
    self.failure = failure
  }

  init(_ json: JSONValue) {
    errors = json["errors"]?.elements.map { GraphQLError(json: $0) } ?? []
    extensions = json["extensions"]
    failure = json["failure"].flatMap { RunError(saved: $0) }
  }
}

extension RunError {
  fileprivate var json: JSONValue {
    .object([
      ("stage", JSONValue(stage.rawValue)), ("message", JSONValue(message)),
      ("summary", summary.map { JSONValue($0) } ?? .null),
    ])
  }

  fileprivate init?(saved json: JSONValue) {
    guard let message = json["message"]?.string else { return nil }
    let stage = json["stage"]?.string.flatMap { RunError.Stage(rawValue: $0) } ?? .network
    self.init(stage, message, summary: json["summary"]?.string)
  }
}
