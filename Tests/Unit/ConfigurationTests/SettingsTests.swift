import Dispatch
import Synchronization
import Testing

@testable import ApusConfiguration
@testable import ApusSecrets

private func settings(_ text: String) throws -> Settings {
  try Settings(YAMLParser.parse(text, file: "config.yml"))
}

private func failure(_ text: String) -> String {
  do {
    return "no error: \(try settings(text))"
  } catch {
    return "\(error)"
  }
}

@Suite struct SettingsTests {
  @Test func `settings with a mistake are skipped and the others apply`() throws {
    let root = try YAMLParser.parse(
      Array(
        """
        theme: nord
        escapeDelay: soon
        hints: false
        profiles:
          birds: https://birds.example/graphql
          live:
            url: https://live.example/graphql
            production: maybe
          ring: ftp://ring.example
        nonsense: 1
        """.utf8), file: "config.yml")
    let settings = Settings(tolerating: root)
    #expect(settings.theme == "nord" && !settings.showsHints)
    // A profile with a mistake is not used at all, because the mistake may be in its production flag.
    #expect(settings.profiles.map(\.name) == ["birds"])
    #expect(settings.problems.map(\.line).sorted() == [2, 8, 9, 10])
    #expect(throws: ConfigurationError.self) { try Settings(root) }
  }

  @Test func `profiles are read in both forms`() throws {
    let settings = try settings(
      """
      theme: nord
      escapeDelay: 50
      profiles:
        birds: https://birds.example/graphql
        ringing:
          url: http://localhost:4000/graphql
          environment:
            TENANT: north-$REGION
            PASS: $(pass show)
          headers:
            Authorization: Bearer $TOKEN
            X-Plain: "1"
          timeout: 2.5
          proxy: http://proxy:8080
          insecure: true
          cacert: ca.pem
          cert: me.pem
          key: me.key
          subscription-transport: sse
          subscription-url: wss://events.example/graphql
          on-error: "NULL"
          proxy-cacert: proxy-ca.pem
          proxy-insecure: true
          connection-payload:
            token: $TOKEN
          schema: schema.graphql
          theme: dracula
          production: true
      """)
    #expect(settings.theme == "nord")
    #expect(settings.escapeDelay == 50)
    #expect(settings.profiles.map(\.name) == ["birds", "ringing"])
    #expect(settings.profile(named: "birds")?.url == "https://birds.example/graphql")
    let ringing = try #require(settings.profile(named: "ringing"))
    #expect(ringing.url == "http://localhost:4000/graphql")
    #expect(ringing.headers.map(\.name) == ["Authorization", "X-Plain"])
    #expect(ringing.headers.map(\.value.isLive) == [true, false])
    #expect(ringing.environment.map(\.name) == ["TENANT", "PASS"])
    let text = try SecretText("$TENANT $PASS $REGION")
    let sent = try ringing.resolved(text, process: ["TENANT": "south", "REGION": "7"]) { "<\($0)>" }
    #expect(sent == "north-7 <pass show> 7")
    #expect(throws: SecretTextError.noVariable("REGION")) { try ringing.resolved(text, process: [:]) { $0 } }
    #expect(ringing.timeout == .milliseconds(2_500))
    #expect(ringing.proxy == "http://proxy:8080")
    #expect(ringing.isInsecure)
    #expect(ringing.certificateAuthority == "ca.pem")
    #expect(ringing.certificate == "me.pem")
    #expect(ringing.key == "me.key")
    #expect(ringing.subscriptionTransport == "sse")
    #expect(ringing.subscriptionURL == "wss://events.example/graphql")
    #expect(ringing.onError == "NULL")
    #expect(ringing.proxyCertificateAuthority == "proxy-ca.pem" && ringing.isProxyInsecure)
    #expect(ringing.connectionPayload.map(\.name) == ["token"])
    #expect(ringing.connectionPayload.map(\.value.isLive) == [true])
    #expect(ringing.schema == "schema.graphql")
    #expect(ringing.theme == "dracula")
    #expect(ringing.isProduction)
  }

  @Test(arguments: [
    (
      "theem: x",
      "config.yml:1:1: the configuration has no key 'theem'; did you mean theme?"
    ),
    ("[]", "config.yml:1:1: the configuration must be a mapping, not a list"),
    ("profiles:\n  a: birds.example", "config.yml:2:6: the url of the profile 'a' must begin with http:// or https://"),
    ("profiles:\n  a: {timeout: 3}", "config.yml:2:6: the profile 'a' needs a url"),
    (
      "profiles:\n  a: {url: 'http://x', subscription-transport: pigeon}",
      "config.yml:2:48: subscription-transport must be one of auto, ws, legacy-ws, sse, multipart"
    ),
    (
      "profiles:\n  a: {url: 'http://x', subscription-url: 'ftp://x'}",
      "config.yml:2:42: subscription-url must begin with https://, http://, wss:// or ws://"
    ),
    (
      "profiles:\n  a: {url: 'http://x', subscription-url: 'ws://x y'}",
      "config.yml:2:42: subscription-url must begin with https://, http://, wss:// or ws://"
    ),
    (
      "profiles:\n  a: {url: 'http://x', on-error: 'null'}",
      "config.yml:2:34: on-error must be one of PROPAGATE, NULL, HALT"
    ),
    ("profiles:\n  http://x: {}", "config.yml:2:3: 'http://x' cannot be the name of a profile"),
    (
      "profiles:\n  a: {url: 'http://x', timeout: soon}",
      "config.yml:2:33: timeout must be a number of seconds from 0.001"
    ),
    (
      "profiles:\n  a: {url: 'http://x', timeout: 0.0004}",
      "config.yml:2:33: timeout must be a number of seconds from 0.001"
    ),
    (
      "profiles:\n  a: {url: 'http://x', headers: {'X Y': 1}}",
      "config.yml:2:34: 'X Y' cannot be the name of a header"
    ),
    (
      "profiles:\n  a: {url: 'http://x', environment: {a-b: 1}}",
      "config.yml:2:38: 'a-b' cannot be the name of a variable"
    ),
    (
      "profiles:\n  a: {url: 'http://x', headers: {X: \"a\\r\\nY: b\"}}",
      "config.yml:2:37: the header X must be one line without control characters"
    ),
    (
      "profiles:\n  a: {url: 'http://x', headers: {X: $(pass}}",
      "config.yml:2:37: the header X: '$(' is not closed"
    ),
  ])
  func `invalid settings are reported with their location`(text: String, message: String) {
    #expect(failure(text) == message)
  }

  @Test func `cache keys of a profile override the global ones`() throws {
    let settings = try settings(
      """
      cacheKeys:
        fields: id slug
        types:
          Sighting: bird day
      profiles:
        birds: https://birds.example/graphql
        ringing:
          url: http://localhost:4000/graphql
          cacheKeys:
            fields: nodeId
            types:
              Bird: ring
      """)
    #expect(settings.cacheKeys(for: nil).fields == ["id", "slug"])
    #expect(settings.cacheKeys(for: settings.profile(named: "birds")).types == ["Sighting": ["bird", "day"]])
    let ringing = settings.cacheKeys(for: settings.profile(named: "ringing"))
    #expect(ringing.fields == ["nodeId"])
    #expect(ringing.types == ["Sighting": ["bird", "day"], "Bird": ["ring"]])
    #expect(failure("cacheKeys:\n  types:\n    Bird: a-b").contains("must be field names"))
  }

  @Test func `settings are read from the configuration folder, and empty without a file`() throws {
    let folder = try TemporaryFolder(["config.yml": "theme: nord\n"])
    #expect(try Settings.load(from: UserFolders(environment: ["APUS_CONFIG_HOME": folder.path])).theme == "nord")
    #expect(try Settings.load(from: UserFolders(environment: ["APUS_CONFIG_HOME": "/nowhere"])) == Settings())
    #expect(throws: ConfigurationError.self) { try UserFile.read(folder.path) }
    #expect(UserFile.names(in: folder.path, endings: [".yml"]) == ["config.yml"])
    #expect(UserFile.names(in: "/nowhere", endings: [".yml"]) == [])
  }

  @Test func `folders are determined by environment variables`() {
    let plain = UserFolders(environment: ["HOME": "/home/me"])
    #expect(plain.configFile == "/home/me/.config/apus/config.yml")
    #expect(plain.data == "/home/me/.local/share/apus")
    #expect(plain.state == "/home/me/.local/state/apus")
    #expect(plain.cache == "/home/me/.cache/apus")
    let moved = UserFolders(environment: ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_DATA_HOME": "relative"])
    #expect(moved.themes == "/c/apus/themes")
    #expect(moved.data == "/h/.local/share/apus")
    #expect(UserFolders(environment: [:]).config.hasPrefix("/"))
  }
}

@Suite(.timeLimit(.minutes(1))) struct SecretTextTests {
  private func resolved(_ source: String) -> String {
    do throws(SecretTextError) {
      return try SecretText(source).resolved(environment: ["TOKEN": "t0", "B_2": "b"]) { "<\($0)>" }
    } catch {
      return error.description
    }
  }

  @Test(arguments: [
    ("plain", "plain"), ("Bearer $TOKEN", "Bearer t0"), ("${TOKEN}x", "t0x"), ("$TOKEN$B_2", "t0b"),
    ("$$TOKEN", "$TOKEN"),
    ("$(pass show a) b", "<pass show a> b"), ("$(echo $(date) ')')", "<echo $(date) ')'>"), ("a$(b)$TOKEN.", "a<b>t0."),
    ("$MISSING", "the environment has no variable 'MISSING'"),
    ("cost: 5$", "'$' is not a variable name; write $$ for a dollar sign"),
    ("${A B}", "'$A B' is not a variable name; write $$ for a dollar sign"), ("${A", "'${' is not closed"),
    ("$(a", "'$(' is not closed"), ("$1", "'$1' is not a variable name; write $$ for a dollar sign"), ("", ""),
  ])
  func `values are taken from the environment and from commands`(source: String, result: String) {
    #expect(resolved(source) == result)
  }

  @Test func `a secret does not print its resolved value`() throws {
    let secret = try SecretText("Bearer $TOKEN")
    #expect("\(secret)" == "Bearer $TOKEN")
    #expect(secret.isLive)
    #expect(!SecretText(literal: "$TOKEN").isLive)
    #expect(try SecretText(literal: "$TOKEN").resolved(environment: [:]) == "$TOKEN")
  }

  @Test func `the value of a command is its output without trailing line feeds`() throws {
    #expect(try CommandOutput.of("printf 'a b\\n\\n'") == "a b")
    #expect(try CommandOutput.of("cat") == "", "A command must not read the terminal")
    #expect(throws: SecretTextError.commandFailed("exit 3", status: 3)) { try CommandOutput.of("exit 3") }
    #expect(throws: SecretTextError.commandFailed("kill -9 $$", status: 137)) { try CommandOutput.of("kill -9 $$") }
    #expect(throws: SecretTextError.outputTooLong("yes")) { try CommandOutput.of("yes") }
  }

  @Test func `a command that starts after its task was canceled is killed`() async {
    let canceled = DispatchSemaphore(value: 0)
    let failure = Mutex<SecretTextError?>(nil)
    let task = Task {
      try await CommandOutput.beside { run in
        canceled.wait()
        do throws(SecretTextError) { _ = try run("exec sleep 10") } catch { failure.withLock { $0 = error } }
      }
    }
    task.cancel()
    canceled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(failure.withLock { $0 } == .commandFailed("exec sleep 10", status: 143))
  }
}
