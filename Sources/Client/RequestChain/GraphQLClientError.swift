import ApusClientIncremental
import ApusClientNetwork
import ApusClientSubscriptions
import ApusJSON

/// Why a request brought no result, or not all of it: one line that says what, where and what to do, and the exit
/// code of the command line's contract.
public enum GraphQLClientError: Error, Sendable, CustomStringConvertible {
  /// The network failed, or the request could not be sent.
  case network(NetworkError)
  /// The server answered with a status that says it failed.
  case status(StatusFailure)
  /// The response is no GraphQL response; `answer` says what it is instead: its content type, or its kind of JSON.
  case notGraphQL(answer: String, url: String, excerpt: String)
  /// The response says that it is JSON, and is not.
  case brokenJSON(url: String, reason: String)
  /// The JSON goes beyond a limit: it is nested too deep, or too large.
  case jsonBeyondLimit(url: String, reason: String)
  /// The response broke GraphQL's own protocol, or that of incremental delivery.
  case brokenProtocol(url: String, reason: String)
  /// The response ended in good order though more was announced.
  case incomplete(url: String, partCount: Int)
  /// The server keeps its schema to itself, or cannot tell it.
  case introspectionRefused(url: String, reason: String)
  /// A subscription ended before the server completed it.
  case subscription(SubscriptionFailure)
  /// The policy asks the cache alone, and it has not all that the operation needs; `missing` are places in the
  /// response.
  case cacheMiss(missing: [ResponsePath])
  /// The cache could not be read or written.
  case cacheFailure(reason: String)
  /// Interceptors asked for more attempts than `RequestOptions.maximumRetries` allows; `count` were made. `last` is why the
  /// last one failed, where it did.
  case tooManyRetries(count: Int, last: (any Error)?)
  /// A mutation was to be sent a second time; `last` is why the first one failed, where it did.
  case mutationNotRepeated(last: (any Error)?)
  /// A file is for a variable that the operation does not declare.
  case undeclaredVariable(String)
  /// NaN or infinity was to be sent, which JSON cannot write; the text says where it is: in which variable, say.
  case notFinite(String)
  /// The chain of interceptors ended without having made a result.
  case noResult

  /// The exit code of the command line's contract for any error that a result stream throws.
  public static func exitCode(for error: any Error) -> Int32 {
    switch naming(error) {
    case let error as GraphQLClientError: error.exitCode
    case is CancellationError: 130
    default: 3
    }
  }

  /// 2 wrong usage, 3 network or server, 4 broken protocol, 5 local file or database.
  public var exitCode: Int32 {
    switch self {
    case .network(.badURL), .network(.badHeader), .undeclaredVariable, .notFinite: 2
    case .network(.unreadableFile), .network(.unreadableUpload), .cacheFailure: 5
    case .network(.notHTTP), .network(.notWebSocket), .network(.brokenEncoding), .network(.continuedEncoding): 4
    case .subscription(.brokenProtocol), .subscription(.wrongSubprotocol): 4
    case .subscription: 3
    case .network, .status, .incomplete, .introspectionRefused, .cacheMiss, .tooManyRetries, .mutationNotRepeated: 3
    case .notGraphQL, .brokenJSON, .jsonBeyondLimit, .brokenProtocol, .noResult: 4
    }
  }

  public var description: String {
    switch self {
    case .network(let error): error.description
    case .status(let failure): failure.description
    case .notGraphQL(let answer, let url, let excerpt):
      "\(url) answered with \(PlainText.line(answer, limit: 100)), which is no GraphQL response"
        + (excerpt.isEmpty ? "" : ": \(excerpt)") + "; check the path of the URL"
    case .brokenJSON(let url, let reason): "\(url) sent JSON that is broken: \(PlainText.line(reason))"
    case .jsonBeyondLimit(let url, let reason):
      "\(url) sent JSON that is not read here: \(PlainText.line(reason)); ask for less of it"
    case .brokenProtocol(let url, let reason): "\(url) broke the protocol: \(PlainText.line(reason))"
    case .incomplete(let url, let count):
      "\(url) ended its response after \(count) part\(count == 1 ? "" : "s") though it had announced more"
    case .introspectionRefused(let url, let reason):
      "\(PlainText.line(url)) does not tell its schema: \(PlainText.line(reason)); "
        + "name a schema file, or go on without completion"
    case .subscription(let failure): failure.description
    case .cacheMiss(let missing):
      "the cache does not have all of this operation"
        + (missing.first.map { ": “\(PlainText.line($0.description))” is missing" } ?? "")
        + "; run it once with another cache policy"
    case .cacheFailure(let reason): "the cache failed: \(PlainText.line(reason))"
    case .tooManyRetries(let count, let last):
      "given up after \(count) \(count == 1 ? "retry" : "retries")\(Self.reason(last))"
    case .mutationNotRepeated(let last):
      "a mutation is never sent twice by itself; look whether it took effect, then repeat it\(Self.reason(last))"
    case .undeclaredVariable(let name):
      "a file is for the variable $\(PlainText.line(name)), which the operation does not declare; check the file's path"
    case .notFinite(let place):
      "\(PlainText.line(place)) is NaN or infinite, which JSON cannot write; give a finite number, or null"
    case .noResult: "the request chain ended without a result; check its interceptors"
    }
  }

  private static func reason(_ error: (any Error)?) -> String {
    error.map { ": \(PlainText.line("\($0)"))" } ?? ""
  }

  /// An error of the layers below under its name here; any other error as it is.
  package static func naming(_ error: any Error) -> any Error {
    switch error {
    case let error as NetworkError: GraphQLClientError.network(error)
    case SubscriptionFailure.network(let error): GraphQLClientError.network(error)
    case SubscriptionFailure.refused(let head, let body):
      GraphQLClientError.status(StatusFailure(head, body: body))
    case let error as SubscriptionFailure: GraphQLClientError.subscription(error)
    default: error
    }
  }
}
