import ApusJSON
import ApusTestSupport
import Testing

/// `apus query` with third-party servers.
@Suite(.timeLimit(.minutes(3))) struct RealServerTests {
  private static let query = """
    query Author($id: ID!) {
      author(id: $id) {
        id name
        ... on Author @defer(label: "life") { biography }
        books { id title ... @defer(label: "reviews") { reviews } }
      }
    }
    """
  private static let merged: JSONValue = [
    "author": [
      "id": "1", "name": "Selma Lagerlöf", "biography": "The life of Selma Lagerlöf.",
      "books": [
        ["id": "10", "title": "Gösta Berlings saga", "reviews": ["bold", "restless"]],
        ["id": "11", "title": "Nils Holgersson", "reviews": ["geese!"]],
        ["id": "12", "title": "Jerusalem", "reviews": []],
      ],
    ]
  ]

  @Test(arguments: PythonServer.Kind.incremental)
  func `deferred fragments are merged to the complete result`(kind: PythonServer.Kind) async throws {
    let server = try await PythonServer.start(kind)
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q", Self.query, "--variables", #"{"id": "1"}"#, "--output", "ndjson")
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    let lines = try outcome.output.split(separator: "\n").map { try JSONDocument(parsing: String($0)).root }
    #expect(lines.count >= 2)
    #expect(lines.first?["response"] == "partial")
    let last = try #require(lines.last)
    #expect(last["data"] == Self.merged)
    #expect(last["response"] == "complete")
    let states = last["deferred"]?.elements.map { "\($0["label"]?.string ?? ""):\($0["state"]?.string ?? "")" }
    #expect(states?.sorted() == ["life:fulfilled"] + Array(repeating: "reviews:fulfilled", count: 3))
  }

  @Test(arguments: [PythonServer.Kind.graphQLCore2022, .graphQLCoreV02])
  func `a failed fragment is reported and the others are printed`(kind: PythonServer.Kind) async throws {
    let server = try await PythonServer.start(kind)
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q",
      #"{ author(id: "2") { name ... @defer(label: "prizes") { awards } ... @defer(label: "life") { biography } } }"#,
      "--output", "ndjson")
    #expect(outcome.exitCode == 1)
    let last = try JSONDocument(parsing: String(try #require(outcome.output.split(separator: "\n").last))).root
    #expect(last["data"]?["author"]?["biography"] == "The life of 夏目漱石.")
    let failed = try #require(last["deferred"]?.elements.first { $0["label"] == "prizes" })
    #expect(failed["state"] == "failed")
    #expect(failed["errors"]?[0]?["message"] == "The archive of awards is closed.")
  }

  @Test func `streamed lists arrive item by item`() async throws {
    let server = try await PythonServer.start(.strawberry)
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q", #"{ author(id: "1") { streamed @stream(initialCount: 1) { id } } }"#)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(outcome.output == #"{"data":{"author":{"streamed":[{"id":"10"},{"id":"11"},{"id":"12"}]}}}"# + "\n")
  }

  @Test func `a mutation and a plain query print their results`() async throws {
    let server = try await PythonServer.start(.graphQLCore2022)
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q", #"mutation { rename(id: "1", name: "S. L.") { id name } }"#)
    #expect(outcome.output == #"{"data":{"rename":{"id":"1","name":"S. L."}}}"# + "\n")
    let again = try await ChildProcess.apus("query", server.url, "-q", #"{ node(id: "1") { ... on Author { name } } }"#)
    #expect(again.output == #"{"data":{"node":{"name":"S. L."}}}"# + "\n")
  }
}
