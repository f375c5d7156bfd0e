import ApusClientNetwork
import ApusClientSubscriptions

extension ClientEvent.Failure {
  init(_ error: any Error) {
    let error = GraphQLClientError.naming(error)
    guard let clientError = error as? GraphQLClientError else {
      self.init(type: "\(Swift.type(of: error))", status: nil, description: "\(Swift.type(of: error))")
      return
    }
    var status: Int?
    if case .status(let failure) = clientError { status = failure.code }
    self.init(type: clientError.typeName, status: status, description: clientError.description)
  }
}

extension GraphQLClientError {
  /// The name of the case; for an error of a lower layer, the name of its case.
  fileprivate var typeName: String {
    switch self {
    case .network(let error): Self.caseName(error)
    case .subscription(let failure): Self.caseName(failure)
    case .noResult: "noResult"
    case .status, .notGraphQL, .invalidJSON, .jsonBeyondLimit, .protocolViolation, .incomplete, .introspectionRefused,
      .cacheMiss, .cacheFailure, .tooManyRetries, .mutationNotRetried, .undeclaredVariable,
      .notFinite:
      Self.caseName(self)
    }
  }

  /// Returns the name of a case with an associated value, which is the label of its mirror's child.
  private static func caseName(_ error: any Error) -> String {
    Mirror(reflecting: error).children.first?.label ?? "\(Swift.type(of: error))"
  }
}
