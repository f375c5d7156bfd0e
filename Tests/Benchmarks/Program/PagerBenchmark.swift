import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusClientPagination
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusJSON
import ApusPlatform

extension Benchmark {
  /// Loads 10,000 pages with `loadAll`, to check that the last page costs as much as the first and that memory grows
  /// with the data only.
  static let pager = Benchmark(name: "pager", summary: "10,000 pages of 100 items through loadAll, cached and watched")
  {
    for isCached in [true, false] { try await PagerBenchmark(isCached: isCached).run() }
  }
}

/// A run of the pager on pages that are created in memory, parsed and, with a cache, normalized as by a client.
private struct PagerBenchmark {
  let isCached: Bool
  private static let pageCount = 10_000
  private static let pageSize = 100

  private struct Stamp {
    let processor: Double
    let resident: Double
  }

  func run() async throws {
    let text = """
      query ($after: String) { birds(first: 100, after: $after) \
      { edges { cursor node { __typename id name ring } } pageInfo { hasNextPage endCursor } } }
      """
    let source = SharedPages(
      store: isCached ? CacheStore() : nil, pageCount: Self.pageCount, pageSize: Self.pageSize)
    let query = DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: text)))
    let pager = DynamicQueryPager.Actor(
      source: source, initialQuery: query, strategy: .cursorForward(path: ["birds"], variable: "after"))
    // A subscriber ensures that every output is emitted and kept for a while.
    let subscriber = Task {
      var last = 0
      for await output in pager.outputs {
        guard output.pageCount > last else { continue }
        last = output.pageCount
      }
    }
    let (marks, marker) = AsyncStream.makeStream(of: Stamp.self)
    marker.yield(Self.stamp())
    let end = try await pager.loadAll { progress in
      if progress.pages % 100 == 0 { marker.yield(Self.stamp()) }
    }
    marker.finish()
    subscriber.cancel()
    var all: [Stamp] = []
    for await mark in marks { all.append(mark) }
    guard end == .lastPage, all.count == Self.pageCount / 100 + 1 else {
      throw BenchmarkError("loadAll ended with \(end) after \(all.count) marks")
    }
    let hundreds = zip(all.dropFirst(), all).map { ($0.processor - $1.processor) / 100 }
    var table = Table([
      isCached ? "with a cache" : "without a cache", "CPU ms a page", "ratio", "resident MB", "MB a 1000",
    ])
    for last in [1, 10, 50, 90, 100] {
      let thousand = last >= 10 ? all[last].resident - all[last - 10].resident : .nan
      table.add([
        "pages \(last * 100 - 99)–\(last * 100)", Table.number(hundreds[last - 1]),
        Table.number(hundreds[last - 1] / hundreds[0]) + "×", Table.number(all[last].resident),
        Table.number(thousand),
      ])
    }
    table.print()
  }

  private static func stamp() -> Stamp {
    Stamp(processor: Cost.now(CLOCK_PROCESS_CPUTIME_ID), resident: residentMegabytes())
  }

  private static func residentMegabytes() -> Double {
    guard let file = fopen("/proc/self/statm", "r") else { return .nan }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return .nan }
    let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split(
      separator: " ")
    guard words.count > 1, let pages = Double(words[1]) else { return .nan }
    return pages * Double(sysconf(Int32(_SC_PAGESIZE))) / 1_000_000
  }
}

/// An in-process server of pages, which are created as text, parsed, and written to the cache.
private struct SharedPages: PageSource {
  let store: CacheStore?
  let pageCount: Int
  let pageSize: Int

  func results<Query: QueryOperation>(
    of query: Query, options: RequestOptions
  ) -> AsyncThrowingStream<GraphQLResult<Query.Data>, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          let after = query.variables["after"]?.string.flatMap { Int($0) } ?? 0
          let json = try JSONDocument(parsing: page(after: after)).root
          if let store { try await store.write(json, operation: query.compiled, variables: query.variables) }
          continuation.yield(GraphQLResult(data: try query.makeData(from: ResponseData(json))))
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }

  private func page(after: Int) -> String {
    var text = #"{"birds":{"edges":["#
    for number in (after + 1)...(after + pageSize) {
      if number > after + 1 { text += "," }
      text +=
        #"{"cursor":"\#(number)","node":{"__typename":"Bird","id":"\#(number)","name":"bird \#(number)","ring":"R-\#(number)"}}"#
    }
    let last = after + pageSize
    text += #"],"pageInfo":{"hasNextPage":\#(last < pageCount * pageSize),"endCursor":"\#(last)"}}}"#
    return text
  }
}
