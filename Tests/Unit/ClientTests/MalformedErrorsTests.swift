import ApusClientAPI
import ApusClientCore
import ApusJSON
import ApusTestSupport
import Testing

/// Servers whose `errors` member is not a list.
@Suite("Malformed errors members", .timeLimit(.minutes(1)))
struct MalformedErrorsTests {
  @Test(arguments: [
    (#""boom""#, "boom"), (#"{"message":"boom"}"#, "boom"), ("7", "7"), ("true", "true"),
  ])
  func `malformed errors are reported with the server's message`(errors: String, message: String) async throws {
    let complete = try await run("{ a }", [.json(#"{"data":{"a":1},"errors":\#(errors)}"#)])
    #expect(complete.results.map { $0.errors.map(\.message) } == [[message]])
    let refused = try await run("{ a }", [.json(#"{"errors":\#(errors)}"#)])
    #expect(refused.results.map { $0.errors.map(\.message) } == [[message]])
  }

  @Test(arguments: ["null", "false", #""""#, "{}", "[]"])
  func `an errors member without content is ignored`(errors: String) async throws {
    let whole = try await run("{ a }", [.json(#"{"data":{"a":1},"errors":\#(errors)}"#)])
    #expect(whole.lines == [#"0 complete {"a":1}"#])
  }

  @Test
  func `nulls with malformed errors are not cached`() async throws {
    let cached = try CachedClient([
      .json(#"{"data":{"bird":{"__typename":"Bird","id":"1","name":null}},"errors":"boom"}"#),
      .json(CachedClient.bird("Apus")),
    ])
    #expect(cached.reported(try await cached.fetch(.cacheFirst)) == ["server complete nothing"])
    #expect(cached.reported(try await cached.fetch(.cacheFirst)) == ["server complete Apus"])
    #expect(cached.reported(try await cached.fetch(.cacheFirst)) == ["cache complete Apus"])
  }
}
