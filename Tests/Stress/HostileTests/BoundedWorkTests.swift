import ApusTestSupport
import Testing

/// Files that once took the program minutes. The system ends a program that exceeds a limit of processor time, of which
/// these inputs need a tenth in a debug build. `Tests/Stress/Steps` counts steps for more inputs.
@Suite(.timeLimit(.minutes(5))) struct BoundedWorkTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write("schema.graphql", "type Query { a: Int }")
    try folder.write("query.graphql", "{ a }")
  }

  private func expectEnd(
    _ words: String, seconds: Int = 20, exitCode: Int32, location: SourceLocation = #_sourceLocation
  ) async throws -> ChildProcess.Outcome {
    let outcome = try await ChildProcess.run(
      "/bin/bash", ["-c", "ulimit -c 0 -t \(seconds); cd '\(folder.root)' && exec '\(Checkout.apus)' \(words)"])
    #expect(
      outcome.exitCode == exitCode, "\(outcome.exitCode): \(outcome.errors.prefix(500))", sourceLocation: location)
    return outcome
  }

  @Test(arguments: ["validate query.graphql", "completions profiles"])
  func `700 kB of TOML tables are read in linear time`(_ words: String) async throws {
    try folder.write("graphql.config.toml", String(repeating: "[[x]]\n", count: 116_000))
    _ = try await expectEnd(words, exitCode: 0)
  }

  @Test func `a pattern of 142 kB is reported as an error`() async throws {
    let names = (0..<14_200).map { "file\($0 + 10_000)" }.joined(separator: ",")
    try folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: '{\(names)}.graphql'\n")
    let outcome = try await expectEnd("validate", exitCode: 5)
    #expect(outcome.errors.contains("{file10000,"))
  }

  @Test func `20,000 alternatives are an error`() async throws {
    let names = (0..<20_000).map { "f\($0)" }.joined(separator: ",")
    try folder.write(".graphqlrc.yml", "schema: schema.graphql\ndocuments: ['{\(names)}.graphql']\n")
    _ = try await expectEnd("validate", exitCode: 5)
  }

  @Test(arguments: [40_000, 60_000, 100_000])
  func `many variables of an operation are validated in linear time`(count: Int) async throws {
    let variables = (0..<count).map { "$v\($0): Int" }.joined(separator: " ")
    try folder.write("query.graphql", "query (\(variables)) { a }")
    let outcome = try await expectEnd("validate --schema schema.graphql query.graphql", exitCode: 1)
    #expect(outcome.errors.split(separator: "\n").count + outcome.output.split(separator: "\n").count >= count)
  }

  @Test func `20,000 requests are imported in linear time`() async throws {
    let request = "###\nPOST http://127.0.0.1/\n\n{\"query\":\"{ a }\"}\n"
    try folder.write("requests.http", String(repeating: request, count: 20_000))
    _ = try await expectEnd("import requests.http --to out >files", seconds: 60, exitCode: 0)
    #expect(try folder.read("files").split(separator: "\n").count == 20_001)
  }

  /// Each level spreads the next fragment twice.
  @Test func `a recording of fragments that are spread twice is replayed in linear time`() async throws {
    let fragments = (0..<60).map { "fragment F\($0) on Query { b { ...F\($0 + 1) ...F\($0 + 1) } }" }.joined(
      separator: " ")
    let query = "{ ...F0 ...F0 } \(fragments) fragment F60 on Query { a }"
    let events = [
      #"{"event":"request","atMs":0,"url":"http://x/","operationName":null,"query":"\#(query)","variables":{}}"#,
      #"{"event":"head","atMs":1,"status":200,"contentType":"application/json"}"#,
      #"{"event":"part","atMs":1,"payload":{"data":{"b":null}}}"#, #"{"event":"end","atMs":1,"exitCode":0}"#,
    ]
    try folder.write("session", events.joined(separator: "\n"))
    _ = try await expectEnd("replay session --speed 0", exitCode: 0)
  }

  @Test func `models that grow with the square of the documents are an error`() async throws {
    let names = (0..<500).map { String(repeating: "F", count: 1000) + "\($0)" }
    let fragments = zip(names, names.dropFirst()).map { "fragment \($0) on Query { a ...\($1) }\n" }
    try folder.write("query.graphql", fragments.joined() + "fragment \(names[499]) on Query { a }\n")
    try folder.write("apus-generate.yml", "schema: schema.graphql\ndocuments: query.graphql\noutput: Models\n")
    let outcome = try await expectEnd("generate", exitCode: 1)
    #expect(outcome.errors.contains("the models are too large to compile"))
  }
}
