import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusGraphQLLanguage
import ApusPlatform
import CApusCurl

extension Benchmark {
  /// 1,000 small requests one after the other on a kept-alive connection, and the way of a chunk from the socket into the
  /// consumer's hands. The server is in this process.
  static let network = Benchmark(name: "network", summary: "small requests against bare libcurl; latency of a chunk") {
    let server = try LoopbackServer()
    let url = "http://127.0.0.1:\(server.port)/graphql"
    let count = 1000
    let transport = HTTPTransport()
    let client = GraphQLClient(url: url)
    let heard = GraphQLClient(url: url)
    let events = heard.events()
    let listening = Task { await events.reduce(0) { count, _ in count + 1 } }
    defer { listening.cancel() }
    let caching = GraphQLClient(url: url, store: CacheStore())
    let query = DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: "{ a }")))
    let body = Array("{\"query\":\"{ a }\"}".utf8)
    let bare = try BareCurl(url: url, body: body)
    try await Contest(
      "\(count) requests", yardstick: .here("libcurl, easy loop") { try bare.perform(count) },
      works: [
        .here("HTTPTransport") {
          for _ in 0..<count {
            var request = HTTPRequest(method: "POST", url: url, headers: ["Content-Type": "application/json"])
            request.body = body
            for try await _ in transport.send(request) {}
          }
        },
        .here("GraphQLClient, parsed and merged") {
          for _ in 0..<count {
            for try await _ in client.fetch(query: query, cachePolicy: .networkOnly) {}
          }
        },
        .here("the same, its events listened to") {
          for _ in 0..<count {
            for try await _ in heard.fetch(query: query, cachePolicy: .networkOnly) {}
          }
        },
        .here("the same, written to a cache") {
          for _ in 0..<count {
            for try await _ in caching.fetch(query: query, cachePolicy: .networkOnly) {}
          }
        },
      ], rounds: 9
    ).run()
    try await ChunkLatency(url: url).run()
  }
}

/// How long a chunk is on its way from the server's write to the consumer: one monotonic clock, a chunk a millisecond.
private struct ChunkLatency {
  let url: String

  func run() async throws {
    var microseconds: [Double] = []
    let transport = HTTPTransport()
    for _ in 0..<3 {
      for try await event in transport.send(HTTPRequest(url: url.replacing("/graphql", with: "/chunks"))) {
        guard case .bytes(let chunk) = event else { continue }
        let now = Cost.now(CLOCK_MONOTONIC)
        // Each chunk is the time at which it was written, in nanoseconds.
        guard let sent = Double(String(decoding: chunk.bytes, as: UTF8.self)) else { continue }
        microseconds.append(now * 1e3 - sent / 1e3)
      }
    }
    var table = Table(["chunk to consumer", "count", "median µs", "99 % µs", "worst µs"])
    table.add([
      "HTTPTransport", "\(microseconds.count)", Table.number(microseconds.median),
      Table.number(microseconds.percentile(99)), Table.number(microseconds.max() ?? .nan),
    ])
    table.print()
  }
}

/// The yardstick: one easy handle, set up once, performed again and again.
///
/// Safe to hand between threads: the benchmark awaits each of its calls before it makes the next.
private final class BareCurl: @unchecked Sendable {
  // Sendable by hand: used by one task at a time, as benchmarks run their works in turn.
  private let handle: UnsafeMutableRawPointer
  private let headers: UnsafeMutablePointer<curl_slist>?

  init(url: String, body: [UInt8]) throws {
    guard apus_curl_global_init() == CURLE_OK, let handle = curl_easy_init() else {
      throw BenchmarkError("libcurl cannot start")
    }
    self.handle = handle
    headers = curl_slist_append(curl_slist_append(nil, "Content-Type: application/json"), "Expect:")
    apus_curl_set_string(handle, CURLOPT_URL, url)
    apus_curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
    apus_curl_set_size(handle, CURLOPT_POSTFIELDSIZE_LARGE, Int64(body.count))
    body.withUnsafeBytes {
      _ = apus_curl_set_pointer(handle, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: $0.baseAddress))
    }
    apus_curl_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size * count }
  }

  deinit {
    curl_easy_cleanup(handle)
    curl_slist_free_all(headers)
  }

  func perform(_ count: Int) throws {
    for _ in 0..<count {
      let code = curl_easy_perform(handle)
      guard code == CURLE_OK else { throw BenchmarkError("libcurl: \(String(cString: curl_easy_strerror(code)))") }
    }
  }
}
