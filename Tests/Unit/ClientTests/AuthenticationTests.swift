import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusTestSupport
import Synchronization
import Testing

/// Tokens that expire while requests are in progress.
@Suite(.timeLimit(.minutes(1))) struct AuthenticationTests {
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
    func note(_ token: String?) { tokens.withLock { $0.append(token) } }
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
  func `a rejected token is renewed and the request sent again`(rejection: ScriptedAnswer) async throws {
    let server = try server(rejecting: rejection)
    let renewals = Renewals()
    let run = await read(client(server.url, renewals.credentials("old")).fetch(query: try operation("{ a }")))
    #expect(run.lines == [#"0 complete {"a":1}"#])
    #expect(renewals.rejected == ["old"])
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer old", "Bearer new"])
  }

  @Test func `many waiting requests share one renewal`() async throws {
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

  @Test func `a first token is fetched before the first request`() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let renewals = Renewals()
    _ = await read(client(server.url, renewals.credentials(nil)).fetch(query: try operation("{ a }")))
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer new"])
  }

  @Test func `a renewed token that is rejected ends the request`() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let run = await read(
      client(server.url, Renewals().credentials("old", gives: "worse")).fetch(query: try operation("{ a }")))
    #expect(run.lines.first?.contains("answered 401") == true)
    #expect(server.requests.count == 2)
  }

  @Test func `a rejected mutation renews the token but is not repeated`() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let renewals = Renewals()
    let client = client(server.url, renewals.credentials("old"))
    let run = await read(client.perform(mutation: try operation("mutation { a }")))
    #expect(run.lines.first?.contains("answered 401") == true)
    #expect(server.requests.count == 1)
    #expect(renewals.rejected == ["old"])
    #expect(await read(client.perform(mutation: try operation("mutation { a }"))).lines == [#"0 complete {"a":1}"#])
  }

  // MARK: Header fields of an endpoint

  private func client(_ url: String, renewals: Renewals) -> GraphQLClient {
    let old = HTTPHeaders.Field(name: "Authorization", value: "Bearer old")
    var features = RequestFeatures()
    features.renewableHeaders = RenewableHeaders([old]) {
      renewals.note("renewed")
      return [HTTPHeaders.Field(name: "Authorization", value: "Bearer new")]
    }
    return GraphQLClient(url: url, headers: ["Authorization": "Bearer old", "X-Team": "birds"], features: features)
  }

  @Test(arguments: [
    ScriptedAnswer.json("{}", status: 401),
    ScriptedAnswer.json(#"{"data":null,"errors":[{"message":"who?","extensions":{"code":"invalid-jwt"}}]}"#),
    ScriptedAnswer.json(#"{"errors":[{"message":"who?","extensions":{"code":"AUTH_NOT_AUTHENTICATED"}}]}"#),
  ])
  func `rejected headers are made again for this request and for those that follow`(rejection: ScriptedAnswer)
    async throws
  {
    let server = try server(rejecting: rejection)
    let renewals = Renewals()
    let client = client(server.url, renewals: renewals)
    #expect(await read(client.fetch(query: try operation("{ a }"))).lines == [#"0 complete {"a":1}"#])
    #expect(await read(client.fetch(query: try operation("{ b: a }"))).lines.count == 1)
    #expect(renewals.rejected == ["renewed"])
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer old", "Bearer new", "Bearer new"])
    #expect(server.requests.allSatisfy { $0.header("X-Team") == "birds" })
  }

  @Test func `status 401 with partial data renews the headers, and repeats no mutation`() async throws {
    let rejection = ScriptedAnswer.json(
      #"{"data":{"a":2},"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#, status: 401)
    let server = try server(rejecting: rejection)
    var renewals = Renewals()
    let query = try operation("{ a }")
    #expect(await read(client(server.url, renewals: renewals).fetch(query: query)).lines == [#"0 complete {"a":1}"#])
    #expect(server.requests.count == 2)
    renewals = Renewals()
    let mutation = client(server.url, renewals: renewals).perform(mutation: try operation("mutation { a }"))
    #expect(await read(mutation).lines.first?.contains(#"{"a":2}"#) == true)
    #expect(server.requests.count == 3 && renewals.rejected == ["renewed"])
  }

  @Test func `partial data with status 200 renews nothing`() async throws {
    let partial = #"{"data":{"a":2},"errors":[{"message":"who?","extensions":{"code":"UNAUTHENTICATED"}}]}"#
    let server = try server(rejecting: .json(partial))
    let renewals = Renewals()
    let run = await read(client(server.url, renewals: renewals).fetch(query: try operation("{ a }")))
    #expect(run.lines.first?.contains(#"{"a":2}"#) == true)
    #expect(server.requests.count == 1 && renewals.rejected.isEmpty)
  }

  @Test func `a header that the request itself sets is not replaced`() async throws {
    let server = try server(rejecting: .json("{}", status: 401))
    let client = client(server.url, renewals: Renewals())
    var options = RequestOptions()
    options.headers = ["Authorization": "Bearer typed"]
    _ = await read(client.fetch(query: try operation("{ a }"), options: options))
    #expect(server.requests.map { $0.header("Authorization") } == ["Bearer typed", "Bearer typed"])
  }

  @Test(arguments: [
    (ScriptedAnswer.json("{}", status: 401), "mutation { a }", 2),
    (.json(#"{"errors":[{"message":"no","extensions":{"code":"UNAUTHENTICATED"}}]}"#), "mutation { a b }", 2),
    (.json(rejected(path: #"["a"]"#)), "mutation { a }", 2),
    // Another field may have been executed before the one that was rejected.
    (.json(rejected(path: #"["b"]"#)), "mutation { a b }", 1),
    (.json(rejected(path: #"["a","b"]"#)), "mutation { a { b } }", 1),
    (.json(rejected(path: #"["a"]"#, data: #"{"a":null}"#)), "mutation { a }", 1),
    (.json(rejected(path: #"["b"]"#, data: #"{"a":1,"b":null}"#)), "mutation { a b }", 1),
  ])
  func `a mutation is sent again only if nothing of it can have been executed`(
    rejection: ScriptedAnswer, mutation: String, count: Int
  ) async throws {
    let server = try server(rejecting: rejection)
    _ = await read(client(server.url, renewals: Renewals()).perform(mutation: try operation(mutation)))
    #expect(server.requests.count == count)
  }

  private static func rejected(path: String, data: String = "null") -> String {
    #"{"data":\#(data),"errors":[{"message":"no","path":\#(path),"extensions":{"code":"UNAUTHENTICATED"}}]}"#
  }

  @Test func `headers that are rejected again end the request`() async throws {
    let server = try ScriptedServer { _, _ in .json("{}", status: 401) }
    let renewals = Renewals()
    let run = await read(client(server.url, renewals: renewals).fetch(query: try operation("{ a }")))
    #expect(run.lines.first?.contains("answered 401") == true)
    #expect(server.requests.count == 2)
    #expect(renewals.rejected == ["renewed"])
  }

  @Test func `a canceled request does not wait for its token`() async throws {
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
    await #expect(throws: CancellationError.self) { try await first.joined }
    ending.finish()
    #expect(try await second.joined == "late", "the renewal continued for the other request")
    #expect(try await credentials.current() == "late")
  }

  /// The server has rejected the old token, so a request that starts during the renewal must not send it.
  @Test func `a request during a renewal waits for the new token`() async throws {
    let (begun, beginning) = AsyncStream.makeStream(of: Void.self)
    let (ended, ending) = AsyncStream.makeStream(of: Void.self)
    let credentials = Credentials(token: "old") { _ in
      beginning.yield()
      for await _ in ended {}
      return "new"
    }
    let first = Task { try await credentials.renewed(inPlaceOf: "old") }
    for await _ in begun { break }
    let answered = Renewals()
    let second = Task {
      let token = try await credentials.current()
      answered.note(token)
      return token
    }
    let third = Task {
      let token = try await credentials.renewed(inPlaceOf: "old")
      answered.note(token)
      return token
    }
    // Gives both requests the time to be answered too early.
    for _ in 0..<100 { await Task.yield() }
    #expect(answered.rejected == [])
    ending.finish()
    #expect(try await [first.joined, second.joined, third.joined] == ["new", "new", "new"])
  }

  @Test func `a renewal may use the same client`() async throws {
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

/// Header fields of a sign-in: a value that expires, and one that changes while the client is open.
@Suite(.timeLimit(.minutes(1))) struct SignInFieldTests {
  /// A sign-in whose tokens are numbered.
  private final class Source: Sendable {
    struct State {
      var number = 1
      var expires = false
      var calls: [Bool] = []
    }

    let state = Mutex(State())
    var calls: [Bool] { state.withLock { $0.calls } }
    var value: String { state.withLock { "Bearer \($0.number)" } }

    /// Signs in again, with the next token.
    func signIn() { state.withLock { $0.number += 1 } }

    var field: RenewableHeaders.SignInField {
      RenewableHeaders.SignInField(
        name: "Authorization", isOutdated: { newest in newest != self.value || self.state.withLock { $0.expires } },
        value: { isRejected in
          self.state.withLock { state in
            state.calls.append(isRejected)
            if isRejected || state.expires { state.number += 1 }
            state.expires = false
          }
          return self.value
        })
    }
  }

  private func run(
    _ source: Source, headers: HTTPHeaders = [:],
    accepting isAccepted: @escaping @Sendable (String) -> Bool = { _ in true },
    between change: () -> Void = {}
  ) async throws -> [String] {
    let server = try ScriptedServer { request, _ in
      isAccepted(request.header("Authorization") ?? "") ? .json(#"{"data":{"a":1}}"#) : .json("{}", status: 401)
    }
    var features = RequestFeatures()
    features.renewableHeaders = RenewableHeaders([], signIn: source.field) { [] }
    let client = GraphQLClient(endpoint: HTTPRequest(url: server.url, headers: headers), features: features)
    for step in 0..<2 {
      _ = await read(client.fetch(query: try operation("{ a }"), cachePolicy: .networkOnly))
      if step == 0 { change() }
    }
    return server.requests.map { $0.header("Authorization") ?? "" }
  }

  @Test func `the first request gets the token, and the next ones keep it`() async throws {
    let source = Source()
    #expect(try await run(source) == ["Bearer 1", "Bearer 1"])
    #expect(source.calls == [false])
  }

  @Test func `an expiring token is replaced before the request`() async throws {
    let source = Source()
    let sent = try await run(source, between: { source.state.withLock { $0.expires = true } })
    #expect(sent == ["Bearer 1", "Bearer 2"])
    #expect(source.calls == [false, false])
  }

  @Test func `a token of another sign-in is used, and not taken for the rejected one`() async throws {
    let source = Source()
    #expect(try await run(source, between: { source.signIn() }) == ["Bearer 1", "Bearer 2"])
    #expect(source.calls == [false, false])
  }

  @Test func `a rejected token is renewed once`() async throws {
    let source = Source()
    #expect(try await run(source, accepting: { $0 == "Bearer 2" }) == ["Bearer 1", "Bearer 2", "Bearer 2"])
    #expect(source.calls == [false, true])
  }

  @Test func `a header that the user gave takes precedence, and is not renewed`() async throws {
    let source = Source()
    let sent = try await run(source, headers: ["Authorization": "mine"], accepting: { _ in false })
    #expect(sent == ["mine", "mine"])
    #expect(source.calls.isEmpty)
  }
}
