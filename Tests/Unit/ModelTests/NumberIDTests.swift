import Apus
import ApusTestSupport
import Testing

/// IDs that a server sends as integers (specification, section 3.5.5). Models always have them as strings.
@Suite(.timeLimit(.minutes(1))) struct NumberIDTests {
  private let query = PersonQuery(personId: "1")
  private let base = """
    "person":{"__typename":"User","id":1,"firstName":"Ada","lastName":null,"avatar":null,"email":"a@b.c"}
    """
  private let friends =
    #"{"friends":[{"__typename":"Bot","id":-2,"firstName":"R2"},{"__typename":"Bot","id":3,"firstName":"C3"}]}"#
  private let profile = #"{"__typename":"User","birthday":null,"address":null}"#

  private func store() -> CacheStore { CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self)) }

  private var parts: ScriptedAnswer {
    .multipart([
      .text(#"{"data":{\#(base)},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"deferredFriends","data":\#(friends)}],"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"profile","data":\#(profile)}],"hasNext":false}"#),
    ])
  }

  private func complete(id: String = "1") -> ScriptedAnswer {
    let base = base.replacing(#""id":1"#, with: #""id":\#(id)"#)
    return .json(#"{"data":{\#(base.dropLast()),\#(friends.dropFirst().dropLast()),"birthday":null,"address":null}}}"#)
  }

  private func fetch(
    _ answer: ScriptedAnswer, _ store: CacheStore? = nil, _ policy: CachePolicy = .cacheFirst
  ) async throws -> [GraphQLResult<PersonQuery.Data>] {
    let server = try ScriptedServer([answer])
    var results: [GraphQLResult<PersonQuery.Data>] = []
    for try await result in GraphQLClient(url: server.url, store: store).fetch(query: query, cachePolicy: policy) {
      results.append(result)
    }
    return results
  }

  @Test func `IDs in each payload are strings`() async throws {
    let results = try await fetch(parts)
    #expect(results.map { $0.data?.person.id } == ["1", "1", "1"])
    #expect(results.map(\.errors.count) == [0, 0, 0])
    let friends = results.map { $0.data?.person.asUser?.fragments.deferredFriends?.friends.map(\.id) }
    #expect(friends == [nil, ["-2", "3"], ["-2", "3"]])
  }

  @Test func `cached and fetched models are equal`() async throws {
    let store = store()
    let fromServer = try await fetch(parts, store).last?.data
    let fromCache = try await fetch(.never, store).map(\.data)
    #expect(fromServer?.person.id == "1")
    #expect(fromCache == [fromServer])
    #expect(try await store.read(query) == fromServer)
    #expect(try await store.record("User:1")?[field: "id"] == .scalar(1), "stored as it was sent")
  }

  @Test func `a fetched model equals an initialized one`() async throws {
    let user = PersonQuery.Data.Person.AsUser(
      id: "1", firstName: "Ada", email: "a@b.c",
      deferredFriends: .init(friends: [
        .init(__typename: "Bot", id: "-2", firstName: "R2"), .init(__typename: "Bot", id: "3", firstName: "C3"),
      ]))
    let made = try #require(user.fragments.deferredFriends)
    let fetched = try #require(try await fetch(complete()).last?.data?.person.asUser?.fragments.deferredFriends)
    #expect(fetched.friends == made.friends)
    #expect(Set(fetched.friends + made.friends).count == 2)
  }

  @Test(arguments: ["123456789012345678901234567890", "0", "-7"])
  func `integers of any size are IDs`(id: String) async throws {
    let result = try await fetch(complete(id: id)).last
    #expect(result?.data?.person.id == id)
    #expect(result?.errors.isEmpty == true)
  }

  @Test(arguments: ["1.5", "1e3", "true", "[1]"])
  func `other numbers are not IDs`(id: String) async throws {
    let store = store()
    let result = try await fetch(complete(id: id), store).last
    #expect(result?.data == nil)
    #expect(result?.errors.map(\.path) == [["person", "id"]])
    #expect(try await store.read(query) == nil)
  }

  @Test func `a number is not a string`() async throws {
    let answer = ScriptedAnswer.json(
      #"{"data":{"person":{"__typename":"Bot","id":1,"firstName":2,"lastName":null,"avatar":null}}}"#)
    let result = try await fetch(answer).last
    #expect(result?.errors.map(\.path) == [["person", "firstName"]])
  }

  @Test func `a watch does not repeat a result`() async throws {
    let store = store()
    let server = try ScriptedServer([complete()])
    var results = GraphQLClient(url: server.url, store: store).watch(query: query).makeAsyncIterator()
    #expect(try await results.next()?.data?.person.firstName == "Ada")
    // An unselected field has no effect: the next result is that for the name.
    try await store.modify("User:1") { $0["age"] = .scalar(3) }
    try await store.modify("User:1") { $0["firstName"] = .scalar("Augusta") }
    let next = try await results.next()
    #expect(next?.data?.person.firstName == "Augusta")
    #expect(next?.data?.person.id == "1")
  }

  @Test func `an update writes only changed fields`() async throws {
    let store = store()
    _ = try await fetch(complete(), store)
    let changed = try await store.update(RenamePerson(personId: "1")) { data in
      #expect(data.person?.firstName == "Ada")
      data.person?.firstName = "Augusta"
    }
    #expect(changed.descriptions == ["User:1.firstName"])
  }
}
