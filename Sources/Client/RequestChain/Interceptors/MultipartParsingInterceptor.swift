import ClientAPI
import ClientIncremental
import ClientNetwork
import JSON
import Synchronization

/// Takes a response's body apart: a multipart response branches into its parts as they arrive, any other is one part.
///
/// Behind the last part an end follows, with the error if the response was cut, so that the parsing behind can settle
/// what is still open before the error ends the stream.
public struct MultipartParsingInterceptor: RequestChainInterceptor {
  public init() {}

  public func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    guard let response, case .stream(let stream) = response.body else {
      return .proceed(request: request, response: response)
    }
    let type = MediaType(parsing: response.head.headers["Content-Type"] ?? "")
    let source = PartSource(
      stream: stream, type: type, url: response.head.url,
      expectedByteCount: response.head.headers["Content-Length"].flatMap { Int($0) } ?? 0, request.start,
      request.monitor)
    return .multiProceed(
      AsyncThrowingStream {
        guard let body = try await source.next() else { return nil }
        var response = response
        response.body =
          switch body {
          case .part(let part): .part(part)
          case .end(let error): .end(error)
          }
        return .proceed(request: request, response: response)
      })
  }
}

/// Reads a body from the network and gives out its parts, then one end.
final class PartSource: Sendable {
  enum Step: Sendable {
    case part(ResponsePart)
    case end((any Error)?)
  }

  private struct State {
    var reader: MultipartReader?
    var body: [UInt8] = []
    var waiting: [ResponsePart] = []
    var waitingHead = 0
    var partCount = 0
    var lastArrival: ContinuousClock.Instant
    var isAtEnd = false
    var end: (any Error)?
    var isDone = false
  }

  private let stream: HTTPResponseStream
  private let type: MediaType
  private let url: String
  private let start: ContinuousClock.Instant
  private let monitor: RequestMonitor
  private let state: Mutex<State>

  init(
    stream: HTTPResponseStream, type: MediaType, url: String, expectedByteCount: Int,
    _ start: ContinuousClock.Instant, _ monitor: RequestMonitor
  ) {
    self.stream = stream
    self.type = type
    self.url = url
    self.start = start
    self.monitor = monitor
    var initial = State(lastArrival: start)
    if type.isMultipart {
      initial.reader = MultipartReader(boundary: type.boundary)
    } else {
      initial.body.reserveCapacity(min(expectedByteCount, 64 << 20))
    }
    state = Mutex(initial)
    if let name = type.specification?.rawValue ?? (type.isMultipart ? nil : type.name) {
      monitor.update { $0.agreedFormat = name }
    }
  }

  /// The next part, the end once, then nil.
  func next() async throws -> Step? {
    while true {
      if let step = ready() { return step }
      if state.withLock({ $0.isDone }) { return nil }
      do {
        switch try await stream.next() {
        case .head: break
        case .bytes(let chunk): receive(chunk)
        case .end(let timings): monitor.update { $0.timings = timings }
        case nil: finish(nil)
        }
      } catch let error as CancellationError {
        throw error
      } catch {
        finish(error)
      }
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
      state.lastArrival = chunk.arrival
      guard state.reader != nil else {
        state.body += chunk.bytes
        return false
      }
      do throws(MultipartError) {
        for part in try state.reader?.receive(chunk.bytes) ?? [] { add(part, &state) }
      } catch {
        state.isAtEnd = true
        state.end = GraphQLClientError.brokenProtocol(url: url, reason: error.description)
      }
      return !wasClosed && state.reader?.isClosed == true
    }
    // Behind the closing delimiter nothing matters, but a connection that ends in good order can be used again.
    if isClosedNow { stream.expectEnd(within: .milliseconds(500)) }
    monitor.update { $0.receivedByteCount += chunk.bytes.count }
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
          add(part, &state)
        }
        if !isClosed, error == nil {
          state.end = GraphQLClientError.incomplete(url: url, partCount: state.partCount)
        }
      } else if error == nil {
        // A body that was cut is no JSON any more; one that is whole is the only part.
        add(headers: [:], body: state.body, &state)
        state.body = []
      }
    }
  }

  private func add(_ part: MultipartPart, _ state: inout State) {
    add(headers: HTTPHeaders(part.headers.map { .init(name: $0.name, value: $0.value) }), body: part.body, &state)
  }

  private func add(headers: HTTPHeaders, body: [UInt8], _ state: inout State) {
    state.partCount += 1
    state.waiting.append(
      ResponsePart(
        headers: headers, body: body, arrival: state.lastArrival, specification: type.specification,
        isMultipart: type.isMultipart))
    let elapsed = start.duration(to: state.lastArrival)
    monitor.add(RequestMonitor.RawPart(headers: headers, body: body, elapsed: elapsed))
  }
}
