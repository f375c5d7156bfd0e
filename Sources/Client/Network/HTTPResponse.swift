/// The parts of a response in order of arrival: a head, any number of chunks, and an end. Upload progress comes before
/// the head.
public indirect enum HTTPEvent: Sendable {
  /// Progress in sending the request's body.
  case sent(HTTPUploadProgress)
  /// The status and header fields.
  case head(HTTPHead)
  /// Bytes of the body.
  case bytes(HTTPChunk)
  /// The end of the response.
  case end(HTTPTimings)
}

/// The status and header fields of a response.
public struct HTTPHead: Sendable, Hashable {
  /// The status code (RFC 9110, section 15).
  public var status: Int
  /// The HTTP version, such as `1.1` or `2`.
  public var version: String
  /// Header fields in order.
  public var headers: HTTPHeaders
  /// The final URL after redirects, without user, password and query.
  public var url: String
  /// Whether a redirect changed the request to a GET without a body, so that this is not the response to the operation.
  public var changedToGET: Bool
  /// The time of the last header field.
  public var arrival: ContinuousClock.Instant { arrivalInstant.instant }
  package let arrivalInstant: ClockInstant

  package init(
    status: Int, version: String = "1.1", headers: HTTPHeaders, url: String = "", changedToGET: Bool = false,
    arrival: ClockInstant = .now
  ) {
    self.status = status
    self.version = version
    self.headers = headers
    self.url = url
    self.changedToGET = changedToGET
    arrivalInstant = arrival
  }
}

/// Decoded bytes of the body from one read, with their arrival time.
public struct HTTPChunk: Sendable, Hashable {
  /// The bytes.
  public var bytes: [UInt8]
  /// The arrival time.
  public var arrival: ContinuousClock.Instant { arrivalInstant.instant }
  package let arrivalInstant: ClockInstant

  package init(bytes: [UInt8], arrival: ClockInstant = .now) {
    self.bytes = bytes
    arrivalInstant = arrival
  }
}

/// The times at which the phases of a request ended, relative to its start, and the amounts of data.
public struct HTTPTimings: Sendable, Hashable {
  /// The end of waiting for a connection because of the transport's limits; zero if it did not wait.
  public var queue: Duration = .zero
  /// The end of the name lookup. Zero on a reused connection, like `connect` and `tls`.
  public var nameLookup: Duration = .zero
  /// The connection to the server or proxy was established.
  public var connect: Duration = .zero
  /// The end of the TLS handshake; nil without TLS.
  public var tls: Duration?
  /// The start of sending the request.
  public var request: Duration = .zero
  /// The arrival of the first byte of the response.
  public var firstByte: Duration = .zero
  /// The arrival of the last byte of the response.
  public var lastByte: Duration = .zero
  /// The duration of redirects before the final request.
  public var redirects: Duration = .zero
  /// Whether the request reused a connection.
  public var isConnectionReused = false
  /// The address of the server or proxy without the port; empty if unknown.
  public var remoteAddress = ""
  /// The size of the body on the wire, in bytes before decompression.
  public var wireByteCount = 0
  /// The size of the status line and header fields, in bytes.
  public var headerByteCount = 0
  /// The port of the server or proxy; 0 if unknown.
  package var remotePort = 0
  /// The configured proxy without credentials.
  package var proxy: String?
  /// The server's certificate; nil without TLS and on a reused connection.
  package var certificate: ServerCertificate?

  package init() {}
}

/// The events of a response, which can be iterated once. Ending the iteration or releasing the stream cancels the
/// transfer. A slow reader slows down the server by flow control.
public struct HTTPResponseStream: AsyncSequence, Sendable {
  public typealias Element = HTTPEvent

  let owner: StreamOwner

  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(owner: owner)
  }

  /// An iterator over the events.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let owner: StreamOwner

    /// Returns the next event; nil after the end. Throws `NetworkError`, or `CancellationError` if the task was
    /// canceled.
    public mutating func next() async throws -> HTTPEvent? {
      try await next(isolation: nil)
    }

    /// Returns the next event, without leaving the caller's executor if it is already available.
    ///
    /// - Throws: `NetworkError`, or `CancellationError` if the task was canceled.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> HTTPEvent? {
      switch try owner.channel.nextNow(mayDrive: actor == nil) {
      case .event(let event): event
      case .end: nil
      case .nothing: try await owner.channel.nextLater(mayDrive: actor != nil)
      }
    }
  }

  /// Returns the next event, for a reader without an iterator. Only one reader is allowed.
  package func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> HTTPEvent? {
    var iterator = makeAsyncIterator()
    return try await iterator.next(isolation: actor)
  }

  /// Sets a timeout for the end of a response whose relevant data has arrived, from its last byte on.
  package func expectEnd(within limit: Duration) {
    owner.channel.expectEnd(within: limit)
  }

  /// Cancels the transfer. Data received so far can still be read.
  public func cancel() {
    owner.channel.cancel()
  }
}

/// Keeps the transport alive while the response can be read, and cancels the transfer afterwards.
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
