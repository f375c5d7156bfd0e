import Apus
import ApusTestSupport
import Testing

/// Fragments on the record with a key, and typed transactions.
@Suite(.timeLimit(.minutes(1))) struct FragmentCacheTests {
  private struct Refused: Error {}

  private let query = PersonQuery(personId: "1", later: false)

  private func store(_ cache: any NormalizedCache = InMemoryNormalizedCache()) async throws -> CacheStore {
    let store = CacheStore(cache: cache, resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self))
    let user = PersonQuery.Data.Person.AsUser(
      id: "1", firstName: "Ada", email: "a@b.c", deferredFriends: .init(friends: []),
      profile: Profile(address: .init(city: "London")))
    try await store.write(PersonQuery.Data(person: PersonQuery.Data.Person(_dataDict: user.__data)), for: query)
    return store
  }

  @Test func `a fragment is read written and updated at a key`() async throws {
    let folder = try TemporaryFolder()
    for cache in [InMemoryNormalizedCache(), try SQLiteNormalizedCache(path: folder.path("c"))] as [any NormalizedCache]
    {
      let store = try await store(cache)
      #expect(try await store.read(Names.self, key: "User:1")?.firstName == "Ada")
      #expect(try await store.read(Names.self, key: "User:2") == nil)
      #expect(try await store.read(Profile.self, key: "User:1")?.address?.city == "London")
      try await store.write(Profile(birthday: .init(year: 1815), address: nil), key: "User:1")
      #expect(try await store.read(query)?.person.asUser?.fragments.profile?.birthday?.year == 1815)
      let changed = try await store.update(UserCard.self, key: "User:1") { $0.firstName = "Augusta" }
      #expect(changed.descriptions == ["User:1.firstName"])
      #expect(try await store.read(query)?.person.firstName == "Augusta")
      #expect(try await store.update(UserCard.self, key: "User:7") { $0.firstName = "Nobody" }.isEmpty)
      #expect(try await store.update(UserCard.self, key: "Bot:1") { $0.firstName = "Nobody" }.isEmpty)
      await #expect(throws: CacheTransactionError.otherKey("User:1", data: "User:2")) {
        try await store.update(UserCard.self, key: "User:1") { $0.id = "2" }
      }
      await #expect(throws: Refused.self) {
        try await store.update(UserCard.self, key: "User:1") { card in
          card.firstName = "Eve"
          throw Refused()
        }
      }
      #expect(try await store.read(UserCard.self, key: "User:1")?.firstName == "Augusta")
    }
  }

  @Test func `reading a fragment includes optimistic layers`() async throws {
    let store = try await store()
    let layer = try await store.modifyOptimistically("User:1") { $0["firstName"] = .scalar("Maybe") }
    #expect(try await store.read(Names.self, key: "User:1")?.firstName == "Maybe")
    await store.rollBack(layer)
    #expect(try await store.read(Names.self, key: "User:1")?.firstName == "Ada")
  }

  @Test func `transactions read and write operations and fragments`() async throws {
    let folder = try TemporaryFolder()
    let query = query
    for cache in [InMemoryNormalizedCache(), try SQLiteNormalizedCache(path: folder.path("c"))] as [any NormalizedCache]
    {
      let store = try await store(cache)
      var changes = await store.changes().makeAsyncIterator()
      let names = try await store.transaction { cache in
        let first = try cache.read(query)?.person.firstName
        try cache.update(UserCard.self, key: "User:1") { $0.firstName += " L" }
        try cache.update(RenamePerson(personId: "1")) { $0.person?.firstName += "." }
        let second = try cache.read(Names.self, key: "User:1")?.firstName
        guard let complete = try cache.read(query) else { return [first, second] }
        cache.write(complete, for: query)
        try cache.write(Profile(address: nil), key: "User:1")
        cache.evict("Bot:2")
        return [first, second, try cache.read(query)?.person.asUser?.fragments.profile?.address?.city ?? "none"]
      }
      #expect(names == ["Ada", "Ada L.", "none"])
      let change = try #require(await changes.next())
      #expect(change.cause == .transaction)
      #expect(change.changedKeys.descriptions.isSuperset(of: ["User:1.firstName", "User:1.address"]))
      #expect(try await store.read(query)?.person.firstName == "Ada L.")
    }
  }

  @Test func `a watch emits one result per transaction`() async throws {
    let store = try await store()
    let client = GraphQLClient(url: "http://127.0.0.1:9", store: store)
    var results = client.watch(query: query, cachePolicy: .cacheOnly).makeAsyncIterator()
    #expect(try await results.next()?.data?.person.firstName == "Ada")
    try await store.transaction { cache in
      try cache.update(UserCard.self, key: "User:1") { $0.firstName = "Augusta" }
      try cache.write(Profile(birthday: .init(year: 1815), address: nil), key: "User:1")
    }
    let person = try await results.next()?.data?.person
    #expect(person?.firstName == "Augusta")
    #expect(person?.asUser?.fragments.profile?.birthday?.year == 1815)
  }

  @Test func `dynamic fragments and operations use JSON`() async throws {
    let store = try await store()
    let card = try DynamicFragment(text: "fragment Card on User { firstName address { city } }")
    #expect(try await store.read(card, key: "User:1") == ["firstName": "Ada", "address": ["city": "London"]])
    try await store.update(card, key: "User:1") { $0 = try $0.replacing(at: ["address", "city"], with: "Paris") }
    try await store.write(
      ["firstName": "Eve"], for: try DynamicFragment(text: "fragment N on User { firstName }"), key: "User:1")
    let operation = try DynamicOperation(text: "{ person(id: \"1\") { id firstName } }")
    let read = try await store.transaction { cache in
      let data = try cache.read(operation)
      try cache.update(card, key: "User:1") { $0 = try $0.replacing(at: ["firstName"], with: "Eva") }
      return [data, try cache.read(card, key: "User:1")]
    }
    #expect(read[0]?["person"]?["firstName"] == "Eve")
    #expect(read[1] == ["firstName": "Eva", "address": ["city": "Paris"]])
  }
}

/// `fragment UserCard on User @localCacheMutation { id firstName }`
struct UserCard: PeopleFragment, MutableRootSelectionSet {
  static let fragmentName = "UserCard"
  static let fragmentDefinition = "fragment UserCard on User { __typename id firstName }"
  var __data: DataDict
  init(_dataDict: DataDict) { __data = _dataDict }

  static var __parentType: any ParentType { PeopleAPI.Objects.User }
  static var __selections: [Selection] {
    [
      .field("__typename", String.self), .field("id", PeopleAPI.ID.self, scalar: "ID"),
      .field("firstName", String.self),
    ]
  }

  var id: PeopleAPI.ID {
    get { __data["id"] }
    set { __data["id"] = newValue }
  }
  var firstName: String {
    get { __data["firstName"] }
    set { __data["firstName"] = newValue }
  }
}
