import ApusGraphQLExecution
import ApusGraphQLLanguage
import ApusJSON
import Testing

/// Section 6.2.3 of the specification.
@Suite(.timeLimit(.minutes(1)))
struct SubscriptionTests {
  let sdl = """
    type Query { a: Int }
    type Subscription { count(to: Int!): Tick other: Int }
    type Tick { number: Int! half: Int! }
    """

  func responses(_ query: String) async throws -> [String] {
    let bench = try Bench(sdl) { resolvers in
      resolvers.events("count") { context in
        let end = context.arguments["to"]?.int ?? 0
        guard end > 0 else { throw ExecutionError("Count upwards.") }
        return AsyncThrowingStream { continuation in
          for number in 1...end { continuation.yield(.object(number)) }
          continuation.finish()
        }
      }
      resolvers.field("Tick", "number") { .int(try $0.source(as: Int.self)) }
      resolvers.field("Tick", "half") { context in
        let number = try context.source(as: Int.self)
        return number.isMultiple(of: 2) ? .int(number / 2) : .null
      }
    }
    switch await bench.executor.subscribe(ExecutionRequest(Document(parsing: query))) {
    case .refused(let errors): return [errors.response.description]
    case .failed(let response): return [response.description]
    case .events(let events):
      var responses: [String] = []
      for await event in events { responses.append(event.description) }
      return responses
    }
  }

  @Test func `Each event is executed with the operation's selections`() async throws {
    #expect(
      try await responses("subscription { tick: count(to: 2) { number } }") == [
        #"{"data":{"tick":{"number":1}}}"#, #"{"data":{"tick":{"number":2}}}"#,
      ])
  }

  @Test func `An error in one event leaves the stream open`() async throws {
    let responses = try await responses("subscription { count(to: 2) { half } }")
    #expect(responses.count == 2)
    #expect(responses[0].contains(#""path":["count","half"]"#))
    #expect(responses[1] == #"{"data":{"count":{"half":1}}}"#)
  }

  @Test func `A source stream that cannot be created is one response with an error`() async throws {
    #expect(
      try await responses("subscription { count(to: 0) { number } }") == [
        #"{"data":null,"errors":[{"message":"Count upwards.","locations":[{"line":1,"column":16}],"path":["count"]}]}"#
      ])
  }

  @Test func `A subscription with two root fields is an error`() async throws {
    #expect(
      try await responses("subscription { count(to: 1) { number } other }")[0]
        .contains("A subscription must have exactly one root field."))
  }
}
