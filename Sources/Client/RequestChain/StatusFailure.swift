import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// A response whose status says that the request failed, and that is no GraphQL response: what a program needs to decide
/// what to do. It prints as one line, in which neither header fields nor the whole body are.
public struct StatusFailure: Error, Sendable, CustomStringConvertible {
  /// The status code.
  public var code: Int { head.status }
  /// Where it came from, without user, password and query.
  public var url: String { head.url }
  /// The header fields of the response.
  public var headers: HTTPHeaders { head.headers }
  /// The body, 64 KB of it at most; empty where it did not come.
  public let body: [UInt8]
  /// What it says, fit for one line.
  public let excerpt: String
  private let head: HTTPHead

  /// `excerpt` takes the place of what is found in the body.
  package init(_ head: HTTPHead, body: [UInt8] = [], excerpt: String? = nil) {
    self.head = head
    self.body = Array(body.prefix(Self.longestBody))
    self.excerpt =
      excerpt ?? Excerpt(body: self.body, type: MediaType(parsing: head.headers["Content-Type"] ?? "")).text
  }

  /// The most bytes of a body that are kept.
  static let longestBody = 64 << 10

  /// The body's JSON; `nil` where it is none.
  public var json: JSONValue? { try? JSONDocument(parsing: body).root }

  /// The errors that the body tells, with their `extensions`; empty where it has none in the form that GraphQL gives them.
  public var errors: [GraphQLError] { GraphQLError.list(json?["errors"]) }

  public var description: String {
    let advice =
      switch code {
      case 401, 403: "check the credentials"
      case 404, 405: "check the path of the URL"
      case 406: "it offers none of the formats asked for; pin another one"
      case 429: "wait before you try again"
      case 500...: "the server failed; try again or look at its log"
      default: "check the request"
      }
    return "\(url) answered \(code)\(excerpt.isEmpty ? "" : " (\(excerpt))"); \(advice)"
  }
}
