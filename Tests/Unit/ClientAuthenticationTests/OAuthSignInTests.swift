import ApusClientNetwork
import ApusConfiguration
import ApusSecrets
import Synchronization
import Testing

@testable import ApusClientAuthentication

/// The requests to an authorization server and its answers.
@Suite(.timeLimit(.minutes(1))) struct OAuthSignInTests {
  /// Answers each request with the next status and body of its path, the last one again.
  private final class Provider: HTTPResponder {
    private let answers: Mutex<[String: [(Int, String)]]>
    private let seen = Mutex<[HTTPRequest]>([])
    private let date: String?

    init(_ answers: [String: [(Int, String)]], date: String? = nil) {
      self.answers = Mutex(answers)
      self.date = date
    }

    var requests: [HTTPRequest] { seen.withLock { $0 } }
    var bodies: [String] { requests.map { String(decoding: $0.body ?? [], as: UTF8.self) } }

    func respond(to request: HTTPRequest, _ response: HTTPResponseWriter) async throws {
      seen.withLock { $0.append(request) }
      let path = String(request.url.dropFirst("https://id.example".count))
      let (status, body) = answers.withLock { answers in
        let left = answers[path] ?? [(404, "")]
        if left.count > 1 { answers[path] = Array(left.dropFirst()) }
        return left[0]
      }
      response.writeHead(status: status, headers: date.map { ["Date": $0] } ?? [:])
      try await response.write(Array(body.utf8))
    }
  }

  private static let metadata = """
    {"issuer":"https://id.example","token_endpoint":"https://id.example/token",
     "device_authorization_endpoint":"https://id.example/device",
     "authorization_endpoint":"https://id.example/authorize"}
    """
  private static let token = #"{"access_token":"at","token_type":"Bearer","expires_in":60,"refresh_token":"rt"}"#
  private static let found = ["/.well-known/openid-configuration": [(200, metadata)]]

  private static func settings(_ lines: String) throws -> OAuthSettings {
    let text = "profiles:\n  p:\n    url: https://api.example/g\n    auth: {type: oauth2, client-id: apus, \(lines)}\n"
    let settings = try Settings(try YAMLParser.parse(Array(text.utf8), file: "config.yml"))
    guard case .oauth(let oauth) = try #require(settings.profiles.first?.authentication).source else {
      throw SignInError.cancelled
    }
    return oauth
  }

  private static func signIn(
    _ lines: String, secret: String? = nil, _ provider: Provider,
    wait: @escaping @Sendable (Duration) async throws -> Void = { _ in }
  ) throws -> OAuthSignIn {
    OAuthSignIn(
      profile: "p", try settings(lines), transport: HTTPTransport(responder: provider),
      connection: HTTPConnectionOptions(), now: { 1000 }, wait: wait,
      client: { OAuthClient(id: "apus", secret: secret) })
  }

  /// The failure of a sign-in; nil if it succeeds.
  private static func failure<Result>(_ body: () async throws -> Result) async -> SignInError? {
    do {
      _ = try await body()
      return nil
    } catch {
      return error as? SignInError
    }
  }

  private static func run(_ signIn: OAuthSignIn) async throws(SignInError) -> AccessToken {
    try await signIn.signIn(
      receiver: { _ throws(SignInError) in throw SignInError.cancelled }, show: { _ in })
  }

  private static let robot = "grant: client-credentials, client-secret: s, issuer: https://id.example"
  private static let device = "grant: device-code, issuer: https://id.example"

  // MARK: Discovery

  @Test func `an issuer's metadata is searched at the places of OpenID and of RFC 8414`() {
    #expect(
      AuthorizationServer.metadataURLs(of: "https://id.example") == [
        "https://id.example/.well-known/openid-configuration",
        "https://id.example/.well-known/oauth-authorization-server",
      ])
    #expect(
      AuthorizationServer.metadataURLs(of: "https://id.example/realms/a/") == [
        "https://id.example/realms/a/.well-known/openid-configuration",
        "https://id.example/.well-known/oauth-authorization-server/realms/a",
        "https://id.example/.well-known/openid-configuration/realms/a",
      ])
  }

  @Test func `metadata of another issuer or with an insecure URL is refused`() async throws {
    let bad = [
      #"{"issuer":"https://other.example","token_endpoint":"https://id.example/token"}"#,
      #"{"issuer":"https://id.example","token_endpoint":"http://id.example/token"}"#,
      #"{"issuer":"https://id.example"}"#, #"{"token_endpoint":"https://id.example/token"}"#,
    ]
    for text in bad {
      let provider = Provider(["/.well-known/openid-configuration": [(200, text)], "/token": [(200, Self.token)]])
      let signIn = try Self.signIn(Self.robot, secret: "s", provider)
      #expect(await Self.failure { try await signIn.token() }?.exitCode == 4, "\(text)")
      #expect(provider.requests.allSatisfy { $0.method == "GET" }, "no secret is sent: \(text)")
    }
  }

  @Test func `URLs of the profile take precedence over those of the issuer`() async throws {
    let provider = Provider(
      ["/.well-known/openid-configuration": [(200, Self.metadata)], "/other": [(200, Self.token)]])
    let signIn = try Self.signIn("\(Self.robot), token-url: https://id.example/other", secret: "s", provider)
    #expect(try await signIn.token()?.value == "at")
  }

  // MARK: Token requests

  @Test func `a secret is sent as basic authentication unless the server or the profile says otherwise`() async throws {
    let listed = { (methods: String) in
      Self.metadata.replacing("}", with: #","token_endpoint_auth_methods_supported":\#(methods)}"#)
    }
    let cases = [
      (Self.metadata, "", true), (listed(#"["client_secret_post"]"#), "", false),
      (listed(#"["client_secret_post","client_secret_basic"]"#), "", true), (listed("[]"), "", true),
      (Self.metadata, ", client-authentication: body", false),
      (listed(#"["client_secret_post"]"#), ", client-authentication: basic", true),
    ]
    for (metadata, extra, isBasic) in cases {
      let provider = Provider(
        ["/.well-known/openid-configuration": [(200, metadata)], "/token": [(200, Self.token)]])
      _ = try await Self.signIn(Self.robot + extra, secret: "s:x", provider).token()
      let request = try #require(provider.requests.last)
      #expect((request.headers["Authorization"] == "Basic YXB1czpzJTNBeA==") == isBasic)
      #expect(provider.bodies.last?.contains("client_secret=s%3Ax") == !isBasic)
      #expect(provider.bodies.last?.hasPrefix("grant_type=client_credentials") == true)
      #expect(request.maximumRedirects == 0)
    }
  }

  @Test func `scopes and audience are sent with each first request`() async throws {
    let provider = Provider(Self.found.merging(["/token": [(200, Self.token)]]) { $1 })
    _ = try await Self.signIn("\(Self.robot), scopes: [a, b c], audience: 'https://api.example'", provider).token()
    #expect(provider.bodies.last?.contains("&scope=a%20b%20c&audience=https%3A%2F%2Fapi.example") == true)
  }

  /// The answers of a token endpoint, and what becomes of them.
  private static let answers: [(status: Int, body: String, exitCode: Int32?, words: String)] = [
    (200, token, nil, ""),
    (200, #"{"access_token":"at"}"#, nil, ""),
    (200, #"{"access_token":"at","expires_in":"60"}"#, nil, ""),
    (200, #"{"access_token":"at","token_type":"MAC"}"#, 4, "type 'MAC'"),
    (200, #"{"access_token":"a\r\nb"}"#, 4, "invalid characters"),
    (200, "{}", 4, "no access_token"), (200, "<html>", 4, "no access_token"),
    (200, #"{"error":"invalid_client"}"#, 3, "check client-id"),
    (400, #"{"error":"invalid_scope","error_description":"no 'x'"}"#, 3, "invalid_scope: no 'x'; check scopes"),
    (400, #"{"error":"unauthorized_client"}"#, 3, "allow this grant"),
    (401, #"{"error":"invalid_client"}"#, 3, "check client-id and client-secret"),
    (403, "", 3, "status 403"), (500, "oops", 4, "status 500"), (302, "", 4, "status 302"),
  ]

  @Test func `each answer of a token endpoint is a token, or an error that says what to do`() async throws {
    for (status, body, exitCode, words) in Self.answers {
      let provider = Provider(Self.found.merging(["/token": [(status, body)]]) { $1 })
      let signIn = try Self.signIn(Self.robot, secret: "s", provider)
      let failure = await Self.failure {
        let token = try await signIn.token()
        #expect(token?.value == "at", "\(body)")
      }
      #expect(failure?.exitCode == exitCode, "\(status) \(body)")
      if let failure { #expect("\(failure)".contains(words), "\(failure)") }
    }
  }

  @Test func `a refusal mentions a clock that is wrong by minutes`() async throws {
    for (date, words) in [
      ("Thu, 01 Jan 1970 00:06:40 GMT", "clock is 10 minutes fast"),
      ("Thu, 01 Jan 1970 00:26:40 GMT", "clock is 10 minutes slow"), ("Thu, 01 Jan 1970 00:16:45 GMT", ""),
    ] {
      let provider = Provider(
        Self.found.merging(["/token": [(400, #"{"error":"invalid_grant"}"#)]]) { $1 }, date: date)
      let signIn = try Self.signIn(Self.robot, secret: "s", provider)
      let failure = try #require(await Self.failure { try await signIn.token() })
      #expect(words.isEmpty || "\(failure)".contains(words), "\(failure)")
      #expect("\(failure)".contains("clock") == !words.isEmpty)
    }
  }

  @Test func `a refresh keeps its token unless the server sends another`() async throws {
    for (body, refresh) in [
      (Self.token, "rt"), (#"{"access_token":"at"}"#, "old"),
    ] {
      let provider = Provider(Self.found.merging(["/token": [(200, body)]]) { $1 })
      let token = try await Self.signIn(Self.device, provider).refresh("old").token
      #expect(token?.refreshToken == refresh)
      #expect(provider.bodies.last == "grant_type=refresh_token&refresh_token=old&client_id=apus")
    }
    let refusing = Provider(Self.found.merging(["/token": [(400, #"{"error":"invalid_grant"}"#)]]) { $1 })
    let refused = try await Self.signIn(Self.device, refusing).refresh("old")
    #expect(refused.token == nil && refused.reason == "invalid_grant")
  }

  // MARK: Device code

  private static let codes =
    #"{"device_code":"dc","user_code":"AB-CD","verification_uri":"https://id.example/enter","expires_in":60,"interval":2}"#
  private static let pending = (400, #"{"error":"authorization_pending"}"#)

  @Test func `a device code is polled at the server's interval, more slowly on request`() async throws {
    let waits = Mutex<[Duration]>([])
    let provider = Provider(
      Self.found.merging([
        "/device": [(200, Self.codes)],
        "/token": [Self.pending, (400, #"{"error":"slow_down"}"#), Self.pending, (200, Self.token)],
      ]) { $1 })
    let signIn = try Self.signIn(Self.device, provider) { wait in waits.withLock { $0.append(wait) } }
    #expect(try await Self.run(signIn).value == "at")
    #expect(waits.withLock { $0 } == [2, 2, 7, 7].map { Duration.seconds($0) })
  }

  @Test func `a declined or expired code ends the sign-in`() async throws {
    for (error, expected) in [
      ("access_denied", SignInError.declined(profile: "p")), ("expired_token", .codeExpired(profile: "p")),
    ] {
      let provider = Provider(
        Self.found.merging(["/device": [(200, Self.codes)], "/token": [(400, #"{"error":"\#(error)"}"#)]]) { $1 })
      let signIn = try Self.signIn(Self.device, provider)
      await #expect(throws: expected) { try await Self.run(signIn) }
    }
  }

  @Test func `a page to open must begin with https:// or http://`() async throws {
    for page in ["file:///etc/passwd", "javascript:alert(1)", "https://id.example/a b", ""] {
      let codes = Self.codes.replacing("https://id.example/enter", with: page)
      let provider = Provider(Self.found.merging(["/device": [(200, codes)]]) { $1 })
      let signIn = try Self.signIn(Self.device, provider)
      #expect(await Self.failure { try await Self.run(signIn) }?.exitCode == 4, "\(page)")
    }
  }

  // MARK: Authorization code

  @Test func `a proof key is the digest of its verifier`() {
    // RFC 7636, appendix B.
    #expect(
      AuthorizationCodeRequest.challenge(of: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
  }

  @Test func `a redirect counts only with the state of this sign-in`() throws {
    let request = AuthorizationCodeRequest(
      "https://id.example/authorize?a=b", OAuthClient(id: "apus"),
      redirectURL: "http://127.0.0.1:4000/callback")
    #expect(request.url.hasPrefix("https://id.example/authorize?a=b&response_type=code&client_id=apus&redirect_uri="))
    func code(_ query: String) throws(SignInError) -> String? {
      try request.code(in: query, host: "id.example", profile: "p")
    }
    #expect(try code("code=c%2B1&state=\(request.state)") == "c+1")
    #expect(try code("code=c&state=\(request.state)&code=d") == "c")
    for query in ["code=c", "code=c&state=other", "code=&state=\(request.state)", "", "state=\(request.state)x&code=c"]
    {
      #expect(try code(query) == nil, "\(query)")
    }
    #expect(throws: SignInError.declined(profile: "p")) { try code("error=access_denied&state=\(request.state)") }
    #expect(throws: SignInError.refused(host: "id.example", reason: "server_error: a b")) {
      try code("error=server_error&error_description=a+b&state=\(request.state)")
    }
    #expect(try code("error=access_denied&state=other") == nil)
  }

  @Test func `the code is exchanged with the verifier of its request`() async throws {
    let provider = Provider(Self.found.merging(["/token": [(200, Self.token)]]) { $1 })
    let signIn = try Self.signIn("grant: authorization-code, issuer: https://id.example", provider)
    let page = Mutex("")
    let token = try await signIn.signIn(
      receiver: { _ in ScriptedBrowser { page.withLock { $0 } } },
      show: { prompt in if case .browser(let url) = prompt { page.withLock { $0 = url } } })
    #expect(token.value == "at")
    let fields = AuthorizationCodeRequest.fields(of: try #require(provider.bodies.last))
    let asked = AuthorizationCodeRequest.fields(of: String(page.withLock { $0 }.drop { $0 != "?" }.dropFirst()))
    #expect(fields["code"] == "c" && fields["redirect_uri"] == asked["redirect_uri"])
    #expect(asked["code_challenge"] == AuthorizationCodeRequest.challenge(of: fields["code_verifier"] ?? ""))
    #expect(asked["code_challenge_method"] == "S256")
  }

  /// A browser whose user agrees on the page.
  private struct ScriptedBrowser: RedirectReceiver {
    let url = "http://127.0.0.1:4000/callback"
    let page: @Sendable () -> String

    func receive(
      _ answer: @escaping @Sendable (_ query: String) throws(SignInError) -> String?
    ) async throws(SignInError) -> String {
      let state = AuthorizationCodeRequest.fields(of: String(page().drop { $0 != "?" }.dropFirst()))["state"] ?? ""
      guard let code = try answer("code=c&state=\(state)") else { throw .cancelled }
      return code
    }
  }
}
