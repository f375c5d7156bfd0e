import ApusClientCore
import ApusClientRequestChain
import ApusTestSupport
import Synchronization
import Testing

/// Tokens that expire while requests are in progress.
struct AuthenticationTests {
  private let good = ScriptedAnswer.json(#"{"data":{"a":1}}"#)

  /// A server that accepts only the token `new`.
  private func server(rejecting: ScriptedAnswer) throws -> ScriptedServer {
    let good = good
    return try ScriptedServer { request, _ in
      request.header("Authorization") == "Bearer new" ? good : rejecting
    }
  }

  private final class Renewals: Sendable {
    private let tokens = Mutex<[String?]>([])
    var rejected: [String?] { tokens.withLock { $0 } }
    func credentials(_ token: String?, gives fresh: String = "new") -> Credentials {
      Credentials(token: token) { rejected in
        self.tokens.withLock { $0.append(rejected) }
        return fresh
      }
    }
  }

  private func client(_ url: String, _ credentials: Credentials) -> GraphQLClient {
    var features = RequestFeatures()
    features.credentials = credentials
    return GraphQLClient(url: url, features: features)
  }

  @Test(arguments: [
    ScriptedAnswer.json("{}", status: 401),
    ScriptedAnswer.json(#"{"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#),
  ])
  func aRejectedTokenIsRenewedAndTheRequestSentAgain(rejection: ScriptedAnswer) async throws {
    let server = try server(rejecting: rejection)
    let renewals = Renewals()
    let run = await read(client(server.url, renewals.credentials("old")).fetch(query: try operation("{ a }")))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    #expect(renewals.rejected == ["old"])
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer old", "Bearer new"])
  }

  @Test func manyWaitingRequestsShareOneRenewal() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let renewals = Renewals()
    let client = client(server.url, renewals.credentials("old"))
    let query = try operation("{ a }")
    let lines = await withTaskGroup(of: [String].self) { group in
      for _ in 0..<20 { group.addTask { await read(client.fetch(query: query)).lines } }
      return await group.reduce(into: []) { $0 += $1 }
    }
    #expect(lines == Array(repeating: #"0 complete {"a":1}"#, count: 20))
    #expect(renewals.rejected == ["old"])
  }

  @Test func aFirstTokenIsFetchedBeforeTheFirstRequest() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let renewals = Renewals()
    _ = await read(client(server.url, renewals.credentials(nil)).fetch(query: try operation("{ a }")))
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer new"])
  }

  @Test func aRenewedTokenThatIsRejectedEndsTheRequest() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let run = await read(
      client(server.url, Renewals().credentials("old", gives: "worse")).fetch(query: try operation("{ a }")))
    #expect(run.lines.first?.contains("answered 401") == true)
    #expect(server.requests.count == 2)
  }

  @Test func aRejectedMutationRenewsTheTokenButIsNotRepeated() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let renewals = Renewals()
    let client = client(server.url, renewals.credentials("old"))
    let run = await read(client.perform(mutation: try operation("mutation { a }")))
    #expect(run.lines.first?.contains("answered 401") == true)
    #expect(server.requests.count == 1)
    #expect(renewals.rejected == ["old"])
    #expect(await read(client.perform(mutation: try operation("mutation { a }"))).lines == [#"0 complete {"a":1}"#])
  }

  @Test(.timeLimit(.minutes(1))) func aCanceledRequestDoesNotWaitForItsToken() async throws {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let (ended, ending) = AsyncStream.makeStream(of: Void.self)
    let credentials = Credentials { _ in
      beginning.yield()
      for await _ in ended {}
      return "late"
    }
    let first = Task { try await credentials.current() }
    for await _ in begun { break }
    let second = Task { try await credentials.current() }
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    ending.finish()
    #expect(try await second.value == "late", "the renewal went on for the other one")
    #expect(try await credentials.current() == "late")
  }

  @Test(.timeLimit(.minutes(1))) func aRenewalMayUseTheSameClient() async throws {
    let good = good
    let server = try ScriptedServer { request, _ in
      if request.bodyText.contains("login") { return .json(#"{"data":{"login":"new"}}"#) }
      return request.header("Authorization") == "Bearer new" ? good : .json("{}", status: 401)
    }
    let client = Mutex<GraphQLClient?>(nil)
    let login = try operation("mutation { login }")
    let credentials = Credentials { _ in
      let data = try await client.withLock { $0 }?.perform(login).data
      return data?["login"]?.string ?? "none"
    }
    let own = self.client(server.url, credentials)
    client.withLock { $0 = own }
    #expect(await read(own.fetch(query: try operation("{ a }"))).lines == [#"0 complete {"a":1}"#])
    #expect(server.requests.map { $0.header("Authorization") } == [nil, "Bearer new"])
  }
}
