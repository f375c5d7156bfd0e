import ApusClientCore
import ApusClientNetwork
import ApusClientRequestChain
import ApusJSON
import ApusTestSupport
import Testing

/// Automatic persisted queries: the requests, and the reactions to rejections.
@Suite(.timeLimit(.minutes(1))) struct PersistedQueryTests {
  private func send(
    _ answers: [ScriptedAnswer], text: String = "{ a }", usesGET: Bool = false,
    _ change: (inout RequestOptions) -> Void = { _ in }
  ) async throws -> (lines: [String], requests: [ScriptedServer.Request]) {
    let server = try ScriptedServer(answers)
    var features = RequestFeatures()
    features.persistedQueries = PersistedQueryOptions(usesGET: usesGET)
    var options = RequestOptions()
    change(&options)
    let client = GraphQLClient(url: server.url, features: features)
    let run = await read(client.fetch(query: try operation(text, ["x": "ä&b"]), options: options))
    return (run.lines, server.requests)
  }

  /// The SHA-256 digest of `{ a }`.
  private let digest = "1c7e1e347f726166b5b1c55afd61f278cc9b45e00c108ec33d540a566379811b"
  private let notFound = #"{"errors":[{"message":"PersistedQueryNotFound"}]}"#

  @Test func `the text is sent if the server does not know the digest`() async throws {
    let (lines, requests) = try await send([.json(notFound), .json(#"{"data":{"a":1}}"#)])
    #expect(lines == [#"0 complete {"a":1}"#])
    let bodies = try requests.map { try JSONValue(parsing: $0.bodyText) }
    #expect(bodies.count == 2)
    #expect(bodies.first?["query"] == nil)
    #expect(bodies.last?["query"] == "{ a }")
    let digests = bodies.map { $0["extensions"]?["persistedQuery"]?["sha256Hash"]?.string }
    #expect(digests == [digest, digest])
  }

  @Test(arguments: [400, 404])
  func `an unknown digest may have an error status`(status: Int) async throws {
    let (lines, requests) = try await send([.json(notFound, status: status), .json(#"{"data":{"a":1}}"#)]) {
      $0.maximumRetries = 0
    }
    #expect(lines == [#"0 complete {"a":1}"#])
    #expect(requests.count == 2)
  }

  private static let notFoundErrors = [
    #"{"message":"PersistedQueryNotFound"}"#, #"{"message":"PERSISTED_QUERY_NOT_FOUND"}"#,
    #"{"message":"no","extensions":{"code":"PERSISTED_QUERY_NOT_FOUND"}}"#,
    #"{"message":"no","extensions":{"code":"PersistedQueryNotFound"}}"#,
  ]

  @Test(arguments: notFoundErrors, [false, true])
  func `an unknown digest is recognized by its errors alone`(error: String, usesGET: Bool) async throws {
    let bodies = [
      #"{"errors":[\#(error)]}"#, #"{"errors":[\#(error)],"data":null}"#, #"{"data":null,"errors":[\#(error)]}"#,
      #"{"errors":[{"message":"other"},\#(error)],"data":null,"extensions":{}}"#,
    ]
    for body in bodies {
      for status in [200, 400, 404, 422, 500] {
        for type in ["application/json", "application/graphql-response+json"] {
          let refusal = ScriptedAnswer.response(
            status: status, headers: [("Content-Type", type)], framing: .contentLength, [.text(body)])
          let (lines, requests) = try await send([refusal, .json(#"{"data":{"a":1}}"#)], usesGET: usesGET) {
            $0.maximumRetries = 0
          }
          #expect(lines == [#"0 complete {"a":1}"#], "\(body) \(status)")
          #expect(requests.map(\.method) == [usesGET ? "GET" : "POST", "POST"])
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `an unknown digest may be reported in a multipart response`(usesGET: Bool) async throws {
    for body in [notFound, #"{"errors":[{"message":"PersistedQueryNotFound"}],"data":null,"hasNext":false}"#] {
      let (lines, requests) = try await send(
        [.multipart([.text(body)]), .json(#"{"data":{"a":1}}"#)], usesGET: usesGET)
      #expect(lines == [#"0 complete {"a":1}"#])
      #expect(requests.count == 2)
    }
  }

  @Test(arguments: [200, 400])
  func `a server may reject persisted queries with null data`(status: Int) async throws {
    let refusal = #"{"errors":[{"message":"PersistedQueryNotSupported"}],"data":null}"#
    let (lines, requests) = try await send([.json(refusal, status: status), .json(#"{"data":{"a":1}}"#)])
    #expect(lines == [#"0 complete {"a":1}"#])
    #expect(try JSONValue(parsing: try #require(requests.last).bodyText)["extensions"] == nil)
  }

  @Test func `a known digest needs one request`() async throws {
    #expect(try await send([.json(#"{"data":{"a":1}}"#)]).requests.count == 1)
  }

  @Test func `a server without persisted queries receives an ordinary request`() async throws {
    let (lines, requests) = try await send([
      .json(#"{"errors":[{"message":"no","extensions":{"code":"PERSISTED_QUERY_NOT_SUPPORTED"}}]}"#),
      .json(#"{"data":{"a":1}}"#),
    ])
    #expect(lines == [#"0 complete {"a":1}"#])
    #expect(try JSONValue(parsing: try #require(requests.last).bodyText)["extensions"] == nil)
  }

  @Test func `with GET the digest is in the URL and the text is posted`() async throws {
    let (_, requests) = try await send([.json(notFound), .json(#"{"data":{"a":1}}"#)], usesGET: true)
    #expect(requests.map(\.method) == ["GET", "POST"])
    let target = try #require(requests.first).target
    #expect(target.hasPrefix("/graphql?variables=%7B%22x%22%3A%22%C3%A4%26b%22%7D&extensions=%7B%22persistedQuery%22"))
  }

  @Test func `an unknown digest is retried once`() async throws {
    let (lines, requests) = try await send([.json(notFound)])
    #expect(lines == ["0 complete no data “PersistedQueryNotFound”"])
    #expect(requests.count == 2)
  }

  @Test func `a mutation is sent once with its text`() async throws {
    let (_, requests) = try await send([.json(notFound)], text: "mutation { a }")
    #expect(requests.count == 1)
    #expect(requests.first?.bodyText.contains("mutation { a }") == true)
  }
}
