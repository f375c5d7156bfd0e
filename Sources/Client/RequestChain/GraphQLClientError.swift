import ApusFormatting
import ApusClientIncremental
import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON

/// The reason why a request produced no result or an incomplete one. It has a message on one line and an exit code for
/// command line programs.
public enum GraphQLClientError: Error, Sendable, CustomStringConvertible {
  /// The network failed, or the request could not be sent.
  case network(NetworkError)
  /// The server responded with an error status.
  case status(HTTPStatusError)
  /// The response is not a GraphQL response. `answer` is its content type or its kind of JSON.
  case notGraphQL(answer: String, url: String, excerpt: String)
  /// The response is labeled as JSON but is not valid JSON.
  case invalidJSON(url: String, reason: String)
  /// The JSON is too large or nested too deeply.
  case jsonBeyondLimit(url: String, reason: String)
  /// The response violated GraphQL over HTTP or the incremental delivery protocol.
  case protocolViolation(url: String, reason: String)
  /// The response ended normally, but announced payloads are missing.
  case incomplete(url: String, partCount: Int)
  /// The server rejected or failed introspection.
  case introspectionRefused(url: String, reason: String)
  /// A subscription ended before the server completed it.
  case subscription(SubscriptionError)
  /// The policy allows only the cache, which lacks some data. `missing` contains the response paths.
  case cacheMiss(missing: [ResponsePath])
  /// The cache could not be read or written.
  case cacheFailure(reason: String)
  /// Interceptors requested more attempts than `RequestOptions.maximumRetries` allows. `count` is the number of
  /// retries, and `last` the error of the last attempt, if any.
  case tooManyRetries(count: Int, last: (any Error)?)
  /// A retry of a mutation was requested. `last` is the error of the first attempt, if any.
  case mutationNotRetried(last: (any Error)?)
  /// A file belongs to a variable that the operation does not declare.
  case undeclaredVariable(String)
  /// NaN or infinity, which JSON cannot represent, was to be sent. The string describes its location.
  case notFinite(String)
  /// The interceptor chain ended without a result.
  case noResult

  /// Returns the exit code for any error that a stream of results throws.
  public static func exitCode(for error: any Error) -> Int32 {
    switch naming(error) {
    case let error as GraphQLClientError: error.exitCode
    case is CancellationError: 130
    default: 3
    }
  }

  /// The exit code: 2 for wrong usage, 3 for the network or the server, 4 for a protocol violation, 5 for a local file
  /// or database.
  public var exitCode: Int32 {
    switch self {
    case .network(.badURL), .network(.badHeader), .undeclaredVariable, .notFinite: 2
    case .network(.unreadableFile), .network(.unreadableUpload), .cacheFailure: 5
    case .network(.notHTTP), .network(.notWebSocket), .network(.unknownEncoding),
      .network(.brokenEncoding), .network(.continuedEncoding):
      4
    case .subscription(.protocolViolation), .subscription(.wrongSubprotocol): 4
    case .subscription: 3
    case .network, .status, .incomplete, .introspectionRefused, .cacheMiss, .tooManyRetries, .mutationNotRetried: 3
    case .notGraphQL, .invalidJSON, .jsonBeyondLimit, .protocolViolation, .noResult: 4
    }
  }

  public var description: String {
    switch self {
    case .network(let error): error.description
    case .status(let failure): failure.description
    case .notGraphQL(let answer, let url, let excerpt):
      "\(url) answered with \(SingleLineText.line(answer, limit: 100)), which is not a GraphQL response"
        + (excerpt.isEmpty ? "" : ": \(excerpt)") + "; check the path of the URL"
    case .invalidJSON(let url, let reason): "\(url) sent invalid JSON: \(SingleLineText.line(reason))"
    case .jsonBeyondLimit(let url, let reason):
      "\(url) sent JSON that exceeds the limits: \(SingleLineText.line(reason)); request less data"
    case .protocolViolation(let url, let reason): "\(url) broke the protocol: \(SingleLineText.line(reason))"
    case .incomplete(let url, let count):
      "\(url) ended its response after \(DisplayFormat.plural(count, "part")) though it had announced more"
    case .introspectionRefused(let url, let reason):
      "\(SingleLineText.line(url)) does not provide its schema: \(SingleLineText.line(reason)); "
        + "use a schema file, or continue without completion"
    case .subscription(let failure): failure.description
    case .cacheMiss(let missing):
      "the cache does not have all data of this operation"
        + (missing.first.map { ": '\(SingleLineText.line($0.description))' is missing" } ?? "")
        + "; run it once with another cache policy"
    case .cacheFailure(let reason): "the cache failed: \(SingleLineText.line(reason))"
    case .tooManyRetries(let count, let last):
      "given up after \(count) \(count == 1 ? "retry" : "retries")\(Self.reason(last))"
    case .mutationNotRetried(let last):
      "mutations are not repeated automatically; check whether it took effect before you repeat it\(Self.reason(last))"
    case .undeclaredVariable(let name):
      "a file is for the variable $\(SingleLineText.line(name)), which the operation does not declare; check the file's path"
    case .notFinite(let place):
      "\(SingleLineText.line(place)) is NaN or infinite, which JSON cannot represent; use a finite number or null"
    case .noResult: "the request chain ended without a result; check its interceptors"
    }
  }

  private static func reason(_ error: (any Error)?) -> String {
    error.map { ": \(SingleLineText.line("\($0)"))" } ?? ""
  }

  /// Returns an error of a lower layer as a `GraphQLClientError`, and other errors unchanged.
  package static func naming(_ error: any Error) -> any Error {
    switch error {
    case let error as NetworkError: GraphQLClientError.network(error)
    case SubscriptionError.network(let error): GraphQLClientError.network(error)
    case SubscriptionError.rejected(let head, let body):
      GraphQLClientError.status(HTTPStatusError(head, body: body))
    case let error as SubscriptionError: GraphQLClientError.subscription(error)
    default: error
    }
  }
}
