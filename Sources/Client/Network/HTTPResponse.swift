/// What a response is made of, in the order it arrives: one head, any number of chunks, one end. Before the head comes how
/// far an upload is.
public indirect enum HTTPEvent: Sendable {
  /// More of the request's body is on its way.
  case sent(HTTPUploadProgress)
  /// The response has begun: status and header fields.
  case head(HTTPHead)
  /// Bytes of the body.
  case bytes(HTTPChunk)
  /// The response is whole.
  case end(HTTPTimings)
}

/// The status and the header fields of a response.
public struct HTTPHead: Sendable, Hashable {
  /// The status code (RFC 9110, section 15): 200.
  public var status: Int
  /// As the server named it: `1.1`, `2`.
  public var version: String
  /// The response's header fields, in the order in which they came.
  public var headers: HTTPHeaders
  /// Where the response came from after redirects, without user, password and query.
  public var url: String
  /// A redirect took method and body away: what is answered is a GET that nobody meant.
  public var becameGET: Bool
  /// When the last header field had arrived.
  public var arrival: ContinuousClock.Instant { arrivalInstant.instant }
  package let arrivalInstant: ClockInstant

  package init(
    status: Int, version: String = "1.1", headers: HTTPHeaders, url: String = "", becameGET: Bool = false,
    arrival: ClockInstant = .now
  ) {
    self.status = status
    self.version = version
    self.headers = headers
    self.url = url
    self.becameGET = becameGET
    arrivalInstant = arrival
  }
}

/// Bytes of the body as one read delivered them, decompressed, with the instant they arrived.
public struct HTTPChunk: Sendable, Hashable {
  /// The bytes.
  public var bytes: [UInt8]
  /// When they arrived.
  public var arrival: ContinuousClock.Instant { arrivalInstant.instant }
  package let arrivalInstant: ClockInstant

  package init(bytes: [UInt8], arrival: ClockInstant = .now) {
    self.bytes = bytes
    arrivalInstant = arrival
  }
}

/// When each phase of a request was over, counted from the start of the request, and what travelled.
public struct HTTPTimings: Sendable, Hashable {
  /// There was a connection for the request, for which it had to wait by the transport's limits; zero where it did not wait.
  public var queue: Duration = .zero
  /// The name was looked up. Zero on a kept-alive connection, as `connect` and `tls` are.
  public var nameLookup: Duration = .zero
  /// The connection to the server or the proxy was there.
  public var connect: Duration = .zero
  /// The TLS handshake was over; nil without TLS.
  public var tls: Duration?
  /// The request was about to be sent.
  public var request: Duration = .zero
  /// The first byte of the response was there.
  public var firstByte: Duration = .zero
  /// The last byte of the response was there.
  public var lastByte: Duration = .zero
  /// What following redirects took, before the last request began.
  public var redirects: Duration = .zero
  /// Whether the request went over a connection that an earlier one had left open.
  public var isConnectionReused = false
  /// The address of the server or the proxy, without the port; empty where it is not known.
  public var remoteAddress = ""
  /// Bytes of the body on the wire, before decompression.
  public var wireByteCount = 0
  /// Bytes of the response's status line and header fields.
  public var headerByteCount = 0
  /// The port of the server or the proxy; 0 where it is not known.
  package var remotePort = 0
  /// The proxy that was asked for, without what it is given to know who asks.
  package var proxy: String?
  /// What the server showed when this connection was made; nil without TLS, and on a connection that was kept.
  package var certificate: ServerCertificate?

  package init() {}
}

/// The events of one response, to be iterated once. Ending the iteration, or dropping the stream, closes the
/// connection's transfer at once; a reader slower than the server holds the server back.
public struct HTTPResponseStream: AsyncSequence, Sendable {
  public typealias Element = HTTPEvent

  let owner: StreamOwner

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(owner: owner)
  }

  /// Gives the events one after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let owner: StreamOwner

    /// The next event; nil after the end. Throws `NetworkError`, or `CancellationError` when the task was cancelled.
    public mutating func next() async throws -> HTTPEvent? {
      try await next(isolation: nil)
    }

    /// The same, where the caller runs: what is there already costs no change of executors.
    ///
    /// - Throws: `NetworkError`, or `CancellationError` when the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> HTTPEvent? {
      switch try owner.channel.nextNow(mayDrive: actor == nil) {
      case .event(let event): event
      case .end: nil
      case .nothing: try await owner.channel.nextLater(mayDrive: actor != nil)
      }
    }
  }

  /// The next event, for a reader that keeps no iterator; the same rules hold.
  package func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> HTTPEvent? {
    var iterator = makeAsyncIterator()
    return try await iterator.next(isolation: actor)
  }

  /// Gives the server this long to end a response of which all that matters has arrived, from its last byte on.
  package func expectEnd(within limit: Duration) {
    owner.channel.expectEnd(within: limit)
  }

  /// Closes the transfer on the wire now. What was received stays readable up to here.
  public func cancel() {
    owner.channel.cancel()
  }
}

/// Keeps the transport alive as long as someone may read, and cancels the transfer when nobody can any more.
final class StreamOwner: Sendable {
  let channel: TransferChannel
  private let transport: HTTPTransport

  init(channel: TransferChannel, transport: HTTPTransport) {
    self.channel = channel
    self.transport = transport
  }

  deinit {
    channel.cancel()
  }
}
