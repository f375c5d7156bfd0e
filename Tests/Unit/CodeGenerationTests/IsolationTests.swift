import ApusTestSupport
import Foundation
import Testing

/// Generated code in a module with main actor isolation by default.
@Suite(.timeLimit(.minutes(5))) struct IsolationTests {
  private func files(in folder: String) throws -> [(name: String, text: String)] {
    let root = "\(Checkout.root)/Tests/Support/Generated/\(folder)/Generated"
    return try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }.map {
      (name: $0, text: try String(contentsOfFile: "\(root)/\($0)", encoding: .utf8))
    }
  }

  @Test func `models are nonisolated`() async throws {
    let use = """
      import Apus
      final class Screen {
        var name = ""
        func load(_ client: GraphQLClient, _ store: CacheStore) async throws {
          for try await result in client.fetch(query: BirdDetailsQuery(id: "b1")) {
            name = result.data?.bird?.name ?? name
            if case .fulfilled(let part)? = result.data?.bird?.fragments.$lifeOnTheWing { show(part) }
          }
          try await store.update(BirdNameLocalCacheMutation(id: "b1")) { $0.bird?.name = "Ada" }
          let pager = GraphQLQueryPager(
            client: client, query: FlockQuery(first: 20),
            pageInfo: { .init(hasNextPage: $0.birds.pageInfo.hasNextPage, endCursor: $0.birds.pageInfo.endCursor) },
            after: { FlockQuery(first: 20, after: .some($0.text)) })
          try await pager.actor.loadAll()
        }
        func show(_ part: LifeOnTheWing) { name += "\\(part.migrationHistory.flightCount)" }
      }
      nonisolated func name(of bird: BirdDetailsQuery.Data.Bird) -> String { bird.name }
      """
    #expect(
      try await SwiftCompiler.errors(in: files(in: "BirdsModels") + [("Screen.swift", use)], isMainActors: true) == [])
  }

  @Test func `selections are nonisolated`() async throws {
    let use = """
      import ApusSelections
      nonisolated struct Shown { var name: String }
      public nonisolated struct Timestamp: Codec {
        public init(_jsonValue value: JSONValue) throws {}
        public init() {}
        public var _jsonValue: JSONValue { JSONValue("") }
        public static var mockValue: Timestamp { Timestamp() }
      }
      nonisolated let bird = Selection.Bird { Shown(name: try $0.name()) }
      final class List {
        var birds: [Shown] = []
        func load(_ client: GraphQLClient) async throws {
          if let one = try await client.send(Selection.Query { try $0.bird(id: "b1", bird.nullable) }) { birds.append(one) }
        }
      }
      """
    #expect(
      try await SwiftCompiler.errors(in: files(in: "BirdsSelections") + [("List.swift", use)], isMainActors: true) == []
    )
  }
}
