import ApusClientAPI
import ApusClientIncremental
import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON
import Synchronization

/// Splits a response body into its parts as they arrive. The body of a response that is not multipart is one part.
///
/// An end follows the last of several parts, with an error if the response was interrupted, so that JSON parsing can
/// settle pending fragments before the error ends the stream. A body without parts is one part, or an end with the
/// error.
public struct MultipartParsingInterceptor: RequestChainInterceptor {
  /// Creates an interceptor. It has no state.
  public init() {}

  /// Turns a stream of bytes into an action for each part. Waits for the entire body if it has no parts.
  ///
  /// - Throws: The stream of actions throws `CancellationError`. Other errors are in the end that follows the last
  ///   part.
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
    // A body without parts does not need a branch.
    guard let arrival = try await source.next() else { return .endBranch }
    return Self.action(arrival, request, response)
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

/// Reads a body from the network, and returns its parts and then one end.
final class PartSource: Sendable {
  enum Step: Sendable {
    case part(ResponsePart)
    case end((any Error)?)
  }

  private struct State {
    var reader: PartSplitter?
    /// The body, or the start of one with parts while none is complete.
    var body: [UInt8] = []
    /// Parses a large body without parts while it arrives.
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
  /// Whether the response consists of parts.
  let hasParts: Bool
  private let isMultipart: Bool
  /// The specification of the parts, from the response's content type.
  private let specification: String?
  private let head: HTTPHead
  private let start: ClockInstant
  private let report: RequestObserver
  private let state: Mutex<State>

  init(stream: HTTPResponseStream, head: HTTPHead, _ start: ClockInstant, _ report: RequestObserver) {
    let type = head.contentType
    self.stream = stream
    isMultipart = type.isMultipart
    self.head = head
    self.start = start
    self.report = report
    var initial = State(lastArrival: start)
    initial.reader = PartSplitter(type)
    hasParts = initial.reader != nil
    state = Mutex(initial)
    specification = type.specification
    if let name = specification ?? (type.isMultipart ? nil : type.name) {
      report.monitor.update { $0.agreedFormat = name }
    }
  }

  /// Returns the next part, then the end, then nil.
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
      // A body without parts becomes a part when it is complete.
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
      if state.partCount == 0 { state.body += chunk.bytes.prefix(HTTPStatusError.longestBody - state.body.count) }
      do throws(MultipartError) {
        for part in try state.reader?.receive(chunk.bytes) ?? [] {
          add(headers: part.headers, body: part.body, &state)
        }
      } catch {
        state.isAtEnd = true
        state.end = GraphQLClientError.protocolViolation(url: head.url, reason: error.description)
      }
      return !wasClosed && state.reader?.isClosed == true
    }
    // The text after the closing delimiter is ignored, but reading to the end allows the connection to be reused.
    if isClosedNow { stream.expectEnd(within: .milliseconds(500)) }
    report.monitor.update { $0.receivedByteCount += chunk.bytes.count }
  }

  /// Appends bytes. Memory is reserved in large steps, because moving a body takes twice its size, and unused capacity
  /// is free. A small body arrives at once; a larger one reserves its `Content-Length`.
  private func append(_ bytes: [UInt8], to body: inout [UInt8]) {
    if body.isEmpty, bytes.count < Self.smallBody {
      body = bytes
      return
    }
    if body.count <= Self.smallBody, let length = head.headers["Content-Length"].flatMap({ Int($0) }) {
      body.reserveCapacity(min(length, 256 << 20))
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
        // Text after the last delimiter counts only if it is complete JSON.
        if !isClosed, let part = state.reader?.finish(), (try? JSONDocument(parsing: part.body)) != nil {
          add(headers: part.headers, body: part.body, &state)
        }
        if !isClosed, error == nil {
          let mislabeled = state.partCount == 0 ? GraphQLClientError.mislabeled(state.body, head) : nil
          state.end = mislabeled ?? GraphQLClientError.incomplete(url: head.url, partCount: state.partCount)
        }
      } else if error == nil {
        // An interrupted body is not valid JSON. The parsing interceptor reports invalid JSON.
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
