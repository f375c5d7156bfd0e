import ApusClientAPI
import ApusClientCore
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Synchronization
import Testing

@testable import ApusClientCache
@testable import ApusClientPagination

/// Pagers and watches that select different fields of a list without keys take part in conflicts.
@Suite(.timeLimit(.minutes(1))) struct PagerConflictTests {
  private static let colors = query("Colors", "color")
  private static let sizes = query("Sizes", "size")

  private static func query(_ name: String, _ field: String) -> String {
    """
    query \(name)($offset: Int = 0, $limit: Int = 2) { \
    tags(offset: $offset, limit: $limit) { __typename name \(field) } }
    """
  }

  /// Returns a server with four tags, of which each response has two. Names end in the number that `version` returns.
  private func server(_ version: @escaping @Sendable () -> Int) throws -> ScriptedServer {
    try ScriptedServer { request, _ in
      let offset = (try? JSONDocument(parsing: request.body).root)?["variables"]?["offset"]?.int ?? 0
      let field = request.bodyText.contains("query Colors") ? "color" : "size"
      let tags = (offset..<offset + 2).map {
        #"{"__typename":"Tag","name":"\#($0)v\#(version())","\#(field)":"\#(field)"}"#
      }
      return .json(#"{"data":{"tags":[\#(tags.joined(separator: ","))]}}"#)
    }
  }

  private func pager(_ text: String, _ client: GraphQLClient) throws -> Flock.Pager.Actor {
    Flock.Pager.Actor(
      source: client, initialQuery: try Flock.operation(text),
      strategy: .offset(path: ["tags"], offset: "offset", limit: "limit"))
  }

  /// The tags of all pages, such as `0v1 1v1 | 2v1 3v1`, if each has the field.
  private func tags(_ output: Flock.Pager.Output, _ field: String) -> String {
    output.pages.map { page in
      (page.data?["tags"]?.elements.map { tag in
        tag[field] == nil ? "incomplete" : tag["name"]?.string ?? ""
      } ?? []).joined(separator: " ")
    }.joined(separator: " | ")
  }

  @Test
  func `two pagers that take each other's fields are one conflict, and neither refetches for it`() async throws {
    let version = Mutex(1)
    let server = try server { version.withLock { $0 } }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var conflicts = await store.newConflicts().makeAsyncIterator()
    let (colors, sizes) = (try pager(Self.colors, client), try pager(Self.sizes, client))
    try await colors.fetch()
    try await sizes.fetch(cachePolicy: .networkOnly)
    let conflict = try #require(await conflicts.next())
    #expect(Set([conflict.first, conflict.second]) == ["Colors", "Sizes"])
    #expect(conflict.replacement.reason == .listItem)
    // The sizes removed the colors, which were fetched again once.
    #expect(server.requests.count == 3)

    // The response of a single request is not part of the conflict.
    version.withLock { $0 = 2 }
    for try await _ in client.fetch(query: try Flock.operation(Self.colors), cachePolicy: .networkOnly) {}
    let output = await sizes.outputs.first { tags($0, "size") == "0v2 1v2" }
    #expect(output != nil)
    #expect(server.requests.count == 5)

    // A page that the user loads again is loaded, and the other pager keeps its last complete page.
    version.withLock { $0 = 3 }
    try await sizes.refetch()
    #expect(tags(await sizes.current, "size") == "0v3 1v3")
    #expect(tags(await colors.current, "color") == "0v2 1v2")
    #expect(server.requests.count == 6)
    #expect(await store.conflicts.count == 1)
  }

  @Test
  func `the pages of two pagers are one conflict`() async throws {
    let server = try server { 1 }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var conflicts = await store.newConflicts().makeAsyncIterator()
    let (colors, sizes) = (try pager(Self.colors, client), try pager(Self.sizes, client))
    try await colors.loadAll(pageLimit: 2)
    try await sizes.loadAll(cachePolicy: .networkOnly, pageLimit: 2)
    _ = try #require(await conflicts.next())
    // Both requests of each pager, and at most one more for each page of the first one.
    for _ in 0..<3 {
      try await sizes.refetch()
      try await colors.refetch()
    }
    #expect(server.requests.count <= 12)
    #expect(tags(await colors.current, "color") == "0v1 1v1")
    #expect(await store.conflicts.count == 1)
  }

  @Test(arguments: [true, false])
  func `a pager and a watch that take each other's fields are one conflict`(watchIsFirst: Bool) async throws {
    let server = try server { 1 }
    let store = CacheStore()
    let client = GraphQLClient(url: server.url, store: store)
    var conflicts = await store.newConflicts().makeAsyncIterator()
    let pager = try pager(Self.colors, client)
    if !watchIsFirst { try await pager.fetch() }
    var watch = client.watch(query: try Flock.operation(Self.sizes), cachePolicy: .networkOnly).makeAsyncIterator()
    #expect(try await watch.next()?.completeness == .complete)
    if watchIsFirst { try await pager.fetch(cachePolicy: .networkOnly) }
    let conflict = try #require(await conflicts.next())
    #expect(Set([conflict.first, conflict.second]) == ["Colors", "Sizes"])
    #expect(tags(await pager.current, "color") == "0v1 1v1")
    #expect(server.requests.count == 3)
    #expect(await store.conflicts.count == 1)
  }
}
