import ApusClientAPI
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import Synchronization
import Testing

@testable import ApusClientCache

/// The schema of these tests.
let world = Schema.load(
  sdl: """
    interface Node { id: ID! }
    type Query {
      bird(id: ID!): Bird
      birds(first: Int = 10, after: String): BirdConnection
      flock: [Bird]
      node(id: ID!): Node
      search: [Found]
      version: String
      settings: JSON
    }
    type Mutation { rename(id: ID!, name: String!): Bird }
    union Found = Bird | Station
    scalar JSON
    type BirdConnection { edges: [BirdEdge] pageInfo: PageInfo! }
    type BirdEdge { cursor: String! node: Bird note: String rank: Int nest: Nest }
    type PageInfo { hasNextPage: Boolean! endCursor: String }
    type Bird implements Node {
      id: ID! name: String age: Int mate: Bird nest: Nest tracks: [[Nest]] photo(size: Int): String
      weight: Float wild: Boolean! kind: Kind tags: [String!]! friends: [Bird!] home: Station
    }
    enum Kind { SWIFT SWALLOW }
    type Nest { material: String eggs: Int }
    type Station implements Node { id: ID! name: String visitors: [Bird] }
    """)

/// A clock for expiry times.
final class CacheClock: Sendable {
  private let time = Mutex<UInt32>(1000)
  var now: @Sendable () -> UInt32 { { self.time.withLock { $0 } } }
  func pass(_ seconds: UInt32) { time.withLock { $0 += seconds } }
}

func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

/// Returns an operation as the client sends it, with typenames and key fields.
func operation(_ text: String, schema: Schema? = world) throws -> CompiledOperation {
  try CompiledOperation.compile(
    Document(parsing: text), operationName: nil, schema: schema, options: CompileOptions(addTypename: true))
}

extension CacheStore {
  @discardableResult
  func write(
    _ text: String, _ query: CompiledOperation, _ variables: String = "{}", options: CacheWriteOptions = .complete
  ) async throws -> [String] {
    let changed = try await write(
      try json(text), operation: query, variables: try json(variables), options: options)
    return changed.descriptions.sorted()
  }

  func look(_ query: CompiledOperation, _ variables: String = "{}", partial: Bool = false) async throws -> CacheRead {
    try await read(query, variables: try json(variables), allowPartial: partial)
  }

  func keys(_ filter: RecordFilter = RecordFilter()) async throws -> [String] {
    try await summaries(filter).map(\.key.text)
  }
}

extension CacheRead {
  /// The result of the read as text: the data, the missing paths and the fragments' states.
  var text: String {
    ([data?.description ?? "nothing"] + missing.map { "missing \($0)" }
      + fragments.map { "\($0.label ?? $0.name ?? "?") at '\($0.path)' \($0.state.name)" })
      .joined(separator: "\n")
  }
}
