import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientNetwork
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusPlatform
import CApusCurl
import CApusBaselines

extension Benchmark {
  /// Measures 1,000 small sequential requests on a persistent connection, and the latency of a chunk from the socket to
  /// the consumer. The server is in the same process.
  static let network = Benchmark(
    name: "network", summary: "small requests against bare libcurl; latency of a chunk",
    task: { arguments in
      // Runs only one work item, for a profiler: `--task network cached 20000`.
      guard let work = SmallRequests.Workload(rawValue: arguments.first ?? ""), arguments.count == 2,
        let count = Int(arguments[1])
      else { throw BenchmarkError("name a work (\(SmallRequests.Workload.allCases.map(\.rawValue))) and a count") }
      yardstick_stay_on_one_core()
      try await SmallRequests(count: count).perform(work)
    }
  ) {
    let works = SmallRequests.Workload.allCases
    // On two cores, client and server wait for each other's core to wake up. On one core, elapsed time equals working
    // time.
    yardstick_stay_on_one_core()
    let requests = try SmallRequests(count: 1000)
    try await Comparison(
      "\(requests.count) requests, one core", yardstick: requests.work(works[0]),
      works: works.dropFirst().map(requests.work), rounds: 15
    ).run()
    try await ChunkLatency(url: requests.url).run()
  }
}

/// Sequential small requests on a persistent connection.
private struct SmallRequests {
  enum Workload: String, CaseIterable {
    case bare, transport, client, heard, own, cached

    var name: String {
      switch self {
      case .bare: "libcurl, easy loop"
      case .transport: "HTTPTransport"
      case .client: "GraphQLClient, parsed and merged"
      case .heard: "the same, its events listened to"
      case .own: "the same, with an interceptor of one's own"
      case .cached: "the same, written to a cache"
      }
    }
  }

  let count: Int
  let url: String
  private let server: LoopbackServer
  private let bare: BareCurl
  private let transport = HTTPTransport()
  private let client: GraphQLClient
  private let heard: GraphQLClient
  private let own: GraphQLClient
  private let caching: GraphQLClient
  private let query: DynamicOperation
  private let body = Array("{\"query\":\"{ a }\"}".utf8)

  init(count: Int) throws {
    self.count = count
    server = try LoopbackServer()
    url = "http://127.0.0.1:\(server.port)/graphql"
    bare = try BareCurl(url: url, body: body)
    client = GraphQLClient(url: url)
    heard = GraphQLClient(url: url)
    own = GraphQLClient(
      transport: RequestChainNetworkTransport(
        endpoint: HTTPRequest(url: url), interceptorProvider: WithPassing(transport: transport)))
    caching = GraphQLClient(url: url, store: CacheStore())
    query = DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: "{ a }")))
  }

  func work(_ work: Workload) -> ApusBenchmarks.Workload { .here(work.name) { try await perform(work) } }

  func perform(_ work: Workload) async throws {
    switch work {
    case .bare: try bare.perform(count)
    case .transport:
      for _ in 0..<count {
        var request = HTTPRequest(method: "POST", url: url, headers: ["Content-Type": "application/json"])
        request.body = body
        for try await _ in transport.send(request) {}
      }
    case .client: try await fetch(client)
    case .heard:
      let events = heard.events()
      let listening = Task { await events.reduce(0) { count, _ in count + 1 } }
      defer { listening.cancel() }
      try await fetch(heard)
    case .own: try await fetch(own)
    case .cached: try await fetch(caching)
    }
  }

  private func fetch(_ client: GraphQLClient) async throws {
    for _ in 0..<count {
      for try await _ in client.fetch(query: query, cachePolicy: .networkOnly) {}
    }
  }
}

/// The default chain with an additional interceptor that does nothing.
private struct WithPassing: InterceptorProvider {
  let transport: HTTPTransport

  func interceptors<Operation: GraphQLOperation>(for operation: Operation) -> [any RequestChainInterceptor] {
    [Passing()] + DefaultInterceptorProvider(transport: transport, store: nil).interceptors(for: operation)
  }
}

private struct Passing: RequestChainInterceptor {
  func intercept<Operation: GraphQLOperation>(
    request: GraphQLRequest<Operation>, response: GraphQLResponse<Operation>?
  ) async throws -> RequestChain.NextAction<Operation> {
    .proceed(request: request, response: response)
  }
}

/// The time from the server's write of a chunk to its consumer by one monotonic clock, with one chunk per millisecond.
private struct ChunkLatency {
  let url: String

  func run() async throws {
    var table = Table(["chunk to consumer", "count", "median µs", "99 % µs", "worst µs"])
    for (name, times) in [("HTTPTransport", try await ofTransport()), ("GraphQLClient", try await ofClient())] {
      table.add([
        name, "\(times.count)", Table.number(times.median), Table.number(times.percentile(99)),
        Table.number(times.max() ?? .nan),
      ])
    }
    table.print()
  }

  private func ofTransport() async throws -> [Double] {
    var microseconds: [Double] = []
    let transport = HTTPTransport()
    for _ in 0..<3 {
      for try await event in transport.send(HTTPRequest(url: url.replacing("/graphql", with: "/chunks"))) {
        guard case .bytes(let chunk) = event else { continue }
        let now = Cost.now(CLOCK_MONOTONIC)
        // Each chunk contains the time at which it was written, in nanoseconds.
        guard let sent = Double(String(decoding: chunk.bytes, as: UTF8.self)) else { continue }
        microseconds.append(now * 1e3 - sent / 1e3)
      }
    }
    return microseconds
  }

  /// Measures chunks that are items of a stream, which are parsed, merged and validated.
  private func ofClient() async throws -> [Double] {
    var microseconds: [Double] = []
    let client = GraphQLClient(url: url.replacing("/graphql", with: "/stream"))
    let query = DynamicOperation(
      compiled: try CompiledOperation.compile(Document(parsing: "{ list @stream(initialCount: 0) }")))
    for _ in 0..<3 {
      for try await result in client.fetch(query: query, cachePolicy: .networkOnly) {
        let now = Cost.now(CLOCK_MONOTONIC)
        guard let list = result.data?["list"], let sent = list[list.count - 1]?.double else { continue }
        microseconds.append(now * 1e3 - sent / 1e3)
      }
    }
    return microseconds
  }
}

/// The yardstick: one curl easy handle, set up once and reused for each request.
///
/// It can be passed between threads, because the benchmark awaits each call before the next.
private final class BareCurl: @unchecked Sendable {
  // Unchecked because benchmarks run their work sequentially, so that only one task uses the handle.
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
