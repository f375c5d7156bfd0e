import ApusClientNetwork
import ApusCompression
import ApusJSON

/// Recognizes the GraphQL operations in an application's traffic, and merges and caches their responses.
///
/// Events are processed one after another, so that the cache is written in the order in which responses arrived. It keeps
/// only what running operations need.
package struct TrafficAnalysis {
  /// The maximum number of bytes of a request's body that are read.
  private static let requestLimit = 16 << 20
  /// The maximum number of bytes that are kept of all running operations. Beyond it, an operation is not read any further.
  package static let limit = 256 << 20

  private let url: String
  private let cache: ShadowCache
  private var exchanges: [Int: ObservedExchange] = [:]
  private var operationCount = 0
  private var documents: PersistedDocuments
  private var conflicts = ConflictFinder()
  private var hints = RequestHints()
  private let limit: Int
  private var keptByteCount = 0

  /// Creates an analysis.
  ///
  /// - Parameters:
  ///   - url: The URL of the server, for messages.
  ///   - documents: The documents of persisted queries that are known before.
  ///   - limit: The maximum number of bytes that are kept of all running operations.
  package init(
    url: String, cache: ShadowCache, documents: PersistedDocuments = PersistedDocuments(), limit: Int = Self.limit
  ) {
    (self.url, self.cache, self.documents, self.limit) = (url, cache, documents, limit)
    ContentDecoder.loadLibraries()
  }

  /// Processes an event, and returns the changes.
  package mutating func receive(_ event: TrafficEvent) async -> [TrafficReport] {
    if case .request(let method, let target, let headers) = event.fact {
      exchanges[event.exchange] = ObservedExchange(
        method: method, target: target, headers: headers, time: event.time, url: url)
      return []
    }
    guard var exchange = exchanges.removeValue(forKey: event.exchange) else { return [] }
    keptByteCount -= exchange.keptByteCount
    let reports = await receive(event, &exchange)
    if case .ended = event.fact {} else { keep(exchange, event.exchange) }
    for case .ended(let request) in reports { hints.ended(request) }
    return reports + (await conflicts(after: reports))
  }

  private mutating func keep(_ exchange: ObservedExchange, _ number: Int) {
    var exchange = exchange
    if keptByteCount + exchange.keptByteCount > limit {
      exchange.giveUp("the responses that are running are larger than \(limit >> 20) MB")
    }
    keptByteCount += exchange.keptByteCount
    exchanges[number] = exchange
  }

  /// Returns the conflicts that complete responses show.
  private mutating func conflicts(after reports: [TrafficReport]) async -> [TrafficReport] {
    var found: [TrafficReport] = []
    for case .ended(let request) in reports where request.state == .complete {
      guard let operation = request.compiled else { continue }
      found += await conflicts.ended(operation, variables: request.parameters.variables, in: cache.store).map {
        .conflict($0)
      }
    }
    return found
  }

  private mutating func receive(_ event: TrafficEvent, _ exchange: inout ObservedExchange) async -> [TrafficReport] {
    switch event.fact {
    case .request: return []
    case .requestBody(let bytes):
      exchange.add(bytes, limit: Self.requestLimit)
      return []
    case .requestEnded:
      let parameters = exchange.readRequest()
      return await begin(parameters, event.exchange, of: &exchange)
    case .response(let status, let headers): return exchange.responded(status, headers, at: event.time)
    case .responseBody(let bytes): return await exchange.receive(bytes, at: event.time)
    case .socketBytes(let bytes, let isFromServer): return await receive(bytes, isFromServer, event, &exchange)
    case .changed(let change, let id):
      return exchange.update(id) { operation in
        operation.add(change: change)
        return .changed(operation.request, change, elapsed: operation.request.time.duration(to: event.time))
      }
    case .held(let count, let id):
      return exchange.update(id) { operation in
        operation.held(count)
        return .held(operation.request, elapsed: operation.request.time.duration(to: event.time))
      }
    case .ended(let end): return await exchange.end(end, at: event.time)
    }
  }

  private mutating func begin(
    _ parameters: [OperationParameters], _ number: Int, of exchange: inout ObservedExchange
  ) async -> [TrafficReport] {
    var reports: [TrafficReport] = []
    for parameters in parameters {
      var operation = tracked(parameters, TrafficOperationID(exchange: number), of: exchange, .http, exchange.time)
      reports += await begin(&operation)
      exchange.add(operation)
    }
    return reports
  }

  /// Adds the hints for an operation that begins.
  private mutating func begin(_ operation: inout TrackedOperation) async -> [TrafficReport] {
    let found = await hints.began(operation.request, in: cache.store)
    operation.add(hints: found)
    let request = operation.request
    return [.began(request)] + found.map { .hint(request, $0) }
  }

  private mutating func tracked(
    _ parameters: OperationParameters, _ id: TrafficOperationID, of exchange: ObservedExchange,
    _ transport: TrafficRequest.Transport, _ time: ContinuousClock.Instant
  ) -> TrackedOperation {
    operationCount += 1
    let request = TrafficRequest(
      number: operationCount, id: id, time: time, transport: transport, method: exchange.method, path: exchange.path,
      headers: exchange.headers, parameters: parameters, operationName: parameters.operationName)
    return TrackedOperation(request, document: documents.document(of: parameters), url: exchange.url, cache: cache)
  }

  private mutating func receive(
    _ bytes: [UInt8], _ isFromServer: Bool, _ received: TrafficEvent, _ exchange: inout ObservedExchange
  ) async -> [TrafficReport] {
    var reports: [TrafficReport] = []
    let time = received.time
    for event in exchange.receive(socketBytes: bytes, isFromServer: isFromServer) {
      switch event {
      case .began(let id, let parameters):
        let place = TrafficOperationID(exchange: received.exchange, message: id)
        var operation = tracked(parameters, place, of: exchange, .webSocket, time)
        reports += await begin(&operation)
        exchange.add(operation, id: id)
      case .payload(let id, let json, let byteCount):
        reports += await exchange.receive(json, byteCount: byteCount, of: id, at: time)
      case .ended(let id, let end): reports += await exchange.end(id: id, end, at: time)
      }
    }
    return reports
  }
}
