import Apus
import ApusTestSupport
import Testing

@Suite("Key fields added by the generator", .timeLimit(.minutes(1)))
struct HiddenKeyTests {
  private let names = FlockQuery<FirstNameField>()
  private let surnames = FlockQuery<LastNameField>()

  private func client(_ server: ScriptedServer) -> GraphQLClient {
    GraphQLClient(url: server.url, store: CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self)))
  }

  private let two =
    #"{"data":{"friends":[{"__typename":"User","id":"1","first":"Ann"},{"__typename":"Bot","id":"2","first":"R2"}]}}"#
  private let one = #"{"data":{"friends":[{"__typename":"Bot","id":"2","last":"D2"}]}}"#

  @Test
  func `operations with different fields of a list share its records`() async throws {
    let server = try ScriptedServer([.json(two), .json(one)])
    let client = client(server)
    let first = try await client.fetch(names)
    #expect(first.data?.friends.map(\.text) == ["Ann", "R2"])
    _ = try await client.fetch(surnames)
    let cached = try await client.fetch(names, options: RequestOptions(cachePolicy: .cacheOnly))
    #expect(cached.data?.friends.map(\.text) == ["R2"])
    #expect(cached.completeness == .complete)
    #expect(try await client.store?.record("User:1")?[field: "first"] == .scalar("Ann"))
    server.stop()
  }

  @Test
  func `two watched operations on a list do not refetch endlessly`() async throws {
    let server = try ScriptedServer([.json(two), .json(one)])
    let client = client(server)
    let (shown, continuation) = AsyncStream.makeStream(of: [String].self)
    let watcher = client.watch(query: names)
    let task = Task {
      for try await result in watcher { continuation.yield(result.data?.friends.map(\.text) ?? []) }
    }
    var results = shown.makeAsyncIterator()
    #expect(await results.next() == ["Ann", "R2"])
    _ = try await client.fetch(surnames)
    #expect(await results.next() == ["R2"])
    task.cancel()
    server.stop()
  }

  @Test
  func `a response without key fields is complete, and models are compared without them`() async throws {
    let server = try ScriptedServer([.json(#"{"data":{"friends":[{"__typename":"User","first":"Ann"}]}}"#), .json(two)])
    let client = client(server)
    let without = try await client.fetch(names, options: RequestOptions(cachePolicy: .networkOnly))
    #expect(without.errors.isEmpty)
    #expect(without.data?.friends.map(\.text) == ["Ann"])
    let with = try await client.fetch(names, options: RequestOptions(cachePolicy: .networkOnly))
    #expect(without.data?.friends.first == with.data?.friends.first)
    #expect(with.data?.friends.first == .init(__typename: "User", text: "Ann"))
    server.stop()
  }
}

protocol FlockField: Sendable {
  static var name: String { get }
}

enum FirstNameField: FlockField { static let name = "first" }
enum LastNameField: FlockField { static let name = "last" }

/// `{ friends { first } }` or `{ friends { last } }`, as generated: only the cache reads the key fields. The type
/// `User` has its own key; that of `Bot` is declared for one of several types.
struct FlockQuery<Field: FlockField>: GraphQLQuery {
  static var operationName: String { "FlockQuery" }
  static var operationDocument: OperationDocument {
    OperationDocument(
      definition: .init("query FlockQuery { friends { __typename id ... on Bot { id } \(Field.name) } }"))
  }

  var __variables: InputDict { [:] }

  struct Data: PeopleSelectionSet {
    let __data: DataDict
    init(_dataDict: DataDict) { __data = _dataDict }

    static var __parentType: any ParentType { PeopleAPI.Objects.Query }
    static var __selections: [Selection] { [.field("friends", [Friend].self)] }

    var friends: [Friend] { __data["friends"] }

    struct Friend: PeopleSelectionSet {
      let __data: DataDict
      init(_dataDict: DataDict) { __data = _dataDict }

      static var __parentType: any ParentType { PeopleAPI.Interfaces.Person }
      static var __selections: [Selection] {
        [
          .key("id", PeopleAPI.ID.self, scalar: "ID", of: PeopleAPI.Objects.User),
          .key("id", PeopleAPI.ID.self, scalar: "ID", of: PeopleAPI.Objects.Bot),
          .field("__typename", String.self), .field(Field.name, String.self),
        ]
      }

      var text: String { __data[Field.name] }

      init(__typename: String, text: String) {
        self.init(_dataDict: DataDict(Self.self, typename: __typename, [Field.name: text]))
      }
    }
  }
}
