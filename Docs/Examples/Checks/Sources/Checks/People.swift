import PeopleAPI
import ScriptedServers
import Synchronization

/// The responses of the scripted servers.
enum People {
  /// Returns the fields of a person, with some replaced.
  static func user(_ changes: [String: String] = [:], id: String = "1", name: String = "Ada") -> String {
    let fields = [
      ("__typename", #""User""#), ("id", #""\#(id)""#), ("name", #""\#(name)""#), ("likes", "3"),
      ("email", #""a@b.c""#), ("mood", #""HAPPY""#), ("born", #""1815-12-10""#), ("weight", "1.5"), ("tags", #"["x"]"#),
    ]
    let members = fields.map { #""\#($0.0)":\#(changes[$0.0] ?? $0.1)"# }
    let added = changes.filter { change in !fields.contains { $0.0 == change.key } }.map {
      #""\#($0.key)":\#($0.value)"#
    }
    return "{\((members + added.sorted()).joined(separator: ","))}"
  }

  static let friends = #"[{"__typename":"Bot","id":"2","name":"R2"}]"#

  static func person(_ user: String) -> String { #"{"data":{"person":\#(user)}}"# }

  /// Returns a response with a complete person.
  static func whole(_ changes: [String: String] = [:], name: String = "Ada") -> ScriptedAnswer {
    .json(person(user(["friends": friends].merging(changes) { $1 }, name: name)))
  }

  /// Returns a response with deferred friends, in the 2022 format.
  static func inParts(friends: String = friends) -> ScriptedAnswer {
    .multipart([
      .text(#"{"data":{"person":\#(user())},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"friends","data":{"friends":\#(friends)}}],"hasNext":false}"#),
    ])
  }

  static func page(_ ids: [Int], next: String?) -> String {
    let edges = ids.map {
      #"{"__typename":"PersonEdge","cursor":"c\#($0)","node":{"__typename":"User","id":"\#($0)","name":"P\#($0)"}}"#
    }
    let end = next.map { #""\#($0)""# } ?? "null"
    return #"{"data":{"people":{"__typename":"PersonConnection","edges":[\#(edges.joined(separator: ","))],"#
      + #""pageInfo":{"__typename":"PageInfo","hasNextPage":\#(next != nil),"endCursor":\#(end)}}}}"#
  }

  static func slice(_ ids: Range<Int>) -> String {
    let items = ids.map { #"{"__typename":"User","id":"\#($0)","name":"P\#($0)"}"# }
    return #"{"data":{"list":[\#(items.joined(separator: ","))]}}"#
  }
}

/// A scripted server, and a client for it with a cache.
struct Scripted {
  let server: ScriptedServer
  let store: CacheStore
  let client: GraphQLClient
  /// Kept because a server stops when its last reference is released, and a client has none.
  private static let servers = Mutex<[ScriptedServer]>([])

  init(
    _ answers: [ScriptedAnswer], store: CacheStore = Scripted.store(), features: RequestFeatures = RequestFeatures()
  ) throws {
    let server = try ScriptedServer(answers)
    Self.servers.withLock { $0.append(server) }
    self.server = server
    self.store = store
    client = GraphQLClient(url: server.url, store: store, features: features)
  }

  static func store(
    _ cache: any NormalizedCache = InMemoryNormalizedCache(), _ policies: CachePolicies = CachePolicies(),
    clock: @escaping @Sendable () -> UInt32 = { 1000 }
  ) -> CacheStore {
    CacheStore(
      cache: cache, resolver: CacheKeyResolver(schema: PeopleSchema.Metadata.self), policies: policies, clock: clock)
  }

  var requestCount: Int { server.requests.count }
}

/// Returns all results of a stream, and the error that ended it.
func all<Data: Sendable>(
  _ results: GraphQLClient.Results<Data>
) async -> (results: [GraphQLResult<Data>], error: (any Error)?) {
  var found: [GraphQLResult<Data>] = []
  do {
    for try await result in results { found.append(result) }
  } catch {
    return (found, error)
  }
  return (found, nil)
}
