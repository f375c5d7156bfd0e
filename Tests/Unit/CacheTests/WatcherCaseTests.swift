import ApusJSON
import Testing

@testable import ApusClientCache

/// All small combinations of a change and a read. If a read returns something else afterwards, it was notified.
@Suite(.timeLimit(.minutes(1))) struct WatcherCaseTests {
  private static let reads = [
    "{ version }", #"{ bird(id: "1") { __typename id name } }"#,
    #"{ bird(id: "1") { __typename id nest { __typename eggs } } }"#,
    #"{ bird(id: "1") { __typename id mate { __typename id name } } }"#, "{ flock { __typename id name } }",
  ]
  private static let writes = [
    (#"{ version }"#, #"{"version":"1"}"#), (#"{ version }"#, #"{"version":null}"#),
    (#"{ bird(id: "1") { __typename id name } }"#, #"{"bird":{"__typename":"Bird","id":"1","name":"A"}}"#),
    (#"{ bird(id: "1") { __typename id name } }"#, #"{"bird":{"__typename":"Bird","id":"2","name":"B"}}"#),
    (#"{ bird(id: "1") { __typename id name } }"#, #"{"bird":null}"#),
    (
      #"{ bird(id: "1") { __typename id nest { __typename eggs } mate { __typename id name } } }"#,
      #"{"bird":{"__typename":"Bird","id":"1","nest":{"__typename":"Nest","eggs":1},"mate":{"__typename":"Bird","id":"2","name":"C"}}}"#
    ),
    (#"{ flock { __typename id name } }"#, #"{"flock":[{"__typename":"Bird","id":"2","name":"D"},null]}"#),
    (#"{ flock { __typename id name } }"#, #"{"flock":[]}"#),
  ]

  private func steps() -> [CacheStep] {
    Self.writes.map { .write($0.0, $0.1) }
      + [
        .change(.removeRecord("QUERY_ROOT")), .change(.removeRecord("Bird:1")), .change(.removeRecord("Bird:2")),
        .change(.removeRecord("Bird:1.nest")), .change(.removeRecord("Bird:1", cascading: true)),
        .change(.removeField("QUERY_ROOT", field: "bird")), .change(.removeField("Bird:1", field: "mate")),
        .change(.removeField("Bird:2", field: "name")), .change(.removeRecords(RecordPattern(typename: "Bird"))),
        .change(.collect(rootFields: nil)), .change(.collect(rootFields: [])), .change(.removeAll),
      ]
  }

  private enum CacheStep {
    case write(String, String)
    case change(CacheMutation)
  }

  private func make(_ step: CacheStep, in store: CacheStore) async throws -> ChangedKeys {
    switch step {
    case .write(let query, let response): try await store.write(try json(response), operation: try operation(query))
    case .change(let mutation): try await store.apply([mutation])
    }
  }

  @Test func `two steps in any order notify every reader`() async throws {
    let operations = try Self.reads.map { try operation($0) }
    for (first, before) in steps().enumerated() {
      for (second, after) in steps().enumerated() {
        let store = CacheStore()
        _ = try await make(before, in: store)
        var reads: [CacheRead] = []
        for operation in operations { reads.append(try await store.look(operation, partial: true)) }
        let changed = try await make(after, in: store)
        for (index, operation) in operations.enumerated() {
          let read = try await store.look(operation, partial: true)
          guard read.text != reads[index].text else { continue }
          #expect(
            reads[index].dependentKeys.intersects(changed), "steps \(first) and \(second), read \(index)")
        }
      }
    }
  }
}
