import ApusClientNetwork
import ApusGraphQLMediaTypes
import ApusJSON

/// An HTTP request of an application with its response, or a WebSocket, and the operations in it.
struct ObservedExchange {
  let method: String
  let target: String
  let headers: HTTPHeaders
  let time: ContinuousClock.Instant
  /// The server's origin with the path of the request, for messages.
  let url: String
  private var body: [UInt8] = []
  private var isBodyTooLong = false
  /// Whether the exchange is not read any further.
  private var hasGivenUp = false
  private var isBatch = false
  /// The operations of an HTTP request, in the order of a batch.
  private var operations: [TrackedOperation] = []
  private var status: Int?
  private var reader: ResponseReader?
  private var socket: ObservedSocket?
  /// The running operations of a WebSocket, by their ids.
  private var socketOperations: [String: TrackedOperation] = [:]

  init(method: String, target: String, headers: HTTPHeaders, time: ContinuousClock.Instant, url: String) {
    (self.method, self.target, self.headers, self.time) = (method, target, headers, time)
    self.url = String(url.prefix { $0 != "?" })
  }

  /// The path of the target, without the query.
  var path: String { String(target.prefix { $0 != "?" }) }

  // MARK: Memory

  /// The number of bytes that are kept of bodies, messages and results.
  var keptByteCount: Int {
    body.count + (reader?.keptByteCount ?? 0) + (socket?.keptByteCount ?? 0)
      + operations.reduce(0) { $0 + $1.keptByteCount } + socketOperations.values.reduce(0) { $0 + $1.keptByteCount }
  }

  /// Stops reading, and releases everything that is kept.
  mutating func giveUp(_ reason: String) {
    (body, isBodyTooLong) = ([], true)
    reader?.stop(reason)
    (socket, hasGivenUp) = (nil, true)
    for index in operations.indices { operations[index].setProblem("the response cannot be shown: \(reason)") }
    for id in socketOperations.keys { socketOperations[id]?.setProblem("the response cannot be shown: \(reason)") }
  }

  // MARK: Request

  mutating func add(_ bytes: [UInt8], limit: Int) {
    guard !isBodyTooLong, body.count + bytes.count <= limit else {
      isBodyTooLong = true
      return
    }
    body += bytes
  }

  /// Returns the operations of the request, and releases its body.
  mutating func readRequest() -> [OperationParameters] {
    defer { body = [] }
    let content = RequestContent(method: method, target: target, contentType: headers["Content-Type"], body: body)
    isBatch = content.isBatch
    return content.operations
  }

  mutating func add(_ operation: TrackedOperation) { operations.append(operation) }

  // MARK: Response

  mutating func responded(
    _ status: Int, _ headers: HTTPHeaders, at time: ContinuousClock.Instant
  ) -> [TrafficReport] {
    self.status = status
    let head = HTTPHead(status: status, headers: headers, url: url)
    if status == 101 { socket = ObservedSocket(head) } else { reader = ResponseReader(head) }
    return operations.indices.map { index in
      operations[index].responded(status: status)
      return .responded(operations[index].request, head, elapsed: self.time.duration(to: time))
    }
  }

  mutating func receive(_ bytes: [UInt8], at time: ContinuousClock.Instant) async -> [TrafficReport] {
    guard !operations.isEmpty, var reader else { return [] }
    // The operations of a batch share the response; its size is counted once.
    operations[0].add(byteCount: bytes.count)
    let parts = reader.receive(bytes)
    self.reader = reader
    var reports: [TrafficReport] = []
    for part in parts where operations.count == 1 {
      reports += await operations[0].receive(part, of: reader.head, at: time)
    }
    return reports
  }

  /// Changes the operation of a WebSocket with an id, or all operations of an HTTP request. Returns their reports.
  mutating func update(_ id: String?, _ change: (inout TrackedOperation) -> TrafficReport) -> [TrafficReport] {
    guard let id else { return operations.indices.map { change(&operations[$0]) } }
    guard var operation = socketOperations[id] else { return [] }
    defer { socketOperations[id] = operation }
    return [change(&operation)]
  }

  /// Ends all operations.
  mutating func end(_ end: TrafficEvent.End, at time: ContinuousClock.Instant) async -> [TrafficReport] {
    var reports: [TrafficReport] = []
    for id in socketOperations.keys.sorted() { reports += await self.end(id: id, end, at: time) }
    guard !operations.isEmpty else {
      if socket == nil, !hasGivenUp { reports.append(.other(method: method, path: path, status: status)) }
      return reports
    }
    if var reader {
      let rest = end == .complete || reader.hasParts ? reader.finish() : nil
      self.reader = reader
      if let problem = reader.problem { for index in operations.indices { operations[index].setProblem(problem) } }
      if let rest { reports += await receive(rest, whole: !reader.hasParts, reader.head, time) }
    }
    let settled = reader.flatMap { $0.hasParts ? $0.head : nil }
    for index in operations.indices {
      reports += await operations[index].end(end, at: time, settling: settled, isClosed: reader?.isClosed ?? false)
    }
    return reports
  }

  /// Processes the last part, or the whole body, in which each operation of a batch has an element.
  private mutating func receive(
    _ part: ResponseReader.Part, whole isWhole: Bool, _ head: HTTPHead, _ time: ContinuousClock.Instant
  ) async -> [TrafficReport] {
    guard isBatch else { return await operations[0].receive(part, of: head, at: time, isWhole: isWhole) }
    var reports: [TrafficReport] = []
    let results = try? JSONDocument(parsing: part.body).root
    guard let results, results.kind == .array, results.count == operations.count else {
      for index in operations.indices {
        operations[index].setProblem("the response is not an array with a result for each operation of the batch")
      }
      return []
    }
    for (index, json) in results.elements.enumerated() {
      let element = ResponseReader.Part(body: JSONWriter.compactBytes(json), json: json)
      reports += await operations[index].receive(element, of: head, at: time, isWhole: true)
    }
    return reports
  }

  // MARK: WebSocket

  mutating func receive(socketBytes bytes: [UInt8], isFromServer: Bool) -> [ObservedSocket.Event] {
    socket?.receive(bytes, isFromServer: isFromServer) ?? []
  }

  mutating func add(_ operation: TrackedOperation, id: String) { socketOperations[id] = operation }

  mutating func receive(
    _ json: JSONValue, byteCount: Int, of id: String, at time: ContinuousClock.Instant
  ) async -> [TrafficReport] {
    guard var operation = socketOperations[id] else { return [] }
    operation.add(byteCount: byteCount)
    let part = ResponseReader.Part(body: JSONWriter.compactBytes(json), json: json)
    let reports = await operation.receive(part, of: socketHead, at: time)
    socketOperations[id] = operation
    return reports
  }

  mutating func end(id: String, _ end: TrafficEvent.End, at time: ContinuousClock.Instant) async -> [TrafficReport] {
    guard var operation = socketOperations.removeValue(forKey: id) else { return [] }
    return await operation.end(end, at: time, settling: socketHead, isClosed: true)
  }

  /// The head with which the messages of a WebSocket are processed.
  private var socketHead: HTTPHead { HTTPHead(status: 101, headers: [:], url: url) }
}
