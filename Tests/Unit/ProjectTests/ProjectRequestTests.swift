import ApusConfiguration
import ApusSecrets
import ApusTestSupport
import Foundation
import Testing

@testable import ApusGraphQLProjects

/// Text of a project's file is parsed once, so that the shown variables are the ones that are sent.
@Suite struct ProjectTextTests {
  private func sent(_ source: String, _ environment: [String: String]) throws -> String {
    try ProjectText(source).text(environment: environment).resolved(environment: environment)
  }

  @Test(arguments: [
    ("plain", "plain"), ("$A", "a"), ("${A}b", "ab"), ("${ A }", "a"), ("$$A", "$A"), ("$${A}", "${A}"),
    ("${NO:x}", "x"), ("${A:x}", "a"), ("${NO: 'x y'}", "x y"), ("${NO:}", ""), ("${NO:http://x:1}", "http://x:1"),
    ("${NO:$A}", "$A"), ("${NO:$(id)}", "$(id)"), ("${NO:$}A", "$A"), ("${NO:$}{A}", "${A}"), ("$${NO:}A", "${NO:}A"),
    ("${NO:$$}A", "$$A"),
  ])
  func `text is sent with the shown variables`(source: String, result: String) throws {
    #expect(try sent(source, ["A": "a", "OA": "hush"]) == result)
  }

  /// If a default were parsed again after substitution, it could name a variable that was not shown.
  @Test(arguments: ["${A:${B}}", "${A:x${B:y}}", "${A:${B:${C}}}"])
  func `a default that names a variable is rejected`(source: String) {
    #expect(ProjectText(source).flaw == .nestedDefault("A"))
    #expect(throws: ProjectText.Flaw.nestedDefault("A")) { try sent(source, ["A": "a", "B": "b", "C": "c"]) }
  }

  @Test(arguments: ["$(id)", "a$(id)b", "${A}$(id)"]) func `a command is rejected`(source: String) {
    #expect(ProjectText(source).flaw == .command)
    #expect(throws: ProjectText.Flaw.command) { try sent(source, ["A": "a"]) }
  }

  @Test(arguments: ["${", "$", "$5", "${}", "${A B}x", "${A-B}", "${:x}"])
  func `an invalid variable is rejected`(source: String) {
    #expect(throws: ProjectText.Flaw.self) { _ = try sent(source, ["AB": "b"]) }
  }
}

/// The list of a file's requests, and the check before each.
@Suite struct ProjectRequestTests {
  private let folder: TemporaryFolder
  private let store: TrustStore

  init() throws {
    folder = try TemporaryFolder()
    store = TrustStore(folders: UserFolders(environment: ["HOME": folder.root]))
  }

  private func config(_ text: String) throws -> GraphQLConfig {
    try GraphQLConfig(ProjectFile(path: "/p/.graphqlrc.yml", bytes: Array(text.utf8)))
  }

  @Test func `the list contains the schemas and endpoints of every project, each request once`() throws {
    let config = try config(
      """
      projects:
        one:
          schema: [{ "http://s.example/": { headers: { A: "${TOKEN}" } } }]
          extensions: { endpoints: { live: { url: "${URL:http://l.example/}", headers: { B: "b $TOKEN" } } } }
        two: { schema: "http://two.example/" }
      """)
    #expect(
      config.requests.lines == [
        "1. For the endpoint one/live", "   ${URL:http://l.example/}", "   B: b $TOKEN",
        "   with the value of URL (else 'http://l.example/'), TOKEN from the environment",
        "2. For the endpoint two, and for the schema of two, also to run operations from an editor",
        "   http://two.example/",
        "3. For the schema of one, also to run operations from an editor", "   http://s.example/", "   A: ${TOKEN}",
        "   with the value of TOKEN from the environment",
      ])
  }

  @Test func `a long list is complete`() throws {
    let long = String(repeating: "x", count: 10_000)
    let headers = (0..<90).map { "H\($0): \(long)\($0)" }.joined(separator: ", ")
    let endpoint = "{ url: \"http://s.example/\(long)\", headers: { \(headers) } }"
    let config = try config("schema: s.graphql\nextensions: { endpoints: { live: \(endpoint) } }\n")
    let lines = config.requests.lines
    #expect(lines.count == 92 && lines[1].hasSuffix(long))
    #expect((0..<90).allSatisfy { lines[$0 + 2].hasSuffix("H\($0): \(long)\($0)") })
  }

  @Test func `a request that was not shown is rejected in a trusted file`() throws {
    let config = try config(
      """
      schema: [{ "http://s.example/": { headers: { A: "${TOKEN}" } } }]
      extensions: { endpoints: { live: { url: "http://l.example/", headers: { B: b } } } }
      """)
    let schema = try #require(config.projects[0].schemaEndpoints.first)
    // As in a program that only has the endpoint.
    _ = try store.add(config.file, shown: [config.endpoints[0].request])
    let trust = try store.trust(in: config.file)
    #expect(throws: Never.self) {
      try config.profile(of: config.endpoints[0], trust: trust, isNamed: false, environment: [:])
    }
    #expect(throws: ProjectError.notShown(file: config.file.path)) {
      try config.profile(of: schema, trust: trust, isNamed: true, environment: ["TOKEN": "t"])
    }
    // A different URL, header, value or variable is a different request.
    let shown = schema.request
    for (url, name, value) in [
      ("http://s.example/2", "A", "${TOKEN}"), ("http://s.example/", "B", "${TOKEN}"),
      ("http://s.example/", "A", "$TOKEN"), ("http://s.example/", "A", "${TOKEN:x}"),
    ] {
      let header = ProjectRequest.Header(name: name, value: ProjectText(value))
      let other = ProjectRequest(name: "s", purpose: "", url: ProjectText(url), headers: [header])
      #expect(other.digest != shown.digest)
    }
  }

  @Test func `the trust of an earlier version allows nothing`() throws {
    let config = try config("schema: [{ \"http://s.example/\": { headers: { A: a } } }]\n")
    _ = try store.add(config.file, shown: [])
    try folder.write(".local/share/apus/trusted/\(config.file.digest)", "\(config.file.path)\n")
    #expect(throws: ProjectError.notShown(file: config.file.path)) {
      try config.profile(
        of: config.endpoints[0], trust: store.trust(in: config.file), isNamed: true, environment: [:])
    }
  }

  /// The author chooses the path, which may look like a digest on a separate line.
  @Test func `a path adds no request`() throws {
    let text = "schema: [{ \"http://s.example/\": { headers: { A: a } } }]\n"
    let digest = try config(text).endpoints[0].request.digest
    let file = ProjectFile(path: "/p\n\(digest)\n/.graphqlrc.yml", bytes: Array(text.utf8))
    _ = try store.add(file, shown: [])
    let request = try config(text).endpoints[0].request
    #expect(try store.trust(in: file)?.allows(request) == false)
  }

  @Test func `a world-writable trust folder is rejected`() throws {
    let config = try config("schema: [{ \"http://s.example/\": { headers: { A: a } } }]\n")
    _ = try store.add(config.file, shown: config.requests)
    chmod(folder.path(".local/share/apus/trusted"), 0o777)
    #expect(throws: ConfigurationError.self) { try store.trust(in: config.file) }
  }
}
