import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON
import Synchronization

/// Takes a response's body apart: a multipart response branches into its parts as they arrive, any other is one part.
///
/// Behind the last part of several an end follows, with the error if the response was cut, so that the parsing behind can
/// settle what is still open before the error ends the stream. A body without parts is one part, or an end with the error.
public struct MultipartParsingInterceptor: RequestChainInterceptor {
  /// An interceptor without a state.
  public init() {}

  /// Turns a response's stream of bytes into an action for each part; waits for a body that has none.
  ///
  /// - Throws: Nothing by itself; the stream of actions throws `CancellationError`. Other errors come as the end behind
  ///   the last part.
  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response, case .stream(let stream) = response.body else {
      return .proceed(request: request, response: response)
    }
    let source = PartSource(stream: stream, head: response.head, request.startInstant, request.report)
    if source.hasParts {
      return .multiProceed(AsyncThrowingStream { try await source.next().map { Self.action($0, request, response) } })
    }
    // A body without parts needs no branch.
    guard let whole = try await source.next() else { return .endBranch }
    return Self.action(whole, request, response)
  }

  private static func action<Operation: GraphQLOperation>(
    _ step: PartSource.Step, _ request: GraphQLRequest<Operation>, _ response: GraphQLResponse<Operation>
  ) -> RequestChain.NextAction<Operation> {
    var response = response
    response.body =
      switch step {
      case .part(let part): .part(part)
      case .end(let error): .end(error)
      }
    return .proceed(request: request, response: response)
  }
}

/// Reads a body from the network and gives out its parts, then one end.
final class PartSource: Sendable {
  enum Step: Sendable {
    case part(ResponsePart)
    case end((any Error)?)
  }

  /// What takes the body apart, where it has parts: one of the two.
  ///
  /// Each is changed where it is: a copy of what a large part has brought so far, with each read, would be felt.
  private struct Reader {
    var multipart: MultipartReader?
    var events: ServerSentEventReader?
    /// The server has said that no more events come.
    var isComplete = false

    init?(_ type: MediaType) {
      if type.isMultipart {
        multipart = MultipartReader(boundary: type.boundary)
      } else if type.isEventStream {
        events = ServerSentEventReader()
      } else {
        return nil
      }
    }

    var isClosed: Bool { multipart?.isClosed ?? isComplete }

    /// The parts that became whole.
    mutating func receive(_ bytes: [UInt8]) throws(MultipartError) -> [(headers: HTTPHeaders, body: [UInt8])] {
      if let parts = try multipart?.receive(bytes) { return parts.map(Self.split) }
      var parts: [(headers: HTTPHeaders, body: [UInt8])] = []
      for event in try events?.receive(bytes) ?? [] where !isComplete {
        if event.name == "complete" { isComplete = true }
        // No protocol has it, and yet servers tell of their failure so.
        if event.name == "error" {
          throw .errorEvent(Excerpt(body: event.data, type: MediaType(parsing: "application/json")).text)
        }
        // What is called otherwise is the server's own business; without data it only keeps the connection open.
        guard event.name == "next" || event.name == "message", !event.data.isEmpty else { continue }
        parts.append((["event": event.name], event.data))
      }
      return parts
    }

    /// What stands behind the last delimiter.
    mutating func finish() -> (headers: HTTPHeaders, body: [UInt8])? {
      multipart?.finish().map(Self.split)
    }

    private static func split(_ part: MultipartPart) -> (headers: HTTPHeaders, body: [UInt8]) {
      (HTTPHeaders(part.headers.map { .init(name: $0.name, value: $0.value) }), part.body)
    }
  }

  private struct State {
    var reader: Reader?
    var body: [UInt8] = []
    /// Parses a large body that has no parts while it arrives.
    var json: JSONReader?
    var waiting: [ResponsePart] = []
    var waitingHead = 0
    var partCount = 0
    var lastArrival: ClockInstant
    var isAtEnd = false
    var end: (any Error)?
    var isDone = false
  }

  private static var smallBody: Int { 4 << 10 }

  private let stream: HTTPResponseStream
  /// Whether the response says that it comes in parts; any other body is one.
  let hasParts: Bool
  private let isMultipart: Bool
  /// What the response says that its parts are.
  private let specification: String?
  private let head: HTTPHead
  private let start: ClockInstant
  private let report: RequestReport
  private let state: Mutex<State>

  init(stream: HTTPResponseStream, head: HTTPHead, _ start: ClockInstant, _ report: RequestReport) {
    let type = head.contentType
    self.stream = stream
    isMultipart = type.isMultipart
    self.head = head
    self.start = start
    self.report = report
    var initial = State(lastArrival: start)
    initial.reader = Reader(type)
    hasParts = initial.reader != nil
    state = Mutex(initial)
    specification = type.specification
    if let name = specification ?? (type.isMultipart ? nil : type.name) {
      report.monitor.update { $0.agreedFormat = name }
    }
  }

  /// The next part, the end once, then nil.
  func next() async throws -> Step? {
    while true {
      if let step = ready() { return step }
      if state.withLock({ $0.isDone }) { return nil }
      do {
        receive(try await stream.next())
      } catch let error as CancellationError {
        throw error
      } catch {
        finish(error)
      }
    }
  }

  private func receive(_ event: HTTPEvent?) {
    switch event {
    case .sent, .head: break
    case .bytes(let chunk): receive(chunk)
    case .end(let timings):
      // A body without parts is one when it is whole.
      finish(nil)
      report.ended(timings)
    case nil: finish(nil)
    }
  }

  private func ready() -> Step? {
    state.withLock { state -> Step? in
      if state.waitingHead < state.waiting.count {
        let part = state.waiting[state.waitingHead]
        state.waitingHead += 1
        if state.waitingHead == state.waiting.count {
          state.waiting = []
          state.waitingHead = 0
        }
        return .part(part)
      }
      guard state.isAtEnd, !state.isDone else { return nil }
      state.isDone = true
      return .end(state.end)
    }
  }

  private func receive(_ chunk: HTTPChunk) {
    let isClosedNow = state.withLock { state -> Bool in
      let wasClosed = state.reader?.isClosed ?? false
      state.lastArrival = chunk.arrivalInstant
      guard state.reader != nil else {
        append(chunk.bytes, to: &state.body)
        if state.json == nil, state.body.count >= JSONReader.worthwhileByteCount { state.json = JSONReader() }
        state.json?.read(state.body)
        return false
      }
      do throws(MultipartError) {
        for part in try state.reader?.receive(chunk.bytes) ?? [] {
          add(headers: part.headers, body: part.body, &state)
        }
      } catch {
        state.isAtEnd = true
        state.end = GraphQLClientError.brokenProtocol(url: head.url, reason: error.description)
      }
      return !wasClosed && state.reader?.isClosed == true
    }
    // Behind the closing delimiter nothing matters, but a connection that ends in good order can be used again.
    if isClosedNow { stream.expectEnd(within: .milliseconds(500)) }
    report.monitor.update { $0.receivedByteCount += chunk.bytes.count }
  }

  /// Room is taken in large steps: while a body moves it takes twice its bytes, and room that is not used costs none. A small
  /// body comes at once; for a larger one there is as much room as it says that it needs.
  private func append(_ bytes: [UInt8], to body: inout [UInt8]) {
    if body.isEmpty, bytes.count < Self.smallBody {
      body = bytes
      return
    }
    if body.count <= Self.smallBody, let whole = head.headers["Content-Length"].flatMap({ Int($0) }) {
      body.reserveCapacity(min(whole, 256 << 20))
    }
    let count = body.count + bytes.count
    if count > body.capacity, count > JSONReader.worthwhileByteCount { body.reserveCapacity(4 * count) }
    body += bytes
  }

  private func finish(_ error: (any Error)?) {
    state.withLock { state in
      guard !state.isAtEnd else { return }
      let isClosed = state.reader?.isClosed ?? false
      state.isAtEnd = true
      state.end = isClosed ? nil : error
      if state.reader != nil {
        // What stands behind the last delimiter counts only if it is whole JSON.
        if !isClosed, let part = state.reader?.finish(), (try? JSONDocument(parsing: part.body)) != nil {
          add(headers: part.headers, body: part.body, &state)
        }
        if !isClosed, error == nil {
          state.end = GraphQLClientError.incomplete(url: head.url, partCount: state.partCount)
        }
      } else if error == nil {
        // A body that was cut is no JSON any more; one that is whole is the only part.
        // What is no JSON is said by whoever wants it parsed.
        let json = try? state.json?.finish(state.body).root
        add(headers: [:], body: state.body, json: json, &state)
        (state.body, state.json) = ([], nil)
      }
    }
  }

  private func add(headers: HTTPHeaders, body: [UInt8], json: JSONValue? = nil, _ state: inout State) {
    state.partCount += 1
    var part = ResponsePart(
      headers: headers, body: body, arrival: state.lastArrival, specification: specification,
      isMultipart: isMultipart)
    part.isWhole = !hasParts
    part.json = json
    state.waiting.append(part)
    let elapsed = start.duration(to: state.lastArrival)
    report.add(
      RequestMonitor.RawPart(headers: headers, body: body, elapsed: elapsed), byteCount: body.count,
      at: state.lastArrival)
  }
}
