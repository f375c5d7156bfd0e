import Apus
import ApusTestSupport
import Synchronization
import Testing

/// The tables in `Docs/Explanation/Cache.md`: the results of each policy for each state of the cache, and the stored data of each
/// response. Each test is a row.
@Suite(.timeLimit(.minutes(1))) struct CacheStatesTests {
  private let query = PersonQuery(personId: "1")
  private let base = """
    "person":{"__typename":"User","id":"1","firstName":"Ada","lastName":null,"avatar":null,"email":"a@b.c"}
    """
  private let friends = #"{"friends":[{"__typename":"Bot","id":"2","firstName":"R2"}]}"#
  private let profile = #"{"__typename":"User","birthday":"1815-12-10","address":{"city":"London"}}"#

  /// The complete response in one piece.
  private var complete: ScriptedAnswer {
    .json(#"{"data":{\#(base.dropLast()),\#(friends.dropFirst().dropLast()),"birthday":null,"address":null}}}"#)
  }

  private func parts(_ friends: String, _ profile: String) -> ScriptedAnswer {
    .multipart([
      .text(#"{"data":{\#(base)},"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"deferredFriends","data":\#(friends)}],"hasNext":true}"#),
      .text(#"{"incremental":[{"path":["person"],"label":"profile","data":\#(profile)}],"hasNext":false}"#),
    ])
  }

  private func store(_ clock: @escaping @Sendable () -> UInt32 = { 0 }, timeToLive: Int? = nil) -> CacheStore {
    CacheStore(
      resolver: CacheKeyResolver(schema: PeopleAPI.Metadata.self),
      policies: CachePolicies(defaultTimeToLive: timeToLive), clock: clock)
  }

  /// Returns a run as lines such as `cache partial Ada friends=pending profile=pending`, followed by its error.
  private func run(
    _ store: CacheStore, _ policy: CachePolicy, _ answers: [ScriptedAnswer] = [], partial: Bool = false,
    _ change: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> [String] {
    let server = try ScriptedServer(answers)
    var options = RequestOptions(cachePolicy: policy, allowsPartialReads: partial)
    change(&options)
    var lines: [String] = []
    do {
      for try await result in GraphQLClient(url: server.url, store: store).fetch(query: query, options: options) {
        lines.append(line(result))
      }
    } catch GraphQLClientError.cacheMiss(let missing) {
      lines.append("missing \(missing)")
    } catch {
      lines.append("failed")
    }
    return lines
  }

  private func line(_ result: GraphQLResult<PersonQuery.Data>) -> String {
    var words = [result.source.rawValue, result.completeness.rawValue]
    guard let person = result.data?.person else { return (words + ["no data"]).joined(separator: " ") }
    words.append(person.firstName)
    if let fragments = person.asUser?.fragments {
      words.append(name(fragments.$deferredFriends) { $0.friends.map(\.firstName).joined() })
      words.append(name(fragments.$profile) { $0.address?.city ?? "nowhere" })
    } else {
      words.append("\(PersonQuery.Data.Person.AsUser.Fragments(_dataDict: person.__data).$deferredFriends)")
    }
    return words.joined(separator: " ")
  }

  private func name<Part>(_ state: Deferred<Part>.State, _ value: (Part) -> String) -> String {
    switch state {
    case .pending: "pending"
    case .fulfilled(let part): value(part)
    case .failed: "failed"
    case .notExecuted: "notExecuted"
    }
  }

  private let server = "server complete Ada R2 nowhere"

  /// Returns the results of each policy with a working server: cacheFirst, cacheFirst with partial reads,
  /// cacheAndNetwork, cacheOnly.
  private func policies(_ store: () async throws -> CacheStore) async throws -> [[String]] {
    [
      try await run(try await store(), .cacheFirst, [complete]),
      try await run(try await store(), .cacheFirst, [complete], partial: true),
      try await run(try await store(), .cacheAndNetwork, [complete]),
      try await run(try await store(), .cacheOnly),
    ]
  }

  private func written(_ data: String, _ store: CacheStore? = nil) async throws -> CacheStore {
    let store = store ?? self.store()
    try await store.write(try JSONValue(parsing: data), operation: query.compiled, variables: query.variables)
    return store
  }

  // MARK: States of the cache

  @Test func `an empty cache is filled from the server`() async throws {
    #expect(try await policies { store() } == [[server], [server], [server], ["missing [person]"]])
  }

  @Test func `complete cached data is returned`() async throws {
    let cached = "cache complete Ada R2 London"
    func full() async throws -> CacheStore {
      try await written("{\(base.dropLast()),\(friends.dropFirst().dropLast()),\(profile.dropFirst().dropLast())}}")
    }
    #expect(try await policies(full) == [[cached], [cached], [cached, server], [cached]])
    #expect(try await run(try await full(), .networkFirst, [complete]) == [server])
    #expect(try await run(try await full(), .networkFirst, [.raw([.close])]) == [cached])
    #expect(try await run(try await full(), .networkOnly, [complete]) == [server])
  }

  @Test func `a cached initial result is returned with pending fragments`() async throws {
    let cached = "cache partial Ada pending pending"
    #expect(
      try await policies { try await written("{\(base)}") } == [
        [cached, server], [cached, server], [cached, server], [cached],
      ])
    #expect(try await run(try await written("{\(base)}"), .networkFirst, [.raw([.close])]) == ["failed"])
    #expect(try await run(try await written("{\(base)}"), .cacheFirst, [.raw([.close])]) == [cached, "failed"])
  }

  @Test func `a fragment cached with an error is returned as failed`() async throws {
    let cached = "cache partial Ada failed London"
    func failed() async throws -> CacheStore {
      let store = store()
      _ = try await run(store, .networkOnly, [parts(#"{"friends":[{"id":"2"},null]}"#, profile)])
      return store
    }
    #expect(try await policies(failed) == [[cached, server], [cached, server], [cached, server], [cached]])
  }

  @Test func `a missing non null field is a cache miss`() async throws {
    func less() async throws -> CacheStore {
      let store = try await written("{\(base)}")
      try await store.evict("User:1", field: "email")
      return store
    }
    let missing = "missing [person.email]"
    #expect(try await policies(less) == [[server], [server], [server], [missing]], "the model cannot represent it")
  }

  @Test func `expired data needs stale reads`() async throws {
    let clock = Atomic(1)
    func stale() async throws -> CacheStore {
      clock.store(1, ordering: .relaxed)
      let store = try await written(
        "{\(base)}", store({ UInt32(clock.load(ordering: .relaxed)) }, timeToLive: 10))
      clock.store(100, ordering: .relaxed)
      return store
    }
    #expect(try await policies(stale).dropLast() == [[server], [server], [server]])
    #expect(
      try await run(try await stale(), .cacheOnly) { $0.allowsStaleReads = true } == [
        "cache partial Ada pending pending"
      ])
  }

  @Test func `a cached value of the wrong type counts as missing`() async throws {
    func wrong() async throws -> CacheStore {
      let store = try await written("{\(base)}")
      try await store.modify("User:1") { $0["firstName"] = .scalar(7) }
      return store
    }
    #expect(try await policies(wrong) == [[server], [server], [server], ["missing [person.firstName]"]])
  }

  @Test func `a fragment of another type is not executed`() async throws {
    let bot = #"{"person":{"__typename":"Bot","id":"2","firstName":"R2","lastName":null,"avatar":null}}"#
    let cached = "cache complete R2 notExecuted"
    let fetched = "server complete R2 notExecuted"
    for policy in [CachePolicy.cacheFirst, .cacheOnly] {
      #expect(try await run(try await written(bot), policy) == [cached])
    }
    #expect(
      try await run(try await written(bot), .cacheAndNetwork, [.json(#"{"data":\#(bot)}"#)]) == [cached, fetched])
  }

  // MARK: Stored data

  /// A cache that contains the complete query from an earlier response.
  private func full() async throws -> CacheStore {
    let base = base.replacing("Ada", with: "Old").replacing(#""lastName":null"#, with: #""lastName":"L""#)
    let friends = friends.replacing("R2", with: "R1"), profile = profile.replacing("London", with: "Paris")
    return try await written(
      "{\(base.dropLast()),\(friends.dropFirst().dropLast()),\(profile.dropFirst().dropLast())}}")
  }

  /// The stored data must be the same in an empty and in a full cache.
  private func emptyAndFull() async throws -> [CacheStore] { [store(), try await full()] }

  @Test func `a complete response is stored at its end`() async throws {
    for store in try await emptyAndFull() {
      #expect(
        try await run(store, .networkOnly, [parts(friends, profile)]) == [
          "server partial Ada pending pending", "server partial Ada R2 pending", "server complete Ada R2 London",
        ])
      #expect(try await run(store, .cacheOnly) == ["cache complete Ada R2 London"])
    }
    let base = #"{"data":{\#(base)},"hasNext":true}"#
    for (cut, left) in zip(try await emptyAndFull(), ["missing [person]", "cache complete Old R1 Paris"]) {
      #expect(
        try await run(cut, .networkOnly, [.multipart(framing: .untilClose, [.text(base), .close, .text("{}")])]).last
          == "failed")
      #expect(try await run(cut, .cacheOnly) == [left])
    }
  }

  @Test func `each payload is stored with incremental writes`() async throws {
    let base = #"{"data":{\#(base)},"hasNext":true}"#
    let left = ["cache partial Ada pending pending", "cache complete Ada R1 Paris"]
    for (store, left) in zip(try await emptyAndFull(), left) {
      _ = try await run(store, .networkOnly, [.multipart(framing: .untilClose, [.text(base), .close, .text("{}")])]) {
        $0.cacheWrites = .incremental
      }
      #expect(try await run(store, .cacheOnly) == [left])
    }
  }

  @Test func `a field that is null because of an error is not stored`() async throws {
    for store in try await emptyAndFull() {
      let answer = #"{"data":{\#(base.dropLast()),\#(friends.dropFirst().dropLast()),"birthday":null,"address":null}},"#
      let error = #""errors":[{"message":"no name today","path":["person","lastName"]}]}"#
      #expect(try await run(store, .networkOnly, [.json(answer + error)]) == ["server complete Ada R2 nowhere"])
      #expect(try await run(store, .cacheOnly) == ["missing [person.lastName]"])
      #expect(try await run(store, .cacheOnly, partial: true) == ["cache partial Ada R2 nowhere"])
      #expect(
        try await run(store, .networkFirst, [.raw([.close])], partial: true) == ["cache partial Ada R2 nowhere"])
      let read = try await store.read(query.compiled, variables: query.variables, allowPartial: true)
      #expect(read.errors.map(\.message) == ["no name today"])
      #expect(read.data?.value(at: ["person", "lastName"]) == .some(.null))
      #expect(try await run(store, .cacheFirst, [complete]) == [server])
    }
  }

  /// Such data was once returned as valid: in a deferred fragment it crashed the program, elsewhere it was never
  /// refetched.
  @Test func `data that contradicts the schema is not stored`() async throws {
    for deferred in try await emptyAndFull() {
      let parts = parts(#"{"friends":[{"__typename":"Bot","id":"2","firstName":"R2"},null]}"#, profile)
      #expect(try await run(deferred, .networkOnly, [parts]).last == "server complete Ada failed London")
      #expect(try await run(deferred, .cacheOnly) == ["cache partial Ada failed London"])
      #expect(try await run(deferred, .cacheFirst, [complete]) == ["cache partial Ada failed London", server])
      #expect(try await run(deferred, .cacheOnly) == ["cache complete Ada R2 nowhere"])
    }
    for plain in try await emptyAndFull() {
      for name in ["null", "7", #"["Ada"]"#] {
        let wrong = base.replacing(#""firstName":"Ada""#, with: #""firstName":\#(name)"#)
        let answer = #"{"data":{\#(wrong.dropLast()),"friends":[],"birthday":null,"address":null}}}"#
        #expect(try await run(plain, .networkOnly, [.json(answer)]) == ["server complete no data"])
        #expect(try await run(plain, .cacheOnly) == ["missing [person.firstName]"])
      }
      #expect(try await run(plain, .cacheFirst, [complete]) == [server])
    }
  }

  @Test func `a failed fragment is read with its error`() async throws {
    let answer = ScriptedAnswer.multipart(
      specification: "incrementalSpec=v0.2",
      [
        .text(
          """
          {"data":{\(base)},"hasNext":true,"pending":[{"id":"0","path":["person"],"label":"deferredFriends"},\
          {"id":"1","path":["person"],"label":"profile"}]}
          """),
        .text(#"{"incremental":[{"id":"1","data":\#(profile)}],"completed":[{"id":"1"}],"hasNext":true}"#),
        .text(#"{"completed":[{"id":"0","errors":[{"message":"no friends"}]}],"hasNext":false}"#),
      ])
    for store in try await emptyAndFull() {
      #expect(try await run(store, .networkOnly, [answer]).last == "server complete Ada failed London")
      #expect(try await run(store, .cacheOnly) == ["cache partial Ada failed London"])
      let read = try await store.read(query.compiled, variables: query.variables, allowPartial: true)
      #expect(read.errors.map(\.message) == ["no friends"])
      #expect(try await run(store, .cacheFirst, [complete]) == ["cache partial Ada failed London", server])
    }
  }
}
