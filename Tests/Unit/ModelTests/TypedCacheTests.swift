import Apus
import ApusTestSupport
import Testing

/// Typed access to the cache: models, local mutations and optimistic data.
@Suite(.timeLimit(.minutes(1))) struct TypedCacheTests {
  private let query = PersonQuery(personId: "1")

  private func ada(_ name: String = "Ada", city: String? = "London") -> PersonQuery.Data {
    let user = PersonQuery.Data.Person.AsUser(
      id: "1", firstName: name, email: "a@b.c",
      deferredFriends: .init(friends: [.init(__typename: "Bot", id: "2", firstName: "R2")]),
      profile: city.map { Profile(address: .init(city: $0)) })
    return PersonQuery.Data(person: PersonQuery.Data.Person(_dataDict: user.__data))
  }

  private func store() -> CacheStore { CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self)) }

  @Test func `an initialized model is written and read`() async throws {
    let store = store()
    #expect(try await store.read(query) == nil)
    let changed = try await store.write(ada(), for: query)
    #expect(changed.descriptions.contains("User:1.firstName"))
    let read = try #require(try await store.read(query))
    #expect(read.person.firstName == "Ada")
    #expect(read.person.asUser?.fragments.deferredFriends?.friends.map(\.firstName) == ["R2"])
    #expect(read.person.asUser?.fragments.profile?.address?.city == "London")
  }

  @Test func `a function given to the resolver determines the keys of models`() async throws {
    let resolver = CacheKeyResolver(schema: PeopleAPI.Metadata.self) { type, object in
      guard type.name == "User", let name = object["firstName"]?.string else { return nil }
      return CacheKeyInfo(id: name, uniqueKeyGroup: "People")
    }
    let store = CacheStore(resolver: resolver)
    try await store.write(ada(), for: query)
    #expect(try await store.record("People:Ada") != nil)
    #expect(try await store.record("User:1") == nil)
    // Without a key of the function, the usual ones apply.
    #expect(try await store.record("Bot:2") != nil)
  }

  @Test func `the misses of an operation are those of its compiled form with its variables`() async throws {
    let store = store()
    let before = try await store.misses(of: query)
    #expect(try await store.misses(of: query.compiled, variables: query.variables) == before && !before.isEmpty)
    try await store.write(ada(city: nil), for: query)
    let after = try await store.misses(of: query)
    #expect(try await store.misses(of: query.compiled, variables: query.variables) == after && after != before)
    #expect(try await store.misses(of: PersonQuery(personId: "2")).first?.path == before.first?.path)
  }

  @Test func `a data dictionary is written`() async throws {
    let store = store()
    try await store.write(ada("Lovelace").__data, for: query)
    #expect(try await store.read(query)?.person.firstName == "Lovelace")
  }

  @Test func `data without its deferred fragments is incomplete`() async throws {
    let store = store()
    let user = PersonQuery.Data.Person.AsUser(id: "1", firstName: "Ada", email: "a@b.c")
    try await store.write(PersonQuery.Data(person: .init(_dataDict: user.__data)), for: query)
    #expect(try await store.read(query) == nil)
  }

  @Test func `a local mutation changes the data of a query`() async throws {
    let store = store()
    try await store.write(ada(), for: query)
    var changes = await store.changes().makeAsyncIterator()
    try await store.update(RenamePerson(personId: "1")) { $0.person?.firstName = "Augusta" }
    #expect(await changes.next()?.changedKeys.descriptions == ["User:1.firstName"])
    #expect(try await store.read(query)?.person.firstName == "Augusta")
    let nothing = try await store.update(RenamePerson(personId: "9")) { $0.person?.firstName = "Nobody" }
    #expect(nothing.isEmpty)
  }

  @Test func `a cached model equals an initialized one`() async throws {
    let store = store()
    try await store.write(ada(), for: query)
    #expect(try await store.read(query) == ada())
    var results: [PersonQuery.Data?] = []
    let client = GraphQLClient(url: "http://127.0.0.1:9", store: store)
    for try await result in client.fetch(query: query, cachePolicy: .cacheOnly) { results.append(result.data) }
    #expect(results == [ada()], "the states of its fragments follow from its data")
    #expect(results != [ada(city: nil)])
  }

  @Test func `none of 200 concurrent updates is lost`() async throws {
    let store = store()
    try await store.write(ada(""), for: query)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask { try await store.update(RenamePerson(personId: "1")) { $0.person?.firstName += "x" } }
      }
      try await group.waitForAll()
    }
    #expect(try await store.read(query)?.person.firstName.count == 200)
  }

  /// Reads of models and of raw JSON agree for any content of the cache, which must not crash the program.
  @Test func `models read only data of their types from random caches`() async throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    print("contents: seed \(seed)")
    var random = SplitMix(seed: seed)
    let keys: [CacheKey] = ["QUERY_ROOT", "User:1", "Bot:2"]
    let values: [RecordValue] = [
      .scalar(.null), .scalar(7), .scalar("1815-12-10"), .scalar(true), .scalar(["x", .null]), .missing, .list([]),
      .reference(CacheReference("User:1")), .reference(CacheReference("Bot:2")), .reference(CacheReference("None:1")),
      .list([.scalar(.null)]), .list([.reference(CacheReference("User:1"))]), .list([.missing]),
    ]
    let fields = ["firstName", "lastName", "email", "friends", "birthday", "address", "id", "__typename", "city"]
    for round in 0..<400 {
      let store = store()
      try await store.write(ada(), for: query)
      for _ in 0...Int.random(in: 0...3, using: &random) {
        let key = keys[Int.random(in: 0..<keys.count, using: &random)]
        let field = key.isRoot ? #"person({"id":"1"})"# : fields[Int.random(in: 0..<fields.count, using: &random)]
        let value = values[Int.random(in: 0..<values.count, using: &random)]
        try await store.modify(key) { $0[field] = value }
      }
      let raw = try await store.read(query.compiled, variables: query.variables, allowPartial: true)
      let model = try await store.read(query)
      #expect((model == nil) == !raw.isComplete, "round \(round): \(raw.data?.description ?? "nothing")")
      // A numeric ID in the cache is a string in a model.
      let expected = raw.data?.description.replacing(#""id":7"#, with: #""id":"7""#)
      if let model { #expect(model.__data.json.description == expected) }
      let options = RequestOptions(cachePolicy: .cacheOnly, allowsPartialReads: true)
      let results = GraphQLClient(url: "http://127.0.0.1:9", store: store).fetch(query: query, options: options)
      do { for try await result in results { readAll(of: result.data) } } catch GraphQLClientError.cacheMiss {}
      readAll(of: model)
    }
  }

  private func readAll(of data: PersonQuery.Data?) {
    guard let person = data?.person else { return }
    _ = (person.id, person.firstName, person.lastName, person.avatar, person.fragments.names.lastName)
    guard let user = person.asUser else { return }
    _ = user.email
    _ = user.fragments.deferredFriends?.friends.map { ($0.id, $0.firstName, $0.__typename) }
    _ = (user.fragments.profile?.birthday, user.fragments.profile?.address?.city)
  }
}
