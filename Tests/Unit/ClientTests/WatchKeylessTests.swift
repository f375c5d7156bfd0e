import ApusClientAPI
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientCache

/// Two watched queries on one list of objects without keys. The response of each removes the other's fields from the
/// cache.
@Suite("Watched queries on a list without keys")
struct WatchKeylessTests {
  private static let colors = "query Colors { tags { __typename name color } }"
  private static let sizes = "query Sizes { tags { __typename name size } }"

  private func shown(_ result: GraphQLResult<JSONValue>?) -> String {
    "\(result?.completeness.rawValue ?? "") \(result?.data?["tags"]?.description ?? "nothing")"
  }

  private func ended(_ name: String) { Issue.record("the watch of \(name) ended") }

  @Test("Each query keeps its last complete result while it refetches, and the requests end", .timeLimit(.minutes(1)))
  func requestsEnd() async throws {
    let version = Mutex(1)
    let server = try ScriptedServer { request, _ in
      let number = version.withLock { $0 }
      let field = request.bodyText.contains("query Colors") ? "color" : "size"
      return .json(
        #"{"data":{"tags":[{"__typename":"Tag","name":"n\#(number)","\#(field)":"\#(field) \#(number)"}]}}"#)
    }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var colors = client.watch(query: try operation(Self.colors)).makeAsyncIterator()
    #expect(shown(try await colors.next()).contains("color 1"))
    var sizes = client.watch(query: try operation(Self.sizes)).makeAsyncIterator()
    #expect(shown(try await sizes.next()).contains("size 1"))
    // The second response removed the colors. They are fetched again, and no incomplete result is emitted in the
    // meantime.
    let again = try await colors.next()
    #expect(again?.source == .server)
    #expect(shown(again).contains("color 1"))
    for number in 2...3 {
      version.withLock { $0 = number }
      for try await _ in client.fetch(query: try operation(Self.colors), cachePolicy: .networkOnly) {}
      var results: [String] = []
      while results.last?.contains("size \(number)") != true {
        guard let result = try await sizes.next() else { return ended("sizes") }
        results.append(shown(result))
      }
      #expect(results.allSatisfy { $0.hasPrefix("complete") && $0.contains("size") })
      results = []
      while results.last?.contains("color \(number)") != true {
        guard let result = try await colors.next() else { return ended("colors") }
        results.append(shown(result))
      }
      #expect(results.allSatisfy { $0.hasPrefix("complete") && $0.contains("color") })
    }
    // There are no more requests: a change of all fields in the cache needs none.
    let count = server.requests.count
    #expect(count < 20)
  }
}
