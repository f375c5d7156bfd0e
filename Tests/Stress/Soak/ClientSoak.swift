import Apus
import ApusGraphQLLanguage
import ApusTestSupport
import Foundation

/// A million fetches by one client with a cache: cached, fetched, deferred, canceled and watched.
enum ClientSoak {
  static func run(_ count: Int) async throws -> Bool {
    let server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0"])
    guard let url = await server.nextLine() else {
      throw ChildProcess.LaunchError(description: await server.outcome().errors)
    }
    let client = GraphQLClient(url: url, store: CacheStore())
    let operations = try Operations()
    var growth = Growth("one client", count: count, bytesEach: 10)
    try await fetch(count / 10, client, operations)
    growth.atTenth(getpid())
    try await fetch(count - count / 10, client, operations)
    let isBounded = growth.isBounded(getpid())
    server.signal(SIGTERM)
    _ = await server.outcome()
    return isBounded
  }

  private struct Operations: Sendable {
    /// Queries for a hundred birds, so that most were fetched before.
    let plain: [DynamicOperation]
    let deferred: [DynamicOperation]

    init() throws {
      plain = try (1...100).map { try Self.operation("{ bird(id: \"b\($0)\") { id name } }") }
      deferred = try (1...100).map {
        try Self.operation("{ bird(id: \"b\($0)\") { id ... @defer(label: \"l\") { name ring } } }")
      }
    }

    private static func operation(_ text: String) throws -> DynamicOperation {
      DynamicOperation(compiled: try CompiledOperation.compile(Document(parsing: text)))
    }
  }

  private static func fetch(_ count: Int, _ client: GraphQLClient, _ operations: Operations) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for lane in 0..<4 {
        group.addTask {
          for number in stride(from: lane, to: count, by: 4) { try await fetchOnce(number, client, operations) }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func fetchOnce(_ number: Int, _ client: GraphQLClient, _ operations: Operations) async throws {
    let place = number / 10 % 100
    switch number % 10 {
    case 0: for try await _ in client.fetch(query: operations.plain[place], cachePolicy: .networkOnly) {}
    case 1: for try await _ in client.fetch(query: operations.deferred[place], cachePolicy: .networkOnly) {}
    case 2: for try await _ in client.fetch(query: operations.deferred[place], cachePolicy: .networkOnly) { break }
    case 3: for try await _ in client.watch(query: operations.plain[place], cachePolicy: .cacheFirst) { break }
    default: for try await _ in client.fetch(query: operations.plain[place], cachePolicy: .cacheFirst) {}
    }
  }
}
