import ApusClientAPI
import ApusClientOperation
import ApusJSON
import Synchronization
import Testing

@testable import ApusClientCache

/// The reasons for cache misses.
@Suite(.timeLimit(.minutes(1))) struct MissTests {
  private func reported(_ misses: [CacheMiss]) -> [String] {
    misses.map { miss in
      let reason =
        switch miss.reason {
        case .noRecord: "no record"
        case .noField: "no field"
        case .otherArguments(let keys): "has \(keys.joined(separator: ", "))"
        case .expired: "expired"
        case .danglingReference(let key): "lost \(key.text)"
        case .errors(let messages): messages.joined(separator: ", ")
        case .invalidValue: "unfit"
        case .replaced(let replacement): "\(replacement)"
        }
      return "\(miss.path): \(miss.record.text).\(miss.field): \(reason)"
    }
  }

  @Test func `an empty cache reports a missing record`() async throws {
    let misses = try await CacheStore().misses(of: try operation("{ version flock { name } }"))
    #expect(reported(misses) == ["version: QUERY_ROOT.version: no record", "flock: QUERY_ROOT.flock: no record"])
  }

  @Test func `a complete response has no misses`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock { name } }")
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, query)
    #expect(try await store.misses(of: query).isEmpty)
  }

  @Test func `a field that was never fetched is distinguished from one with other arguments`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A","photo":"x"}]}"#,
      try operation("{ flock { id name photo(size: 1) } }"))
    let misses = try await store.misses(of: try operation("{ flock { name age photo(size: 2) } }"))
    #expect(
      reported(misses) == [
        "flock[0].age: Bird:1.age: no field", #"flock[0].photo: Bird:1.photo({"size":2}): has photo({"size":1})"#,
      ])
  }

  @Test func `a dangling reference reports its key`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock { name mate { name } } }")
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A","mate":{"__typename":"Bird","id":"2","name":"B"}},"#
        + #"{"__typename":"Bird","id":"3","name":"C","mate":null}]}"#, query)
    try await store.evict("Bird:2")
    try await store.evict("Bird:3")
    #expect(
      reported(try await store.misses(of: query)) == [
        "flock[0].mate: Bird:1.mate: lost Bird:2", "flock[1]: QUERY_ROOT.flock: lost Bird:3",
      ])
  }

  @Test func `an expired value is a miss unless stale reads are allowed`() async throws {
    let clock = Mutex<UInt32>(1000)
    var policies = CachePolicies()
    policies.timeToLive = ["Bird": 10]
    let store = CacheStore(policies: policies, clock: { clock.withLock { $0 } })
    let query = try operation("{ flock { name } }")
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, query)
    clock.withLock { $0 = 1020 }
    #expect(reported(try await store.misses(of: query)) == ["flock[0].name: Bird:1.name: expired"])
    #expect(try await store.misses(of: query, allowStale: true).isEmpty)
  }

  @Test func `a stored error is the reason for a miss`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock { name } }")
    var options = CacheWriteOptions.complete
    options.errors = [GraphQLError(message: "no name today", path: ["flock", 0, "name"])]
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"1","name":null}]}"#, query, options: options)
    #expect(reported(try await store.misses(of: query)) == ["flock[0].name: Bird:1.name: no name today"])
  }

  @Test func `the fields of a pending fragment are missing`() async throws {
    let store = CacheStore()
    let query = try operation("{ flock { name ... @defer { age weight } } }")
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A","age":3}]}"#, query,
      options: CacheWriteOptions(isPartial: true))
    #expect(reported(try await store.misses(of: query)) == ["flock[0].weight: Bird:1.weight: no field"])
  }

  @Test func `a miss is found in a record identified by key arguments`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.bird": FieldPolicy(keyArguments: ["id"])]))
    try await store.write(
      #"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, try operation("{ flock { __typename id name } }"))
    let misses = try await store.misses(of: try operation("{ bird(id: 1) { name age } }"))
    #expect(reported(misses) == ["bird.age: Bird:1.age: no field"])
  }

  @Test func `items after the cached pages are a miss`() async throws {
    let store = CacheStore(policies: CachePolicies(fields: ["Query.flock": FieldPolicy(merge: .offset())]))
    let birds = (1...2).map { #"{"__typename":"Bird","id":"\#($0)","name":"A"}"# }.joined(separator: ",")
    try await store.write("{\"flock\":[\(birds)]}", try operation("{ flock(offset: 0, limit: 2) { name } }"))
    let misses = try await store.misses(of: try operation("{ flock(offset: 0, limit: 3) { name } }"))
    #expect(reported(misses) == ["flock[2]: QUERY_ROOT.flock: unfit"])
  }

  @Test func `the number of misses is limited`() async throws {
    let store = CacheStore()
    let birds = (1...50).map { #"{"__typename":"Bird","id":"\#($0)","name":"A"}"# }.joined(separator: ",")
    try await store.write("{\"flock\":[\(birds)]}", try operation("{ flock { name } }"))
    let query = try operation("{ flock { name age } }")
    #expect(try await store.misses(of: query).count == 50)
    #expect(try await store.misses(of: query, limit: 7).count == 7)
  }
}
