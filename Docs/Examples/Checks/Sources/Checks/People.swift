import PeopleAPI
import ScriptedServers
import Synchronization

/// The responses of the scripted servers.
enum People {
  /// A person's fields, some of them another.
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

  /// A person that comes whole.
  static func whole(_ changes: [String: String] = [:], name: String = "Ada") -> ScriptedAnswer {
    .json(person(user(["friends": friends].merging(changes) { $1 }, name: name)))
  }

  /// A person whose friends come later, in the first of the two formats.
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

/// A client of a scripted server, with a cache.
struct Scripted {
  let server: ScriptedServer
  let store: CacheStore
  let client: GraphQLClient
  /// A server stops when its last reference is gone; a client does not keep it.
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

/// All results of a stream, and what ended it.
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
