import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// How far a response's body has been taken apart.
public enum GraphQLResponseBody: Sendable {
  /// As it comes from the network.
  case stream(HTTPResponseStream)
  /// One whole part; the only one, if the response is not multipart.
  case part(ResponsePart)
  /// After the last part: the response ended in good order, or by the error.
  case end((any Error)?)
}

/// A response on its way through a request chain: a stream of bytes at first, then one part after the other, and
/// with each part a result.
public struct GraphQLResponse<Operation: GraphQLOperation>: Sendable {
  /// How far the body has been taken apart.
  public typealias Body = GraphQLResponseBody

  /// The response's status and header fields.
  public var head: HTTPHead
  /// How far the body has been taken apart.
  public var body: Body
  /// The result, once JSON parsing has been passed.
  public var result: GraphQLResult<Operation.Data>?
  /// The merged payloads that the result was made of.
  package var merged: MergedResult?
  /// The findings of the check of the response against its operation.
  var checked: CheckedResponse?

  /// A response without a result, as a network fetch of one's own makes it.
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
  /// The response has this part alone, and no end follows behind it.
  package var isWhole = false
  /// The payload, where whoever received the part had to parse it already.
  package var json: JSONValue?

  /// A part as a network fetch of your own may bring it; not multipart, it is the whole body.
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
