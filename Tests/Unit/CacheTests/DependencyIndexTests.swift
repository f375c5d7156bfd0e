import ApusClientCache
import ApusClientOperation
import ApusJSON
import Testing

/// The index over many reads finds the reads that a change affects, and hardly any others.
@Suite(.timeLimit(.minutes(1))) struct DependencyIndexTests {
  private static let flocks = 40

  /// Reads each bird separately, with a flock that several birds share. Each read uses one field of the root.
  private func reads(_ count: Int, in store: CacheStore) async throws -> [CacheRead] {
    let operation = try operation(
      "query ($id: ID!) { bird(id: $id) { __typename id name flock { __typename id size } } }", schema: nil)
    var reads: [CacheRead] = []
    for number in 0..<count {
      let variables: JSONValue = ["id": JSONValue("\(number)")]
      let json = """
        {"bird":{"__typename":"Bird","id":"\(number)","name":"bird \(number)",\
        "flock":{"__typename":"Flock","id":"\(number % Self.flocks)","size":3}}}
        """
      try await store.write(try JSONDocument(parsing: json).root, operation: operation, variables: variables)
      reads.append(try await store.read(operation, variables: variables))
    }
    return reads
  }

  @Test func `a change finds only its readers`() async throws {
    let store = CacheStore()
    let reads = try await reads(5000, in: store)
    var index = DependencyIndex()
    for (number, read) in reads.enumerated() { index.insert(UInt32(number), dependingOn: read.dependentKeys) }
    func found(_ changed: ChangedKeys) -> [Int] { index.readers(touchedBy: changed).map(Int.init) }
    for number in [0, 17, 4999] {
      let changed = try await store.modify(CacheKey("Bird:\(number)")) { $0["name"] = .scalar("other") }
      #expect(found(changed) == [number])
    }
    // A record that many reads share.
    let shared = try await store.modify("Flock:7") { $0["size"] = .scalar(4) }
    #expect(found(shared) == Array(stride(from: 7, to: 5000, by: Self.flocks)))
    #expect(found(shared) == reads.indices.filter { reads[$0].dependentKeys.intersects(shared) })
    // A record with thousands of fields, each used by one read.
    let field = try await store.evict("QUERY_ROOT", field: #"bird({"id":"123"})"#)
    #expect(found(field) == [123])
    // A field that no read uses.
    #expect(found(try await store.modify("Flock:7") { $0["age"] = .scalar(4) }).isEmpty)
    #expect(found(try await store.clear()).count == 5000)
  }
}
