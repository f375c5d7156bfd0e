import ClientAPI
import ClientOperation
import GraphQLLanguage
import GraphQLSchema
import JSON
import Synchronization
import Testing

@testable import ClientPagination

func parsed(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

func compiled(_ text: String, schema: Schema? = nil) throws -> CompiledOperation {
  try CompiledOperation.compile(
    Document(parsing: text), operationName: nil, schema: schema, options: CompileOptions(addTypename: true))
}

/// A server of pages in memory: keeps what it was asked, answers by the cursor, and holds answers back on demand.
final class PageServer: Sendable {
  struct Asked: Sendable {
    let text: String
    let variables: JSONValue
  }

  private let asked = Mutex<[Asked]>([])
  private let answers: @Sendable (Asked) throws -> [GraphQLResult<JSONValue>]
  private let gate: PageGate?

  init(gate: PageGate? = nil, _ answers: @escaping @Sendable (Asked) throws -> [GraphQLResult<JSONValue>]) {
    self.gate = gate
    self.answers = answers
  }

  var requests: [Asked] { asked.withLock { $0 } }

  var fetch: PageFetch {
    { operation, variables in
      let request = Asked(text: operation.documentText, variables: variables)
      self.asked.withLock { $0.append(request) }
      await self.gate?.pass()
      try Task.checkCancellation()
      let results = try self.answers(request)
      return AsyncThrowingStream { continuation in
        for result in results { continuation.yield(result) }
        continuation.finish()
      }
    }
  }

  /// Pages of two birds: `after` the cursor n come n + 1 and n + 2.
  static func birds(_ count: Int, after cursor: String?, end: String? = nil, hasNext: Bool? = nil) -> JSONValue {
    let start = cursor.flatMap { Int($0) } ?? 0
    let numbers = Array((start + 1)...max(start + 1, min(start + 2, count)))
    let edges = numbers.map { "{\"cursor\":\"\($0)\",\"node\":{\"__typename\":\"Bird\",\"id\":\"\($0)\"}}" }
    let last = numbers.last ?? start
    let info = "{\"hasNextPage\":\(hasNext ?? (last < count)),\"endCursor\":\(end ?? "\"\(last)\"")}"
    let text = "{\"birds\":{\"edges\":[\(edges.joined(separator: ","))],\"pageInfo\":\(info)}}"
    return (try? JSONDocument(parsing: text).root) ?? .null
  }
}

/// Lets requests through one by one, and tells how many wait.
actor PageGate {
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var passes = 0
  private var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  private var arrived = 0

  func pass() async {
    arrived += 1
    for observer in observers where observer.count <= arrived { observer.continuation.resume() }
    observers.removeAll { $0.count <= arrived }
    if passes > 0 {
      passes -= 1
      return
    }
    await withCheckedContinuation { waiting.append($0) }
  }

  func open() {
    if waiting.isEmpty { passes += 1 } else { waiting.removeFirst().resume() }
  }

  /// Returns when so many requests have come to the gate.
  func arrival(_ count: Int) async {
    if arrived >= count { return }
    await withCheckedContinuation { observers.append((count, $0)) }
  }
}
