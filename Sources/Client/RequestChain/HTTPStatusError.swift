import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// An HTTP response with an error status that is not a GraphQL response. Its description is one line without header
/// fields and without the complete body.
public struct HTTPStatusError: Error, Sendable, CustomStringConvertible {
  /// The status code.
  public var code: Int { head.status }
  /// The URL of the response, without user, password and query.
  public var url: String { head.url }
  /// Header fields of the response.
  public var headers: HTTPHeaders { head.headers }
  /// The body, at most 64 KB; empty if it did not arrive.
  public let body: [UInt8]
  /// An excerpt of the body on one line.
  public let excerpt: String
  private let head: HTTPHead

  /// Creates a failure. `excerpt` replaces the excerpt of the body.
  package init(_ head: HTTPHead, body: [UInt8] = [], excerpt: String? = nil) {
    self.head = head
    self.body = Array(body.prefix(Self.longestBody))
    self.excerpt =
      excerpt ?? Excerpt(body: self.body, type: MediaType(parsing: head.headers["Content-Type"] ?? "")).text
  }

  /// The maximum stored size of a body, in bytes.
  static let longestBody = 64 << 10

  /// The JSON of the body; `nil` if it is not JSON.
  public var json: JSONValue? { try? JSONDocument(parsing: body).root }

  /// The GraphQL errors in the body with their `extensions`; empty if there are none.
  public var errors: [GraphQLError] { GraphQLError.list(json?["errors"]) }

  public var description: String {
    "\(url) answered \(code)\(excerpt.isEmpty ? "" : " (\(excerpt))"); \(StatusAdvice.text(for: head))"
  }
}
