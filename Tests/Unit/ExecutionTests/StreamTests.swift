import ApusGraphQLExecution
import ApusJSON
import Synchronization
import Testing

/// `@stream` as in the incremental delivery draft, in both formats.
@Suite(.timeLimit(.minutes(1)))
struct StreamTests {
  let sdl = """
    type Query { words: [String] musts: [String!] matrix: [[Int]] slow: [Word] }
    type Word { text: String late: String }
    """
  let data = #"{"words": ["a", "b", "c"], "musts": ["a", null, "c"], "matrix": [[1, 2], [3]]}"#

  func a(_ query: String) async throws -> [String] { try await Bench(sdl, data: data).format2022(query) }
  func b(_ query: String) async throws -> [String] { try await Bench(sdl, data: data).formatV02(query) }

  @Test func `The initial items are in the initial result, the others follow`() async throws {
    let query = #"{ words @stream(initialCount: 1, label: "w") }"#
    #expect(
      try await a(query) == [
        #"{"data":{"words":["a"]},"hasNext":true}"#,
        #"{"incremental":[{"items":["b","c"],"path":["words",1],"label":"w"}],"hasNext":false}"#,
      ])
    #expect(
      try await b(query) == [
        #"{"data":{"words":["a"]},"pending":[{"id":"0","path":["words"],"label":"w"}],"hasNext":true}"#,
        #"{"incremental":[{"id":"0","items":["b","c"]}],"completed":[{"id":"0"}],"hasNext":false}"#,
      ])
  }

  @Test func `A list without more items than initialCount is not streamed`() async throws {
    #expect(try await a("{ words @stream(initialCount: 3) }") == [#"{"data":{"words":["a","b","c"]}}"#])
    #expect(try await a("{ words @stream(if: false) }") == [#"{"data":{"words":["a","b","c"]}}"#])
  }

  @Test func `Streaming a nested list keeps its inner lists whole`() async throws {
    #expect(
      try await a("{ matrix @stream(initialCount: 1) }").last
        == #"{"incremental":[{"items":[[3]],"path":["matrix",1]}],"hasNext":false}"#)
  }

  @Test func `A negative initialCount is an error`() async throws {
    let answer = try await a("{ words @stream(initialCount: -1) }")[0]
    #expect(answer.contains("initialCount must not be negative."))
    #expect(answer.contains(#""path":["words"]"#))
    #expect(answer.hasSuffix(#""data":{"words":null}}"#), "\(answer)")
  }

  @Test func `A null for a non-null item ends the stream`() async throws {
    let query = "{ musts @stream(initialCount: 1) }"
    let error =
      #"{"message":"Cannot return null for non-nullable field Query.musts.","#
      + #""locations":[{"line":1,"column":3}],"path":["musts",1]}"#
    #expect(
      try await a(query).last
        == #"{"incremental":[{"items":null,"path":["musts"],"errors":[\#(error)]}],"hasNext":false}"#)
    #expect(try await b(query).last == #"{"completed":[{"id":"0","errors":[\#(error)]}],"hasNext":false}"#)
  }

  /// A list of words produced one by one, which can end with an error.
  func slowBench(_ words: [String], failing: Bool = false) throws -> Bench {
    try Bench(sdl) { resolvers in
      resolvers.field("Query", "slow") { _ in
        return slowList(words, failing: failing)
      }
      resolvers.field("Word", "text") { .string(try $0.source(as: String.self)) }
      resolvers.asyncField("Word", "late") { .string("late " + (try $0.source(as: String.self))) }
    }
  }

  @Test func `Items are sent as they are produced`() async throws {
    let payloads = try await slowBench(["x", "y"]).format2022("{ slow @stream(initialCount: 1) { text } }")
    #expect(
      payloads == [
        #"{"data":{"slow":[{"text":"x"}]},"hasNext":true}"#,
        #"{"incremental":[{"items":[{"text":"y"}],"path":["slow",1]}],"hasNext":true}"#,
        #"{"hasNext":false}"#,
      ])
  }

  @Test func `Without @stream an asynchronous list is collected`() async throws {
    #expect(
      try await slowBench(["x", "y"]).run("{ slow { text late } }")
        == #"{"data":{"slow":[{"text":"x","late":"late x"},{"text":"y","late":"late y"}]}}"#)
  }

  @Test func `A list that fails keeps the items sent and reports the error`() async throws {
    let payloads = try await slowBench(["x"], failing: true).formatV02("{ slow @stream { text } }")
    #expect(
      payloads.last == #"{"completed":[{"id":"0","errors":[{"message":"The list broke off.","#
        + #""locations":[{"line":1,"column":3}],"path":["slow"]}]}],"hasNext":false}"#)
    #expect(payloads.contains { $0.contains(#""items":[{"text":"x"}]"#) })
  }

  @Test func `Deferred fragments in streamed items are sent`() async throws {
    let payloads = try await slowBench(["x"]).formatV02("{ slow @stream { text ... @defer { late } } }")
    let all = payloads.joined(separator: "\n")
    #expect(all.contains(#""pending":[{"id":"1","path":["slow",0]}]"#))
    #expect(all.contains(#"{"id":"1","data":{"late":"late x"}}"#))
    #expect(payloads.last?.contains(#""hasNext":false"#) == true)
  }
}

private func slowList(_ words: [String], failing: Bool) -> ResolvedValue {
  let place = Place()
  return .sequence {
    let index = place.advance()
    await Task.yield()
    if index < words.count { return .object(words[index]) }
    if failing { throw ExecutionError("The list broke off.") }
    return nil
  }
}

private final class Place: Sendable {
  private let index = Atomic(0)

  func advance() -> Int { index.wrappingAdd(1, ordering: .relaxed).oldValue }
}
