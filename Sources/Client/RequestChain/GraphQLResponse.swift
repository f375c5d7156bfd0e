import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// The body of a response at its place in the request chain.
public enum GraphQLResponseBody: Sendable {
  /// The bytes from the network.
  case stream(HTTPResponseStream)
  /// One whole part; the only one, if the response is not multipart.
  case part(ResponsePart)
  /// After the last part: the response ended in good order, or by the error.
  case end((any Error)?)
}

/// A response on its way through a request chain: a stream of bytes at first, then one part after the other, and
/// with each part a result.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
  /// The body at this place in the chain.
  public typealias Body = GraphQLResponseBody

  /// The response's status and header fields.
  public var head: HTTPHead
  /// The body at this place in the chain.
  public var body: Body
  /// The result, once JSON parsing has been passed.
  public var result: GraphQLResult<Operation.Data>?
  /// The merged payloads that the result was made of.
  package var merged: MergedResult?
  /// The findings of the check of the response against its operation.
  var checked: CheckedResponse?

  /// A response without a result, for a network interceptor of an application.
  public init(head: HTTPHead, body: Body) {
    self.head = head
    self.body = body
  }
}

extension HTTPHead {
  /// The content type, parsed.
  var contentType: MediaType { MediaType(parsing: headers["Content-Type"] ?? "") }
}

/// One part of a response: a payload as the server sent it.
public struct ResponsePart: Sendable {
  /// The part's own header fields: those of a multipart response, the `event` of an event stream, else none.
  public var headers: HTTPHeaders
  /// The part's bytes, decompressed: JSON, if the server is right.
  public var body: [UInt8]
  /// When the part's last byte arrived.
  public var arrival: ContinuousClock.Instant { arrivalInstant.instant }
  package let arrivalInstant: ClockInstant
  /// The specification that the response named for its parts, such as `deferSpec=20220824`.
  public var specification: String?
  package var isMultipart: Bool
  /// Whether the response has only this part; no end follows it.
  package var isWhole = false
  /// The payload, if the receiver of the part has parsed it already.
  package var json: JSONValue?

  /// A part for a network interceptor of an application. If it is not multipart, it is the whole body.
  public init(
    headers: HTTPHeaders = [:], body: [UInt8], arrival: ContinuousClock.Instant = .now, specification: String? = nil,
    isMultipart: Bool = false
  ) {
    self.init(
      headers: headers, body: body, arrival: ClockInstant(arrival), specification: specification,
      isMultipart: isMultipart)
  }

  package init(
    headers: HTTPHeaders, body: [UInt8], arrival: ClockInstant, specification: String?, isMultipart: Bool
  ) {
    self.headers = headers
    self.body = body
    arrivalInstant = arrival
    self.specification = specification
    self.isMultipart = isMultipart
  }
}
