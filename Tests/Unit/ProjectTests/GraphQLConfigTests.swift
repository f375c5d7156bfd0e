import ApusConfiguration
import ApusSecrets
import ApusTestSupport
import Foundation
import Testing

@testable import ApusGraphQLProjects

/// Returns the endpoints of a trusted graphql-config file, one per line: name, URL, headers, schema.
private func endpoints(_ text: String, environment: [String: String] = [:]) throws -> [String] {
  let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
  let folder = try TemporaryFolder()
  let store = TrustStore(folders: UserFolders(environment: ["HOME": folder.root]))
  let trust = try store.add(config.file, shown: config.requests)
  return try config.endpoints.map { endpoint in
    let profile = try config.profile(of: endpoint, trust: trust, isNamed: true, environment: environment)
    let headers = try profile.headers.map { "\($0.name)=\(try $0.value.resolved(environment: environment))" }
    return ([profile.name, profile.url] + headers + [profile.schema].compactMap { $0 }).joined(separator: " ")
  }
}

@Suite struct GraphQLConfigTests {
  @Test func `a schema URL is an endpoint`() throws {
    #expect(try endpoints("schema: https://a.example/graphql\n") == ["default https://a.example/graphql"])
  }

  @Test func `endpoints have headers and a schema file`() throws {
    let text = """
      schema: ./schema.graphql
      documents: src/**/*.graphql
      extensions:
        endpoints:
          dev: http://localhost:4000/graphql
          live:
            url: https://live.example/graphql
            headers: { Authorization: "Bearer ${TOKEN}", X-Mode: "${MODE:slow}" }
      """
    #expect(
      try endpoints(text, environment: ["TOKEN": "t"]) == [
        "dev http://localhost:4000/graphql /p/schema.graphql",
        "live https://live.example/graphql Authorization=Bearer t X-Mode=slow /p/schema.graphql",
      ])
  }

  @Test func `an endpoint has a URL of subscriptions with a connection payload, which the user sees and allows`() throws
  {
    let text = """
      extensions:
        endpoints:
          plain: { url: https://a.example/graphql, subscription: wss://a.example/graphql }
          live:
            url: https://live.example/graphql
            subscription:
              url: wss://${HOST}/graphql
              connectionParams: { token: "${TOKEN}", nested: { a: 1 } }
      """
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    let (plain, live) = (config.endpoints[0].request, config.endpoints[1].request)
    #expect(!plain.needsTrust && live.needsTrust)
    #expect(plain.lines == ["https://a.example/graphql", "subscriptions: wss://a.example/graphql"])
    #expect(
      live.lines == [
        "https://live.example/graphql", "subscriptions: wss://${HOST}/graphql", "connection payload token: ${TOKEN}",
        "with the value of HOST, TOKEN from the environment",
      ])
    let folder = try TemporaryFolder()
    let store = TrustStore(folders: UserFolders(environment: ["HOME": folder.root]))
    let trust = try store.add(config.file, shown: config.requests)
    let profile = try config.profile(
      of: config.endpoints[1], trust: trust, isNamed: true, environment: ["HOST": "ws.example", "TOKEN": "hush"])
    #expect(profile.subscriptionURL == "wss://ws.example/graphql")
    #expect(profile.connectionPayload.map(\.name) == ["token"])
    // The user agreed to another request.
    let changed = text.replacing("wss://${HOST}", with: "wss://evil.example/${HOST}")
    let other = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(changed.utf8)))
    #expect(other.endpoints[1].request.digest != live.digest)
    #expect(other.endpoints[0].request.digest == plain.digest)
  }

  @Test func `names of endpoints in several projects begin with the project`() throws {
    let text = """
      {"projects": {"shop": {"schema": [{"${URL}": {"headers": {"K": "v"}}}]}, "blog": {"schema": "https://b.example"}}}
      """
    #expect(
      try endpoints(text, environment: ["URL": "https://s.example"]) == [
        "shop https://s.example K=v", "blog https://b.example",
      ])
  }

  @Test func `a file belongs to the project that names it`() throws {
    let text = """
      projects:
        shop: { schema: shop.graphql, documents: [shop/**/*.graphql, "!shop/old/**"], exclude: shop/raw.graphql }
        default: { schema: [./a.graphql, ./b/*.graphql], include: "other/{x,y}.graphql" }
      """
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    #expect(config.projects.map(\.schema) == [["/p/shop.graphql"], ["/p/a.graphql", "/p/b/*.graphql"]])
    let names = ["shop/a/b.graphql", "shop/old/a.graphql", "shop/raw.graphql", "other/y.graphql"].map {
      ProjectOwners(config).project(of: "/p/\($0)")?.name
    }
    #expect(names == ["shop", "default", "default", "default"])
    let one = try GraphQLConfig(
      ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array("schema: a.graphql\nexclude: old/**\n".utf8)))
    #expect(
      ProjectOwners(one).project(of: "/p/any.graphql") != nil
        && ProjectOwners(one).project(of: "/p/old/any.graphql") == nil)
  }

  @Test func `the dialect setting is read per project`() throws {
    let text = """
      projects:
        shop: { schema: s.graphql, extensions: { apus: { dialect: relay } } }
        blog: { schema: s.graphql, extensions: { apus: { dialect: [federation, apollo] } } }
        plain: { schema: s.graphql }
      """
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    #expect(config.projects.map(\.dialectSetting) == [["relay"], ["federation", "apollo"], []])
    #expect(config.notes == [])
  }

  @Test func `unknown dialects are reported`() throws {
    let text = "schema: s.graphql\nextensions: { apus: { dialect: [relay, Relay, apollo-client, none] } }\n"
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    #expect(
      config.notes
        == ["Relay", "apollo-client"].map {
          "/p/.graphqlrc.yml: the dialect '\($0)' of extensions.apus.dialect is unknown; "
            + "the dialects are federation, relay, apollo, houdini, composite, appsync, none"
        })
  }

  @Test func `documents with an exclamation mark exclude files`() throws {
    let text = "schema: s.graphql\ndocuments: ['src/**', '!src/gen', '!**/*.old.graphql']\n"
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    let project = try #require(config.projects.first)
    let paths = ["src/a.graphql", "src/gen/b/c.graphql", "src/d.old.graphql", "other/e.graphql"]
    #expect(paths.filter { project.excludes("/p/\($0)") } == ["src/gen/b/c.graphql", "src/d.old.graphql"])
    #expect(
      paths.filter { ProjectOwners(config).project(of: "/p/\($0)") == nil } == [
        "src/gen/b/c.graphql", "src/d.old.graphql",
      ])
  }

  @Test func `files of tools are found above a project but not outside the repository`() throws {
    let folder = try TemporaryFolder()
    try folder.write("relay.config.js", "")
    try folder.write("package.json", "{\"outside\": {}}")
    try folder.write("repo/.git/HEAD", "")
    try folder.write("repo/app/src/a.graphql", "")
    let source = FilePath(folder.path("repo/app/src"))
    let root = ProjectRoot.project(in: folder.path("repo/app"))
    #expect(root.nearestFile(named: ["relay.config.js"], from: source) == nil)
    #expect(root.packageKeys(from: source).keys.isEmpty)
    try folder.write("repo/package.json", "{\"relay\": {}, \"dependencies\": {\"react-relay\": \"1\"}}")
    try folder.write("repo/app/relay.config.json", "{}")
    #expect(
      root.nearestFile(named: ["relay.config.js", "relay.config.json"], from: source)
        == FilePath(real: folder.path("repo/app/relay.config.json")))
    let (keys, dependencies) = root.packageKeys(from: source)
    #expect(keys == ["relay", "dependencies"] && dependencies == ["react-relay"])
  }

  @Test func `mistakes are reported with their location`() {
    #expect(throws: ConfigurationError.self) { try endpoints("extensions:\n  endpoints:\n    dev: {headers: {}}\n") }
  }

  @Test func `a command is rejected even in a trusted file`() {
    for text in ["schema: \"http://x/$(id)\"\n", "schema: [{http://x/: {headers: {K: $(id)}}}]\n"] {
      #expect(throws: ProjectError.flawed(file: "/p/.graphqlrc.yml", .command)) { try endpoints(text) }
    }
  }

  @Test func `a default is plain text`() throws {
    let text = "schema: [{http://x/: {headers: {K: \"${NO:$(id)}\"}}}]\n"
    #expect(try endpoints(text) == ["default http://x/ K=$(id)"])
  }

  @Test func `a header with a line break is rejected`() {
    #expect(throws: ConfigurationError.self) {
      try endpoints("schema: [{http://x/: {headers: {K: \"a\\r\\nb: c\"}}}]\n")
    }
  }

  @Test func `errors contain no control characters of the file`() throws {
    let error = try #require(throws: ConfigurationError.self) {
      try endpoints("schema: [{http://x/: {headers: {\"/.\\t\\e[2J\\u202e\": v}}}]\n")
    }
    #expect(!error.description.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E })
    #expect(error.message.contains("/.\u{FFFD}\u{FFFD}[2J\u{FFFD}"))
  }
}

/// The parts of a project's file that are used before and after the user trusts it.
@Suite struct ProjectTrustTests {
  private let folder: TemporaryFolder
  private let store: TrustStore

  init() throws {
    folder = try TemporaryFolder()
    store = TrustStore(folders: UserFolders(environment: ["HOME": folder.root]))
  }

  private func config(_ text: String) throws -> GraphQLConfig {
    try folder.write(".graphqlrc.yml", text)
    return try #require(try GraphQLConfig.find(from: folder.root, home: folder.root))
  }

  @Test func `a plain endpoint needs no trust`() throws {
    let config = try config("schema: http://x.example/graphql\n")
    #expect(
      try config.profile(of: config.endpoints[0], trust: nil, isNamed: true, environment: [:]).url
        == "http://x.example/graphql")
  }

  @Test(arguments: [
    "schema: http://x.example/${HOME}\n", "schema: http://x.example/$HOME\n",
    "schema: [{http://x.example/: {headers: {K: v}}}]\n",
  ])
  func `endpoints with variables or headers are rejected until the file is trusted`(_ text: String) throws {
    let config = try config(text)
    #expect(throws: ProjectError.untrusted(file: config.file.path)) {
      try config.profile(
        of: config.endpoints[0], trust: store.trust(in: config.file), isNamed: true, environment: ["HOME": "/h"])
    }
    _ = try store.add(config.file, shown: config.requests)
    #expect(throws: Never.self) {
      try config.profile(
        of: config.endpoints[0], trust: store.trust(in: config.file), isNamed: true, environment: ["HOME": "/h"])
    }
  }

  @Test func `trust is bound to path and content`() throws {
    let before = try config("schema: http://x.example/${HOME}\n")
    _ = try store.add(before.file, shown: before.requests)
    #expect(try store.trust(in: before.file) != nil)
    #expect(try store.trust(in: config("schema: http://y.example/${HOME}\n").file) == nil)
    #expect(try store.trust(in: ProjectFile(path: "/elsewhere/.graphqlrc.yml", bytes: before.file.bytes)) == nil)
    #expect(try store.remove(before.file) && !store.remove(before.file))
    #expect(try store.trust(in: before.file) == nil)
  }

  @Test func `trust in one file does not apply to another`() throws {
    let one = try config("schema: http://x.example/${HOME}\n")
    let trust = try store.add(one.file, shown: one.requests)
    let other = try config("schema: http://y.example/${HOME}\n")
    #expect(throws: ProjectError.untrusted(file: other.file.path)) {
      try other.profile(of: other.endpoints[0], trust: trust, isNamed: true, environment: [:])
    }
  }

  @Test func `the search ends at the repository and at the home directory`() throws {
    try folder.write(".graphqlrc.yml", "schema: http://x.example/\n")
    let inside = try folder.make("a/b")
    #expect(try GraphQLConfig.find(from: inside, home: "/nowhere") != nil)
    #expect(try GraphQLConfig.find(from: inside, home: folder.root + "/a") == nil)
    for (home, count) in [("/nowhere", 1), (folder.root + "/a", 0), (folder.root, 1)] {
      var finder = ProjectFinder(folders: [inside], home: home)
      #expect(try finder.projects(of: inside).count == count, "\(home)")
    }
    try folder.make("a/.git")
    #expect(try GraphQLConfig.find(from: inside, home: "/nowhere") == nil)
  }

  @Test func `world-writable files and folders are not read`() throws {
    try folder.write(".graphqlrc.yml", "schema: http://x.example/\n")
    let file = folder.root + "/.graphqlrc.yml"
    chmod(file, 0o666)
    #expect(throws: ConfigurationError.self) { try GraphQLConfig.find(from: folder.root, home: folder.root) }
    chmod(file, 0o644)
    let inside = try folder.make("open")
    chmod(inside, 0o777)
    // Another user could create a file in this folder; the search ends there.
    #expect(try GraphQLConfig.find(from: inside, home: "/nowhere") == nil)
    chmod(folder.root, 0o777)
    #expect(throws: ConfigurationError.self) { try GraphQLConfig.find(from: folder.root, home: folder.root) }
    chmod(folder.root, 0o700)
  }

  @Test func `files of other users are not read`() throws {
    // Only root can change the owner of a file.
    guard geteuid() == 0 else { return }
    try folder.write(".graphqlrc.yml", "schema: http://x.example/\n")
    chown(folder.root + "/.graphqlrc.yml", 1, 1)
    #expect(throws: ConfigurationError.self) { try GraphQLConfig.find(from: folder.root, home: folder.root) }
  }

  // MARK: Variables

  @Test(arguments: [
    ("${A}", "a"), ("${A:x}", "a"), ("${B:x}", "x"), ("${B: 'x y'}", "x y"), ("${B:x:y}", "x:y"), ("${E:x}", "x"),
    ("${B:}", ""), ("p/${A}/${B:q}.graphql", "p/a/q.graphql"), ("${ A }", "a"), ("${A", nil), ("$A", nil), ("a", nil),
    ("${B}", nil), ("${A}/${B}", nil),
  ])
  func `variables of paths have values and defaults`(text: String, expected: String?) {
    let values = ["A": "a", "E": ""]
    let resolved = ProjectVariables.resolved(text) { values[$0] }
    // An unclosed variable is text.
    #expect(resolved == (text == "${A" ? "${A" : expected))
  }

  @Test func `variables are resolved anywhere but in requests`() throws {
    let text = """
      projects:
        birds:
          schema: ["${APUS_TEST_GONE:s.graphql}", "${APUS_TEST_GONE:https://a.example}/graphql"]
          documents: "${APUS_TEST_GONE:src}/*.graphql"
          exclude: ["${APUS_TEST_GONE:src/old}"]
          extensions:
            apus: { dialect: "${APUS_TEST_GONE:relay}" }
            endpoints:
              local: { url: "https://b.example/${APUS_TEST_GONE:x}", headers: { A: "${APUS_TEST_GONE:y}" } }
      """
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    let project = try #require(config.projects.first)
    #expect(project.schema == ["/p/s.graphql"])
    #expect(project.documents == ["/p/src/*.graphql"])
    #expect(project.exclude == ["/p/src/old"])
    #expect(project.dialectSetting == ["relay"])
    #expect(
      config.requests.map(\.url.source) == [
        "https://b.example/${APUS_TEST_GONE:x}", "${APUS_TEST_GONE:https://a.example}/graphql",
      ])
    #expect(config.requests.filter { !$0.needsTrust } == [])
  }

  /// graphql-config inserts values before it parses the file, so braces and defaults are not YAML.
  @Test(arguments: [
    ("documents: [${GONE:src}/*.graphql, ${GONE:b.graphql}]", ["/p/src/*.graphql", "/p/b.graphql"]),
    ("documents: [ a, ${GONE:'x y'} ]", ["/p/a", "/p/x y"]), ("documents: [${GONE: a}]", ["/p/a"]),
    ("documents: ${GONE: a}", ["/p/a"]), ("documents: ${GONE:a # b}", ["/p/a # b"]),
    ("documents: \"${GONE:\"a\"}\"", ["/p/a"]), ("documents: '${GONE:''a''}'", ["/p/a"]),
    ("documents: [${GONE:a}/{b,c}.graphql]", nil), ("documents: [\"${GONE:a}/{b,c}.graphql\"]", ["/p/a/{b,c}.graphql"]),
    ("documents: [${GONE:a, b}]", ["/p/a, b"]), ("# ${X\ndocuments: [${GONE:a}]", ["/p/a"]),
    ("documents: [\u{F0024}, ${GONE:a}]", nil), ("documents: \u{F0024}", ["/p/\u{F0024}"]),
  ])
  func `the syntax of variables is not part of the YAML`(text: String, expected: [String]?) throws {
    let file = ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array("schema: s.graphql\n\(text)\n".utf8))
    #expect((try? GraphQLConfig(file))?.projects.first?.documents == expected)
  }

  @Test func `the position of a mistake counts the characters of variables`() {
    let text = "documents: [${GONE:a}/*.graphql, ${GONE:b}]\nschema: [${GONE:s.graphql}\n"
    let error = #expect(throws: ConfigurationError.self) {
      try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    }
    #expect("\(String(describing: error))".contains(".graphqlrc.yml:3:1"))
  }

  @Test(arguments: ["documents: 'src/${APUS_TEST_GONE}'", "schema: 'src/${APUS_TEST_GONE}/s.graphql'"])
  func `a variable without a value or default is an error with advice`(text: String) {
    let error = #expect(throws: ConfigurationError.self) {
      try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    }
    #expect(error?.message.contains("APUS_TEST_GONE") == true)
    #expect(error?.message.hasSuffix("is not set: set it, or add a default, as in ${APUS_TEST_GONE:src}") == true)
  }

  // MARK: Keys

  @Test(arguments: [
    ("document: src", "a graphql-config project has no key 'document'; did you mean documents?"),
    ("shema: s.graphql", "a graphql-config project has no key 'shema'; did you mean schema?"),
    ("extensions: { apus: { dialekt: relay } }", "extensions.apus has no key 'dialekt'; did you mean dialect?"),
    (
      "extensions: { apus: { format: { widht: 80 } } }",
      "extensions.apus.format has no key 'widht'; did you mean width?"
    ),
    ("projects: { a: { exlude: b } }", "a graphql-config project has no key 'exlude'; did you mean exclude?"),
  ])
  func `misspelled keys are named`(text: String, message: String) throws {
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    #expect(config.notes.count == 1)
    #expect(config.notes.first?.contains(message) == true)
  }

  @Test func `keys of other tools are not misspelled`() throws {
    let text =
      "schema: s.graphql\nname: x\nextensions: { codegen: {}, apus: { dialect: none, format: { width: 100 } } }"
    let config = try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
    #expect(config.notes == [])
    #expect(config.projects.first?.formatWidth == 100)
  }
}
