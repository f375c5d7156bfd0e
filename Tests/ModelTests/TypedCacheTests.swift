import Apus
import TestSupport
import Testing

/// The cache in an operation's own types: written from models, changed by local mutations, covered by optimistic answers.
struct TypedCacheTests {
  private let query = PersonQuery(personId: "1")

  private func ada(_ name: String = "Ada", city: String? = "London") -> PersonQuery.Data {
    let user = PersonQuery.Data.Person.AsUser(
      id: "1", firstName: name, email: "a@b.c",
      deferredFriends: .init(friends: [.init(__typename: "Bot", id: "2", firstName: "R2")]),
      profile: city.map { Profile(address: .init(city: $0)) })
    return PersonQuery.Data(person: PersonQuery.Data.Person(_dataDict: user.__data))
  }

  private func store() -> CacheStore { CacheStore(resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self)) }

  @Test func whatAnInitializerMadeIsWrittenAndReadBack() async throws {
    let store = store()
    #expect(try await store.read(query) == nil)
    let changed = try await store.write(ada(), for: query)
    #expect(changed.descriptions.contains("User:1.firstName"))
    let read = try #require(try await store.read(query))
    #expect(read.person.firstName == "Ada")
    #expect(read.person.asUser?.fragments.deferredFriends?.friends.map(\.firstName) == ["R2"])
    #expect(read.person.asUser?.fragments.profile?.address?.city == "London")
  }

  @Test func aDataDictionaryIsWrittenToo() async throws {
    let store = store()
    try await store.write(ada("Lovelace").__data, for: query)
    #expect(try await store.read(query)?.person.firstName == "Lovelace")
  }

  @Test func withoutItsDeferredPartsItIsNotWhole() async throws {
    let store = store()
    let user = PersonQuery.Data.Person.AsUser(id: "1", firstName: "Ada", email: "a@b.c")
    try await store.write(PersonQuery.Data(person: .init(_dataDict: user.__data)), for: query)
    #expect(try await store.read(query) == nil)
  }

  @Test func aLocalMutationChangesWhatTheQuerySees() async throws {
    let store = store()
    try await store.write(ada(), for: query)
    var changes = await store.changes().makeAsyncIterator()
    try await store.update(RenamePerson(personId: "1")) { $0.person?.firstName = "Augusta" }
    #expect(await changes.next()?.changedKeys.descriptions == ["User:1.firstName"])
    #expect(try await store.read(query)?.person.firstName == "Augusta")
    let nothing = try await store.update(RenamePerson(personId: "9")) { $0.person?.firstName = "Nobody" }
    #expect(nothing.isEmpty)
  }
}
