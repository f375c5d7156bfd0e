import Apus
import ApusClientIncremental
import CApusBaselines

extension Benchmark {
  /// Measures the time from a response's bytes to a validated, typed result, compared with simdjson parsing the same
  /// bytes in the same run; and the cost of one more payload when the result has grown to 20 MB.
  static let response = Benchmark(
    name: "response", summary: "a response to typed models, and a thousand parts of one, against simdjson's bare parse",
    run: {
      try await ResponseWork().contest()
      try await GrowingWork().measure()
    })
}

/// Passes a response of 10,000 items through the chain to its models.
private struct ResponseWork: Sendable {
  private let bytes = Array(#"{"data":"#.utf8) + ItemsResponse.data() + Array("}".utf8)

  func contest() async throws {
    let bytes = bytes
    try await Comparison(
      "20,001 objects",
      yardstick: .here("simdjson's bare parse") {
        guard bytes.withUnsafeBufferPointer({ yardstick_simdjson_parse($0.baseAddress, $0.count) }) == 1 else {
          throw BenchmarkError("simdjson refuses the response")
        }
      },
      works: [
        .here("bytes to typed result") { _ = try await result() },
        .here("and every field read") {
          let items = try await result().items
          let sum = items.reduce(0) { sum, item in
            sum + item.id.utf8.count + item.title.utf8.count + item.body.utf8.count + Int(item.price)
              + (item.inStock ? 1 : 0) + item.owner.id.utf8.count + item.owner.name.utf8.count
              + item.owner.email.utf8.count
          }
          guard items.count == ItemsResponse.count, sum > 0 else { throw BenchmarkError("items are missing") }
        },
      ], rounds: 25
    ).run()
  }

  private func result() async throws -> ItemsQuery.Data {
    let chain = RequestChain(interceptors: [CannedFetchInterceptor(body: bytes), JSONParsingInterceptor()])
    let request = GraphQLRequest(operation: ItemsQuery(), http: HTTPRequest(url: "http://127.0.0.1/"))
    for try await result in chain.kickoff(request: request) {
      guard let data = result.data, result.errors.isEmpty else { break }
      return data
    }
    throw BenchmarkError("the response has no data")
  }
}

/// Replaces the network fetch with a response that is already available.
private struct CannedFetchInterceptor: RequestChainInterceptor {
  let body: [UInt8]

  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    let part = ResponsePart(body: body)
    return .proceed(
      request: request,
      response: GraphQLResponse(head: HTTPHead(status: 200, headers: [:]), body: .part(part)))
  }
}

/// Adds a thousand payloads to a list, up to 20 MB.
private struct GrowingWork {
  func measure() async throws {
    let items = String(decoding: ItemsResponse.data(), as: UTF8.self).dropFirst(#"{"items":["#.count).dropLast(2)
    let one = items.prefix { $0 != "\n" }.split(separator: "},{\"__typename\":\"Item\"", maxSplits: 1)[0] + "}"
    let part = Array(repeating: String(one), count: 80).joined(separator: ",")
    var merger = IncrementalMerger(plan: SelectionPlan(operation: ItemsQuery().compiled, variables: .object([])))
    _ = try merger.receive(payload: try JSONValue(parsing: #"{"data":{"items":[]},"hasNext":true}"#), at: .zero)
    var costs: [Double] = []
    var last = 0
    for number in 0..<1000 {
      let payload = try JSONValue(
        parsing: #"{"incremental":[{"items":[\#(part)],"path":["items",\#(number * 80)]}],"hasNext":true}"#)
      let cost = try await Cost.measure {
        last = try merger.receive(payload: payload, at: .zero)?.data?["items"]?.count ?? 0
      }
      costs.append(cost.wall)
    }
    guard last == 80_000 else { throw BenchmarkError("items are missing: \(last)") }
    var table = Table(["a part of 80 items into a list of", "median ms", "times the first"])
    let first = Array(costs[0..<50]).median
    for start in stride(from: 0, to: 1000, by: 250) {
      let own = Array(costs[start..<(start + 50)]).median
      table.add(["\(start * 80) items, \(start / 50) MB", Table.number(own), Table.number(own / first)])
    }
    table.print()
  }
}
