import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// Determines by status and content type whether a response is a GraphQL response.
///
/// JSON, with or without parts, is passed on whatever the status: many servers respond to an invalid document with
/// status 400, some with 500, and a GraphQL response that contains the reason. For all other content types an error
/// status becomes an error with an excerpt of the body (GraphQL over HTTP, section "Response").
public struct ResponseCodeInterceptor: RequestChainInterceptor {
  /// Creates an interceptor. It has no state.
  public init() {}

  /// Lets a GraphQL response proceed.
  ///
  /// - Throws: `GraphQLClientError.status` for an error status, `.notGraphQL` for another content type.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    if let response, case .stream(let stream) = response.body {
      try await Self.check(response.head, stream)
    }
    return .proceed(request: request, response: response)
  }

  /// Whether the head allows a GraphQL response.
  private static func isFit(_ head: HTTPHead, _ type: MediaType) -> Bool {
    // After a redirect that dropped the operation, the response belongs to another request.
    if head.changedToGET { return false }
    return type.name == "application/graphql-response+json" || type.isMultipart || type.isEventStream
      || type.mayHoldJSON
  }

  /// Throws an error if the head rules out a GraphQL response.
  static func check(_ head: HTTPHead, _ stream: HTTPResponseStream) async throws(GraphQLClientError) {
    let type = head.contentType
    if isFit(head, type) { return }
    if head.hasNoContent {
      stream.cancel()
      throw .noContent(head)
    }
    guard head.isSuccess else {
      let body = await beginning(of: stream)
      let excerpt = Excerpt(body: body, type: type).text
      throw .status(HTTPStatusError(head, body: body, excerpt: excerpt + redirectHint(head, excerpt)))
    }
    let excerpt = Excerpt(body: await beginning(of: stream), type: type).text
    let answer = type.name.hasPrefix("multipart/") ? "\(type.name) in place of multipart/mixed" : type.name
    throw .notGraphQL(answer: answer, url: head.url, excerpt: excerpt + redirectHint(head, excerpt))
  }

  /// Returns advice about a redirect that dropped the operation.
  private static func redirectHint(_ head: HTTPHead, _ excerpt: String) -> String {
    head.changedToGET
      ? "\(excerpt.isEmpty ? "" : "; ")the redirect to this URL dropped the operation; use this URL directly" : ""
  }

  /// Returns as much of the body as is available. Errors are ignored.
  static func beginning(of stream: HTTPResponseStream) async -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < HTTPStatusError.longestBody, let event = try? await stream.next() {
      if case .bytes(let chunk) = event { bytes += chunk.bytes }
    }
    stream.cancel()
    return bytes
  }
}

extension MediaType {
  /// Whether the body may be JSON. Some servers send JSON without a type or as plain text.
  fileprivate var mayHoldJSON: Bool { isJSON || name.isEmpty || name == "text/plain" }
}

extension HTTPHead {
  /// Whether the status reports success; 101 opens a WebSocket.
  package var isSuccess: Bool { (200..<300).contains(status) || status == 101 }
}

extension HTTPHead {
  /// Whether the status implies an empty body (RFC 9110, sections 15.3.5 and 15.3.6).
  var hasNoContent: Bool { status == 204 || status == 205 }
}

extension GraphQLClientError {
  /// Returns the error for a response without a body.
  static func noContent(_ head: HTTPHead) -> Self {
    .notGraphQL(answer: "\(head.status) (no content)", url: head.url, excerpt: "")
  }

  /// Returns the error for a body that looks like another format than its content type; `nil` if it does not.
  static func mislabeled(_ body: [UInt8], _ head: HTTPHead) -> Self? {
    let type = head.contentType
    guard let likeness = BodyLikeness(body), likeness.contradicts(type) else { return nil }
    return .notGraphQL(
      answer: "\(likeness.rawValue) (its content type: \(type.name.isEmpty ? "no content type" : type.name))",
      url: head.url, excerpt: likeness.isReadable ? Excerpt(body: body, type: type).text : "")
  }
}

extension JSONValue {
  /// Whether the body of a response with an error status is a GraphQL response: an object whose `data` is an object, or
  /// whose `errors` all have a message (GraphQL, section 7.1, "Response Format").
  var isGraphQLResponse: Bool {
    guard kind == .object else { return false }
    if self["data"]?.kind == .object { return true }
    guard let errors = self["errors"], errors.kind == .array, errors.count > 0 else { return false }
    return errors.elements.allSatisfy { $0["message"]?.string != nil }
  }
}

/// The likely kind of a body that does not have the format of its content type.
enum BodyLikeness: String {
  case page = "an HTML page"
  case xml = "an XML document"
  case multipart = "a multipart response"
  case eventStream = "an event stream"
  case json = "JSON"

  /// Whether a body of this kind contradicts its content type.
  func contradicts(_ type: MediaType) -> Bool {
    switch self {
    case .page, .xml: true
    case .multipart: !type.isMultipart
    case .eventStream: !type.isEventStream
    // A multipart response may consist of JSON alone.
    case .json: type.isEventStream
    }
  }

  /// Whether the text of the body may explain what went wrong.
  var isReadable: Bool {
    switch self {
    case .page, .xml, .json: true
    case .multipart, .eventStream: false
    }
  }

  /// Returns `nil` if the kind is unknown.
  init?(_ body: some Collection<UInt8>) {
    let start = String(
      decoding: body.drop { $0.isWhiteSpace || Self.byteOrderMark.contains($0) }.prefix(512), as: UTF8.self
    )
    .lowercased()
    if start.hasPrefix("<") {
      let isPage = ["<!doctype html", "<html", "<head", "<title", "<body"].contains { start.contains($0) }
      self = isPage ? .page : .xml
    } else if start.hasPrefix("--"), start.dropFirst(2).contains(where: { $0.isNewline }) {
      self = .multipart
    } else if ["event:", "data:"].contains(where: start.hasPrefix) {
      self = .eventStream
    } else if start.hasPrefix("{") {
      self = .json
    } else {
      return nil
    }
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}

extension UInt8 {
  var isWhiteSpace: Bool { self == 0x20 || (0x09...0x0D).contains(self) }
}
