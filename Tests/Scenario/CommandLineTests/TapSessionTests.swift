import ApusTestSupport
import Foundation
import Testing

/// `apus tap` on a terminal: an application runs while the explorer shows its requests.
@Suite(.serialized, .timeLimit(.minutes(3)))
struct TapSessionTests {
  private let server: ChildProcess
  private let session: TmuxSession
  /// The URL for the application.
  private let url: String

  init() async throws {
    server = try ChildProcess(Checkout.apus, ["serve", "--delay-scale", "0.5"])
    let serverURL = try #require(await server.nextLine())
    session = try await TmuxSession(columns: 130, rows: 36)
    try await session.run("\(Checkout.apus) tap \(serverURL)")
    let screen = try await session.wait(for: "No request has arrived.")
    url = try #require(screen.firstMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/[a-z]*/)).output.description
    try #require(url != serverURL)
  }

  /// Runs an operation as the application.
  private func request(_ query: String, _ options: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(Checkout.apus, ["query", url, "-q", query] + options)
  }

  @Test func `requests arrive in the list, and one opens as a tab that follows its response`() async throws {
    _ = try await request(
      "query First { birds(first: 2) { totalCount } }", "--header", "Authorization: Bearer app-secret")
    try await session.wait("the end of the request") { $0.contains("query First") && $0.contains("complete") }
    let late =
      "query Late { bird(id: \"b1\") { __typename id name ... @defer(label: \"late\") { species { __typename id } } } }"
    async let outcome = request(late)
    try await session.wait(for: "query Late")
    try await session.type("Enter")
    try await session.wait("the response") { $0.contains("#2 Late") && $0.contains("application's request 2") }
    _ = try await outcome
    let screen = try await session.wait("the deferred fragment") { $0.contains("● complete") && $0.contains("species") }
    #expect(screen.contains("2 payloads"))

    // The first request is opened from the list; its header is sent only after a question.
    try await session.type("M-R")
    try await session.wait(for: "2 requests")
    try await session.type("Home", "Enter")
    try await session.wait("the other tab") { $0.contains("application's request 1") }
    try await session.type("M-1", "F5")
    let question = try await session.wait(for: "Send the 1 header to")
    #expect(!question.contains("app-secret") && question.contains("sent by the application to http://127.0.0.1:"))
    try await session.answer("n")
    try await session.wait("the own response") { $0.contains("● complete") && !$0.contains("application's request") }
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("1 Query") && $0.contains("$") }
    // No session is saved.
    #expect(try session.home.files(in: "state/workspaces").filter { $0.hasSuffix(".json") }.isEmpty)
  }

  @Test func `rules that are set in the view change later responses`() async throws {
    let query = "query Ruled { birds(first: 2) { totalCount } }"
    try await session.type("r")
    try await session.wait(for: "One rule in each line")
    try await session.send("state 503")
    try await session.type("Enter")
    try await session.wait(for: "a rule begins with delay")
    try await session.type("C-u")
    try await session.send(" --status 503")
    try await session.type("Down")
    try await session.send("for Ruled")
    try await session.type("Enter")
    try await session.wait(for: "0 requests, rules: status 503; for Ruled")
    let ruled = try await request(query)
    #expect(ruled.exitCode != 0 && "\(ruled)".contains("apus tap: --status 503"), "\(ruled)")
    try await session.wait("the changed response") { $0.contains("query Ruled") && $0.contains("503") }
    #expect(try await request("query Other { birds(first: 2) { totalCount } }").exitCode == 0)
    // Without rules, responses are those of the server.
    try await session.type("r", "Up", "C-u", "Up", "C-u", "Enter")
    try await session.wait(for: "No rule changes new requests")
    #expect(try await request(query).exitCode == 0)
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("Requests to") }
  }

  @Test func `a failed request and the end of the server are shown`() async throws {
    _ = try await request("query Broken { nothing }")
    try await session.wait("the error") { $0.contains("query Broken") && $0.contains("the response has no data") }
    server.signal(SIGKILL)
    _ = await server.outcome()
    _ = try await request("{ birds { totalCount } }")
    try await session.wait("the failure") { $0.contains("failed") && $0.contains("2 requests") }
    try await session.type("/")
    try await session.send("state:failed operation:broken")
    try await session.wait(for: "1 of 2")
    try await session.type("Escape")
    try await session.wait(for: "2 requests")
    try await session.type("C-q")
    try await session.wait("the shell") { !$0.contains("Requests to") }
  }
}
