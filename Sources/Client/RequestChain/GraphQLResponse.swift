import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// The body of a response at a step of the request chain.
public enum GraphQLResponseBody: Sendable {
  /// The bytes from the network.
  case stream(HTTPResponseStream)
  /// One complete part; for a response that is not multipart, the only one.
  case part(ResponsePart)
  /// The end of the response, after the last part. It has an error if the response did not end normally.
  case end((any Error)?)
}

/// A response in a request chain: a stream of bytes first, then one part after another, each with a result.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
  /// The body at this step of the chain.
  public typealias Body = GraphQLResponseBody

  /// The response's status and header fields.
  public var head: HTTPHead
  /// The body at this step of the chain.
  public var body: Body
  /// The result, set by JSON parsing.
  public var result: GraphQLResult<Operation.Data>?
  /// Merged payloads from which the result was created.
  package var merged: MergedResult?
  /// The result of checking the response against its operation.
  var checked: CheckedResponse?

  /// Creates a response without a result, for a custom network interceptor.
  public init(head: HTTPHead, body: Body) {
    self.head = head
    self.body = body
  }
}

extension HTTPHead {
  /// The parsed content type.
  var contentType: MediaType { MediaType(parsing: headers["Content-Type"] ?? "") }
}

/// One part of a response: a payload as the server sent it.
public struct ResponsePart: Sendable {
  /// The part's own header fields: those in a multipart response, or the `event` of an event stream.
  public var headers: HTTPHeaders
  /// The part's decompressed bytes, which should be JSON.
  public var body: [UInt8]
  /// The time when the part's last byte arrived.
  public var arrival: ContinuousClock.Instant { arrivalInstant.instant }
  package let arrivalInstant: ClockInstant
  /// The specification of the parts, from the response's content type, such as `deferSpec=20220824`.
  public var specification: String?
  package var isMultipart: Bool
  /// Whether this part is the entire response, so that no end follows it.
  package var isWhole = false
  /// The payload, if the part was parsed when it was received.
  package var json: JSONValue?

  /// Creates a part for a custom network interceptor. A part that is not multipart is the entire body.
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
