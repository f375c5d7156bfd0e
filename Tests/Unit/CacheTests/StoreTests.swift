import ApusClientOperation
import ApusJSON
import Testing

@testable import ApusClientCache

/// Transactions, listeners, snapshots, and concurrent use of one store.
@Suite(.timeLimit(.minutes(1))) struct StoreTests {
  private static let flock = "{ flock { __typename id name } }"

  @Test func `a slow listener keeps the latest changes and sees the gap`() async throws {
    let store = CacheStore()
    let query = try operation(Self.flock)
    let changes = await store.changes(bufferingPolicy: .bufferingNewest(2))
    for name in ["A", "B", "C"] {
      try await store.write(#"{"flock":[{"__typename":"Bird","id":"1","name":"\#(name)"}]}"#, query)
    }
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next()?.number == 2)
    #expect(await iterator.next()?.number == 3)
  }

  @Test func `a transaction is one change or none`() async throws {
    struct Refused: Error {}
    let store = CacheStore()
    let query = try operation(Self.flock)
    var changes = await store.changes().makeAsyncIterator()
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, query)
    #expect(await changes.next()?.cause == .write(operation: nil, part: nil))
    await #expect(throws: Refused.self) {
      try await store.transaction { transaction in
        transaction.clear()
        throw Refused()
      }
    }
    let second = try json(#"{"flock":[{"__typename":"Bird","id":"2","name":"B"}]}"#)
    try await store.transaction { transaction in
      transaction.evict("Bird:1")
      transaction.write(second, operation: query)
    }
    let change = try #require(await changes.next())
    #expect(change.changedKeys.recordKeys == ["QUERY_ROOT", "Bird:2", "Bird:1"])
    #expect(change.cause == .transaction)
    #expect(change.number == 2)
    #expect(try await store.keys() == ["QUERY_ROOT", "Bird:2"])
  }

  @Test func `every listener receives every change`() async throws {
    let store = CacheStore()
    let query = try operation("{ version }")
    var first = await store.changes().makeAsyncIterator()
    var second = await store.changes().makeAsyncIterator()
    try await store.write(#"{"version":"1"}"#, query, options: CacheWriteOptions(payloadIndex: 3))
    try await store.write(#"{"version":"1"}"#, query)
    try await store.clear()
    #expect(await first.next()?.cause == .write(operation: nil, part: 3))
    #expect(await first.next()?.cause == .clearing)
    #expect(await second.next()?.changedKeys.descriptions == ["QUERY_ROOT.version"])
    #expect(await second.next()?.changedKeys.descriptions == ["QUERY_ROOT.version"])
  }

  @Test func `a snapshot does not change`() async throws {
    let store = CacheStore()
    let query = try operation(Self.flock)
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"1","name":"A"}]}"#, query)
    let snapshot = try await store.snapshot()
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"1","name":"other and longer"}]}"#, query)
    try await store.clear()
    #expect(snapshot.record("Bird:1")?[field: "name"] == .scalar("A"))
    #expect(snapshot.count == 2)
    #expect(try await store.snapshot().count == 0)
  }

  @Test func `records are listed with roots first and filtered`() async throws {
    let store = CacheStore()
    try await store.write(
      #"{"rename":{"__typename":"Bird","id":"7","name":"A"}}"#,
      try operation(#"mutation { rename(id: 7, name: "A") { __typename id name } }"#))
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"17","name":"B"}]}"#, try operation(Self.flock))
    #expect(try await store.keys() == ["QUERY_ROOT", "Bird:7", "Bird:17"])
    #expect(try await store.keys(RecordFilter(text: "BIRD:1")) == ["Bird:17"])
    #expect(try await store.keys(RecordFilter(typename: "Bird")) == ["Bird:7", "Bird:17"])
    #expect(try await store.keys(RecordFilter(typename: "Station")) == [])
    #expect(try await store.keys(RecordFilter(words: "bird=A")) == ["Bird:7"])
    let snapshot = try await store.snapshot()
    #expect(snapshot.summaries(offset: 0, limit: 2).map(\.key) == ["QUERY_ROOT", "Bird:7"])
    #expect(snapshot.typenames.first?.name == "Bird")
    let summary = try #require(snapshot.summary(of: "Bird:17"))
    #expect(summary.fieldCount == 3)
    #expect(summary.referrerCount == 1)
    #expect(snapshot.record("QUERY_ROOT")?.references == ["Bird:17"])
    try await store.write(#"{"flock":[{"__typename":"Bird","id":"Ü1","name":"Ärger"}]}"#, try operation(Self.flock))
    #expect(try await store.keys(RecordFilter(words: "value:äRG")) == ["Bird:Ü1"])
    #expect(try await store.keys(RecordFilter(text: "bird:ü")) == ["Bird:Ü1"])
    // The letters of arguments match only as they are written, also after a parenthesis in a string.
    try await store.write(
      #"{"search":{"__typename":"Hit","name":"B"}}"#,
      try operation(#"query { search(text: "a\")bd99") { __typename name } }"#, schema: nil))
    let found = try await store.keys(RecordFilter(text: "bd99"))
    #expect(found.count == 1)
    #expect(try await store.keys(RecordFilter(text: "rootsearch")) == found)
    #expect(try await store.keys(RecordFilter(text: "sbd9")) == [])
  }

  @Test func `concurrent reads writes and evictions are consistent`() async throws {
    let store = CacheStore()
    let query = try operation(Self.flock)
    let responses = try (0..<4).map { round in
      try json(
        "{\"flock\":[\((0..<50).map { "{\"__typename\":\"Bird\",\"id\":\"\($0)\",\"name\":\"name \(round) of \($0)\"}" }.joined(separator: ","))]}"
      )
    }
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<8 {
        group.addTask {
          for round in 0..<40 {
            switch (worker + round) % 4 {
            case 0: _ = try? await store.write(responses[round % 4], operation: query)
            case 1:
              // The bird names are from one response, possibly without evicted ones, and never a mixture.
              let read = try? await store.read(query, allowPartial: true)
              let names = read?.data?.value(at: ["flock"])?.elements.compactMap {
                $0.value(at: ["name"])?.string?.prefix(6)
              }
              #expect(Set(names ?? []).count <= 1)
            case 2: _ = try? await store.evict(CacheKey("Bird:\(round)"))
            default: _ = try? await store.snapshot().summaries(limit: 20)
            }
          }
        }
      }
    }
    try await store.write(responses[0], operation: query)
    #expect(try await store.look(query).data == responses[0])
  }

  @Test func `writing two overlapping queries again changes nothing`() async throws {
    let store = CacheStore()
    let names = try operation("{ bird(id: 1) { __typename id name nest { __typename material } } }")
    let ages = try operation("{ bird(id: 1) { __typename id age nest { __typename eggs } } }")
    let first = #"{"bird":{"__typename":"Bird","id":"1","name":"A","nest":{"__typename":"Nest","material":"reed"}}}"#
    let second = #"{"bird":{"__typename":"Bird","id":"1","age":1,"nest":{"__typename":"Nest","eggs":2}}}"#
    try await store.write(first, names)
    try await store.write(second, ages)
    // Each result is complete although the other was written, and writing either again changes nothing.
    #expect(try await store.look(names).data?.description == first)
    #expect(try await store.look(ages).data?.description == second)
    #expect(try await store.write(first, names).isEmpty)
    #expect(try await store.write(second, ages).isEmpty)
  }
}
