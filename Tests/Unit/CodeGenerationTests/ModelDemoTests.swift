import Apus
import ApusBirdsModels
import ApusDemo
import Testing

/// Generated models with the demo API over HTTP.
@Suite(.timeLimit(.minutes(5))) struct ModelDemoTests {
  private func withClient(
    delayScale: Double = 0, _ body: (GraphQLClient, CacheStore) async throws -> Void
  ) async throws {
    let server = try await DemoServer(delayScale: delayScale)
    defer { server.stop() }
    let store = CacheStore()
    try await body(GraphQLClient(url: server.url, store: store), store)
  }

  @Test func `a query is read through its model`() async throws {
    try await withClient { client, _ in
      var last: FlockQuery.Data?
      for try await result in client.fetch(query: FlockQuery(first: 3)) { last = result.data }
      let birds = try #require(last?.birds)
      #expect(birds.edges.count == 3)
      #expect(birds.edges.allSatisfy { !$0.node.name.isEmpty && !$0.node.species.commonName.isEmpty })
      #expect(birds.pageInfo.hasNextPage)
    }
  }

  @Test func `deferred fragments are pending then fulfilled`() async throws {
    try await withClient(delayScale: 0.05) { client, _ in
      var states: [String] = []
      var last: BirdDetailsQuery.Data.Bird?
      for try await result in client.fetch(query: BirdDetailsQuery(id: "b42")) {
        guard let bird = result.data?.bird else { continue }
        if case .pending = bird.fragments.$lifeOnTheWing { states.append("pending") } else { states.append("there") }
        last = bird
      }
      #expect(states.first == "pending")
      let bird = try #require(last)
      let history = try #require(bird.fragments.lifeOnTheWing?.migrationHistory)
      #expect(history.flightCount > 0)
      let range = try #require(bird.fragments.range)
      #expect(!range.species.range.breeding.isEmpty)
      let made = BirdDetailsQuery.Data.Bird.Range(species: range.species)
      #expect(range == made && bird.fragments.$range == .fulfilled(made))
      #expect(bird.station.name == bird.fragments.origin.station.name)
      #expect(bird.notes == nil)
    }
  }

  @Test func `type cases may contain deferred fragments`() async throws {
    try await withClient { client, _ in
      var last: FindQuery.Data?
      for try await result in client.fetch(query: FindQuery(text: "a")) { last = result.data }
      let found = try #require(last?.search)
      #expect(found.contains { $0.asBird != nil })
      for result in found {
        if let bird = result.asBird {
          #expect(!bird.id.isEmpty && !bird.name.isEmpty)
          if case .pending = bird.fragments.$companion { Issue.record("still pending at the end") }
        }
        if let station = result.asStation { #expect(!station.country.isEmpty) }
      }
    }
  }

  @Test func `type cases of fragments are read`() async throws {
    try await withClient { client, store in
      var last: FindingsQuery.Data?
      for try await result in client.fetch(query: FindingsQuery(text: "a")) { last = result.data }
      let found = try #require(last?.search)
      let stations = found.compactMap(\.asStation)
      let birds = found.compactMap(\.asBird)
      #expect(!stations.isEmpty && !birds.isEmpty)
      #expect(stations.count + birds.count == found.count)
      #expect(stations.allSatisfy { !$0.id.isEmpty && !$0.name.isEmpty && !$0.country.isEmpty })
      #expect(stations.allSatisfy { $0.fragments.place.country == $0.country })
      #expect(birds.allSatisfy { $0.name == $0.fragments.finding.asBird?.name })
      // An initialized model is written to the cache like a fetched one.
      let made = FindingsQuery.Data.Search.AsStation(id: "s1", name: "Ottenby", country: "Sweden")
      #expect(made.asRootEntityType.asStation == made)
      #expect(made.asRootEntityType.asBird == nil)
      let query = FindingsQuery(text: "nothing of this")
      try await store.write(.init(search: [made.asRootEntityType]), for: query)
      #expect(try await store.read(query)?.search.first?.asStation?.country == "Sweden")
    }
  }

  @Test func `a oneOf input is sent`() async throws {
    try await withClient { client, _ in
      var name = ""
      for try await result in client.fetch(query: FlockQuery(first: 1)) {
        name = result.data?.birds.edges[0].node.name ?? ""
      }
      var found: ByNameQuery.Data?
      for try await result in client.fetch(query: ByNameQuery(lookup: .name(name))) { found = result.data }
      #expect(found?.birdBy?.ring.isEmpty == false)
    }
  }

  @Test func `a mutation updates a watch`() async throws {
    try await withClient { client, _ in
      var names: [String] = []
      for try await result in client.watch(query: BirdDetailsQuery(id: "b42")) {
        guard result.completeness == .complete, let name = result.data?.bird?.name else { continue }
        names.append(name)
        if names.count == 1 {
          for try await renamed in client.perform(mutation: RenameMutation(id: "b42", name: "Amelia")) {
            #expect(renamed.data?.renameBird.bird.name == "Amelia")
          }
        }
        if name == "Amelia" { break }
      }
      #expect(names.last == "Amelia")
    }
  }

  @Test func `a local cache mutation reads and writes the cache`() async throws {
    try await withClient { client, store in
      for try await _ in client.fetch(query: BirdDetailsQuery(id: "b42")) {}
      let changed = try await store.update(BirdNameLocalCacheMutation(id: "b42")) { $0.bird?.name = "Only here" }
      #expect(changed.descriptions == ["Bird:b42.name"])
      let nothing = try await store.update(BirdNameLocalCacheMutation(id: "b43")) { $0.bird?.name = "Nobody" }
      #expect(nothing.isEmpty)
      var name: String?
      for try await result in client.fetch(query: BirdDetailsQuery(id: "b42"), cachePolicy: .cacheOnly) {
        name = result.data?.bird?.name
      }
      #expect(name == "Only here")
    }
  }

  @Test func `a local cache mutation changes a field of a type case`() async throws {
    try await withClient { client, store in
      for try await _ in client.fetch(query: BirdDetailsQuery(id: "b42")) {}
      let node = NodeNameLocalCacheMutation(id: "b42")
      try await store.write(.init(node: .init(__typename: "Bird", id: "b42")), for: node)
      let changed = try await store.update(node) { $0.node?.asBird?.name = "Only here" }
      #expect(changed.descriptions == ["Bird:b42.name"])
      #expect(try await store.read(BirdNameLocalCacheMutation(id: "b42"))?.bird?.name == "Only here")
      let nothing = try await store.update(node) { $0.node?.asBird = nil }
      #expect(nothing.isEmpty)
    }
  }

  @Test func `a local cache mutation changes a field of a fragment`() async throws {
    try await withClient { client, store in
      for try await _ in client.fetch(query: BirdDetailsQuery(id: "b42")) {}
      let mutation = NamedBirdLocalCacheMutation(id: "b42")
      let changed = try await store.update(mutation) { $0.bird?.fragments.named.name = "Only here" }
      #expect(changed.descriptions == ["Bird:b42.name"])
      try await store.update(mutation) { $0.bird?.fragments.named = Named(name: "As a whole") }
      let bird = try await store.read(mutation)?.bird
      #expect(bird?.fragments.named.name == "As a whole")
      #expect(bird?.id == "b42")
    }
  }

  @Test func `the model of a query reads and writes the cache`() async throws {
    try await withClient { client, store in
      let query = ByNameQuery(lookup: .name("Ada"))
      #expect(try await store.read(query) == nil)
      try await store.write(.init(birdBy: .init(id: "b1", ring: "R-1")), for: query)
      #expect(try await store.read(query)?.birdBy?.ring == "R-1")
    }
  }

  @Test func `an optimistic mutation is visible immediately and undone on failure`() async throws {
    try await withClient { client, store in
      for try await _ in client.fetch(query: BirdDetailsQuery(id: "b42")) {}
      func name() async throws -> String? {
        try await store.read(BirdNameLocalCacheMutation(id: "b42"))?.bird?.name
      }
      let before = try await name()
      let probably = RenameMutation.Data(renameBird: .init(bird: .init(id: "b42", name: "Amelia"), previousName: ""))
      // The optimistic layer applies until the response arrives, so watches see it first.
      var names: [String] = []
      for try await result in client.watch(query: BirdDetailsQuery(id: "b42"), cachePolicy: .cacheOnly) {
        guard let name = result.data?.bird?.name else { continue }
        if names.last != name { names.append(name) }
        if names.count == 1 {
          Task {
            for try await _ in client.perform(
              mutation: RenameMutation(id: "b42", name: "Beryl"), optimistic: probably)
            {}
          }
        }
        if name == "Beryl" { break }
      }
      #expect(names.first == before)
      #expect(names.contains("Amelia"))
      #expect(names.last == "Beryl")
      // A rejected mutation leaves no changes.
      let unknown = RenameMutation(id: "no such bird", name: "Nobody")
      let wrong = RenameMutation.Data(renameBird: .init(bird: .init(id: "b42", name: "Nobody"), previousName: ""))
      do {
        for try await result in client.perform(mutation: unknown, optimistic: wrong) {
          #expect(result.data == nil && !result.errors.isEmpty)
        }
      } catch {}
      #expect(try await name() == "Beryl")
    }
  }

  @Test func `a pager uses a generated query`() async throws {
    try await withClient { client, _ in
      let pager = GraphQLQueryPager(
        client: client, query: FlockQuery(first: 20),
        pageInfo: { .init(hasNextPage: $0.birds.pageInfo.hasNextPage, endCursor: $0.birds.pageInfo.endCursor) },
        after: { FlockQuery(first: 20, after: .some($0.text)) })
      let end = try await pager.actor.loadAll()
      #expect(end == .lastPage)
      let output = pager.output
      let ids = output.pages.flatMap { $0.data?.birds.edges.map(\.node.id) ?? [] }
      #expect(output.pageCount > 1)
      #expect(ids.count == output.initialPage?.data?.birds.totalCount)
      #expect(Set(ids).count == ids.count)
    }
  }

  /// Models are compared by their readable fields, including those of fragments.
  @Test func `models are equal if their readable fields are`() {
    typealias Bird = BirdDetailsQuery.Data.Bird
    let bob = Bird.mock(name: "Bob")
    #expect(bob == .mock(name: "Bob"))
    #expect(bob.hashValue == Bird.mock(name: "Bob").hashValue)
    #expect(bob != .mock(name: "Eve"))
    #expect(bob != .mock(name: "Bob", station: .mock(name: "Hallands Vadero")), "a field of a fragment")
    #expect(bob != .mock(name: "Bob", lifeOnTheWing: .mock()), "a deferred fragment that is there")
    // A fragment ignores the object's other fields.
    let eve = Bird.mock(name: "Eve", notes: "shy")
    #expect(bob.fragments.origin == eve.fragments.origin)
    #expect(Set([bob.fragments.origin, eve.fragments.origin]).count == 1)
    // It also ignores additional members in the response.
    var data = bob.__data
    data["more"] = 1
    #expect(Bird(_dataDict: data) == bob)
    #expect(Bird(_dataDict: data).hashValue == bob.hashValue)
  }

  @Test func `a mock fills unspecified fields`() {
    let data = BirdDetailsQuery.Data.mock(bird: .mock(name: "Bob"))
    #expect(data.bird?.name == "Bob")
    #expect(data.bird?.notes == nil)
    #expect(data.bird?.fragments.origin.station.name == "name")
    if case .pending? = data.bird?.fragments.$lifeOnTheWing {} else { Issue.record("a deferred part is made up") }
    #expect(FindQuery.Data.mock(search: [.mock(__typename: "Station")]).search[0].__typename == "Station")
  }

  @Test func `a subscription returns a model for each event`() async throws {
    try await withClient { client, _ in
      var numbers: [Int] = []
      for try await result in client.subscribe(subscription: CountSubscription(from: 2)) {
        if let number = result.data?.countdown { numbers.append(number) }
      }
      #expect(numbers == [2, 1, 0])
    }
  }

  @Test func `initializers accept deferred fragments`() {
    let history = LifeOnTheWing(migrationHistory: .init(flightCount: 3, totalDistance: 1000))
    let station = Origin.Station(id: "s1", name: "Ottenby")
    let bird = BirdDetailsQuery.Data.Bird(
      id: "b1", name: "Ada", sex: .init(.female), ringedAt: "2025-01-01T00:00:00Z", station: station,
      lifeOnTheWing: history)
    #expect(bird.station.name == "Ottenby")
    #expect(bird.fragments.origin.station.name == "Ottenby")
    #expect(bird.fragments.lifeOnTheWing?.migrationHistory.flightCount == 3)
    if case .pending = bird.fragments.$range {} else { Issue.record("a part that was not given is not pending") }
  }
}
