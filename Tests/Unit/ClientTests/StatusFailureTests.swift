import ApusClientCore
import ApusClientRequestChain
import ApusTestSupport
import Testing

/// Errors for responses with an error status.
@Suite(.timeLimit(.minutes(1))) struct StatusFailureTests {
  private func failure(_ body: String, type: String = "application/json") async throws -> HTTPStatusError {
    let run = try await run(
      "{ a }",
      [
        .response(
          status: 422, headers: [("Content-Type", type), ("X-Request-Id", "r7"), ("Retry-After", "3")],
          framing: .contentLength, [.text(body)])
      ])
    guard case GraphQLClientError.status(let failure)? = run.error else { throw Unexpected(run.lines) }
    return failure
  }

  private struct Unexpected: Error {
    let lines: [String]
    init(_ lines: [String]) { self.lines = lines }
  }

  @Test func `the error contains headers and body`() async throws {
    let failure = try await failure(#"{"error":{"reason":"too deep","limit":7}}"#)
    #expect(failure.code == 422)
    #expect(failure.headers["x-request-id"] == "r7")
    #expect(failure.json?["error"]?["limit"] == 7)
    #expect(failure.errors.isEmpty)
    #expect(!"\(GraphQLClientError.status(failure))".contains("r7"))
  }

  @Test func `errors in other JSON keep their codes`() async throws {
    let failure = try await failure(
      #"{"errors":[{"detail":"no","extensions":{"code":"TOO_DEEP"}}]}"#, type: "application/json")
    #expect(failure.errors.map { $0.extensions?["code"]?.string } == ["TOO_DEEP"])
  }

  @Test func `the body is limited in size`() async throws {
    let failure = try await failure("<html>" + String(repeating: "x", count: 300_000), type: "text/html")
    #expect(failure.body.count == 64 << 10)
    #expect(failure.json == nil)
    #expect(failure.excerpt.count <= 210)
  }
}
