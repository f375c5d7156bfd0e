import ApusJSON
import ApusTestSupport
import Testing

/// `apus query --all-pages`, as other programs use it.
@Suite(.timeLimit(.minutes(3))) struct PagedQueryTests {
  private static let query = """
    query ($after: String) { birds(after: $after) { edges { node { id name } } pageInfo { hasNextPage endCursor } } }
    """

  /// A page of birds 1 to `count`, two per page.
  private static func page(_ count: Int, after: Int) -> String {
    let numbers = (after + 1)...min(after + 2, count)
    let edges = numbers.map { #"{"node":{"id":"\#($0)","name":"bird \#($0)"}}"# }.joined(separator: ",")
    let last = numbers.upperBound
    return #"{"birds":{"edges":[\#(edges)],"pageInfo":{"hasNextPage":\#(last < count),"endCursor":"\#(last)"}}}"#
  }

  private static func server(
    _ count: Int = 5, override: @escaping @Sendable (Int) -> ScriptedAnswer? = { _ in nil }
  ) throws -> ScriptedServer {
    try ScriptedServer { request, index in
      if let answer = override(index) { return answer }
      let after = (try? JSONDocument(parsing: request.body).root)?.value(at: ["variables", "after"])?.string
      return .json(#"{"data":"# + page(count, after: after.flatMap { Int($0) } ?? 0) + "}")
    }
  }

  private func apus(_ server: ScriptedServer, _ options: String...) async throws -> ChildProcess.Outcome {
    try await ChildProcess.run(
      Checkout.apus, ["query", server.url, "-q", Self.query, "--all-pages"] + options)
  }

  @Test func `JSON output merges all pages`() async throws {
    let outcome = try await apus(Self.server())
    let data = try JSONDocument(parsing: Array(outcome.output.utf8)).root
    let ids = data.value(at: ["data", "birds", "edges"])?.elements.compactMap { $0["node"]?["id"]?.string }
    #expect(ids == ["1", "2", "3", "4", "5"])
    #expect(data.value(at: ["data", "birds", "pageInfo", "hasNextPage"]) == false)
    #expect(outcome.errors.hasPrefix("apus: 3 pages, 5 items, "))
    #expect(outcome.errors.hasSuffix(" pages/s\n"))
    #expect(outcome.exitCode == 0)
  }

  @Test func `NDJSON output has one line per page with its items`() async throws {
    let outcome = try await apus(Self.server(), "--output", "ndjson")
    let lines = try outcome.output.split(separator: "\n").map { try JSONDocument(parsing: Array($0.utf8)).root }
    #expect(lines.compactMap { $0["part"]?.int } == [0, 1, 2])
    #expect(lines.compactMap { $0.value(at: ["data", "birds", "edges"])?.count } == [2, 2, 1])
  }

  @Test func `a table contains the nodes of all pages`() async throws {
    let outcome = try await apus(Self.server(3), "--output", "table")
    #expect(
      outcome.output == """
        node.id  node.name
        ───────  ─────────
        1        bird 1
        2        bird 2
        3        bird 3

        """)
  }

  @Test func `a page limit ends paging with a message`() async throws {
    let server = try Self.server(9)
    let outcome = try await apus(server, "--page-limit", "2", "--output", "table")
    #expect(server.requests.count == 2)
    #expect(outcome.output.contains("bird 4") && !outcome.output.contains("bird 5"))
    #expect(outcome.errors.hasSuffix("apus: the page limit was reached\n"))
    #expect(outcome.exitCode == 0)
  }

  @Test func `other lists with more pages are reported`() async throws {
    let list: @Sendable (Bool) -> String = { hasNext in
      #"{"nodes":[{"id":"1"}],"pageInfo":{"hasNextPage":\#(hasNext),"endCursor":"c\#(hasNext)"}}"#
    }
    let server = try ScriptedServer { _, index in
      .json(#"{"data":{"nests":[{"birds":\#(list(index == 0))},{"birds":\#(list(true))},{"birds":\#(list(true))}]}}"#)
    }
    let query =
      "query ($after: String) { nests { birds(after: $after) { nodes { id } pageInfo { hasNextPage endCursor } } } }"
    let outcome = try await ChildProcess.apus("query", server.url, "-q", query, "--all-pages")
    #expect(
      outcome.errors.hasPrefix(
        "apus: only the pages of 'nests[0].birds' are loaded; 'nests[1].birds' and 1 more lists have more pages\n"),
      "\(outcome.errors)")
  }

  @Test func `lists with offset and limit are paged`() async throws {
    let server = try ScriptedServer { request, _ in
      let text = (try? JSONDocument(parsing: request.body).root)?["query"]?.string ?? ""
      let skip = text.split(separator: "skip: ").last?.split(separator: ",").first.flatMap { Int($0) } ?? 0
      let numbers = Array((skip..<max(skip, min(skip + 2, 5))).map { #"{"id":\#($0 + 1)}"# })
      return .json(#"{"data":{"birds":[\#(numbers.joined(separator: ","))]}}"#)
    }
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q", "{ birds(skip: 0, take: 2) { id } }", "--all-pages")
    #expect(outcome.output == #"{"data":{"birds":[{"id":1},{"id":2},{"id":3},{"id":4},{"id":5}]}}"# + "\n")
  }

  @Test func `pages before a failure are printed`() async throws {
    let outcome = try await apus(Self.server { index in index == 1 ? .response(status: 500, [.text("down")]) : nil })
    #expect(outcome.output.contains(#""id":"2""#) && !outcome.output.contains(#""id":"3""#))
    #expect(outcome.errors.contains("500") && outcome.errors.contains("earlier results are printed"))
    #expect(outcome.exitCode == 3)
  }

  @Test(arguments: [0, 1, 2])
  func `a page with an entry that cannot be merged is kept`(index broken: Int) async throws {
    for output in ["json", "ndjson"] {
      let server = try Self.server { index in
        guard index == broken else { return nil }
        return .multipart([
          .text(#"{"data":\#(Self.page(5, after: index * 2)),"hasNext":true}"#),
          .text(#"{"incremental":[{"path":["x"],"data":{"c":3}}],"hasNext":false}"#),
        ])
      }
      let outcome = try await apus(server, "--output", output)
      for id in 1...5 { #expect(outcome.output.contains(#""id":"\#(id)""#), "page \(broken), bird \(id)") }
      #expect(outcome.output.contains(#"a deferred part belongs at \"x\""#))
      #expect(outcome.errors.contains(#"broke the protocol: a deferred part belongs at "x""#))
      #expect(outcome.exitCode == 4)
    }
  }

  @Test func `errors in place of a later page are part of the result`() async throws {
    let server = try Self.server { index in
      index % 2 == 1 ? .json(#"{"data":null,"errors":[{"message":"too far"}]}"#) : nil
    }
    let complete = try await apus(server)
    let printed = try JSONDocument(parsing: Array(complete.output.utf8)).root
    #expect(printed.value(at: ["data", "birds", "edges"])?.count == 2)
    #expect(printed["errors"]?[0]?["message"] == "too far")
    #expect(complete.errors.contains("too far: not all pages were loaded (the loaded ones are printed)"))
    #expect(complete.exitCode == 1)
    let lines = try await apus(server, "--output", "ndjson").output.split(separator: "\n")
      .map { try JSONDocument(parsing: Array($0.utf8)).root }
    #expect(lines.map { $0["errors"]?.count } == [0, 1])
    #expect(lines.map { $0["data"] == nil } == [false, true])
  }

  @Test func `a repeated cursor is reported as incomplete`() async throws {
    let back = #"{"edges":[{"node":{"id":"3","name":"bird 3"}}],"pageInfo":{"hasNextPage":true,"endCursor":"2"}}"#
    let server = try Self.server { index in index == 1 ? .json(#"{"data":{"birds":\#(back)}}"#) : nil }
    let outcome = try await apus(server)
    #expect(server.requests.count == 2)
    let data = try JSONDocument(parsing: Array(outcome.output.utf8)).root
    let ids = data.value(at: ["data", "birds", "edges"])?.elements.compactMap { $0["node"]?["id"]?.string }
    #expect(ids == ["1", "2", "3"])
    #expect(outcome.errors.contains("the server repeated its cursor"))
    #expect(outcome.errors.contains("not all pages were loaded (the loaded ones are printed)"))
    #expect(outcome.exitCode == 4)
  }

  @Test(
    arguments: [
      "{ a }", "{ birds { edges { node { id } } } }", "{ birds { edges { node { id } } pageInfo { hasNextPage } } }",
      "{ birds { totalCount pageInfo { hasNextPage endCursor } } }",
    ])
  func `an operation without a pageable list is wrong usage`(text: String) async throws {
    let server = try ScriptedServer([.json(#"{"data":{"a":1}}"#)])
    let outcome = try await ChildProcess.apus("query", server.url, "-q", text, "--all-pages")
    #expect(outcome.output.isEmpty && server.requests.isEmpty)
    #expect(outcome.errors.contains("select 'pageInfo { hasNextPage endCursor }'"))
    #expect(outcome.exitCode == 2)
  }

  private static let nested = """
    query ($after: String) { user { birds(after: $after) {
      edges { node { id name } } nodes { id } pageInfo { hasNextPage endCursor } } } }
    """

  @Test(
    arguments: [
      #"{"user":null}"#, #"{"user":{"birds":null}}"#,
      #"{"user":{"birds":{"edges":null,"nodes":null,"pageInfo":{"hasNextPage":false,"endCursor":null}}}}"#,
      #"{"user":{"birds":{"edges":null,"nodes":null,"pageInfo":null}}}"#,
      #"{"user":{"birds":{"edges":[],"nodes":null,"pageInfo":{"hasNextPage":false,"endCursor":null}}}}"#,
    ], ["json", "ndjson", "table"])
  func `a missing list is an empty page`(data: String, output: String) async throws {
    let server = try ScriptedServer([.json(#"{"data":\#(data)}"#)])
    let outcome = try await ChildProcess.apus(
      "query", server.url, "-q", Self.nested, "--all-pages", "--output", output)
    #expect(outcome.exitCode == 0, "\(outcome)")
    #expect(outcome.errors.hasPrefix("apus: 1 page, 0 items, "), "\(outcome)")
    if output == "json" { #expect(outcome.output == #"{"data":\#(data)}"# + "\n") }
    // With an error, it is a result with errors.
    let failing = try ScriptedServer([.json(#"{"data":\#(data),"errors":[{"message":"no","path":["user"]}]}"#)])
    let failed = try await ChildProcess.apus(
      "query", failing.url, "-q", Self.nested, "--all-pages", "--output", output)
    #expect(failed.exitCode == 1, "\(failed)")
  }

  @Test func `a null list with a next page is skipped, and a missing list ends paging`() async throws {
    @Sendable func page(_ edges: String, _ next: String?) -> ScriptedAnswer {
      let info = #"{"hasNextPage":\#(next != nil),"endCursor":\#(next.map { "\"\($0)\"" } ?? "null")}"#
      return .json(#"{"data":{"user":{"birds":{"edges":\#(edges),"nodes":null,"pageInfo":\#(info)}}}}"#)
    }
    let bird = #"[{"node":{"id":"1","name":"bird"}}]"#
    let server = try ScriptedServer([page("null", "a"), page(bird, "b"), .json(#"{"data":{"user":null}}"#)])
    let outcome = try await ChildProcess.apus("query", server.url, "-q", Self.nested, "--all-pages")
    #expect(outcome.exitCode == 0 && server.requests.count == 3, "\(outcome)")
    #expect(outcome.output.contains(#""edges":[{"node":{"id":"1","name":"bird"}}]"#), "\(outcome)")
    // Endless null lists with different cursors also end paging.
    let endless = try ScriptedServer { _, index in page("null", "\(index)") }
    let ended = try await ChildProcess.apus("query", endless.url, "-q", Self.nested, "--all-pages")
    #expect(ended.exitCode == 4 && ended.errors.contains("too many consecutive empty pages"), "\(ended)")
  }

  @Test func `a list without usable page info is reported as incomplete`() async throws {
    for info in ["null", #"{"hasNextPage":null,"endCursor":null}"#] {
      let data = #"{"user":{"birds":{"edges":[{"node":{"id":"1","name":"b"}}],"nodes":[],"pageInfo":\#(info)}}}"#
      let server = try ScriptedServer([.json(#"{"data":\#(data)}"#)])
      let outcome = try await ChildProcess.apus("query", server.url, "-q", Self.nested, "--all-pages")
      #expect(outcome.output == #"{"data":\#(data)}"# + "\n")
      #expect(outcome.exitCode == 4 && outcome.errors.contains("not all pages were loaded"), "\(outcome)")
      let failing = try ScriptedServer([.json(#"{"data":\#(data),"errors":[{"message":"no"}]}"#)])
      let failed = try await ChildProcess.apus("query", failing.url, "-q", Self.nested, "--all-pages")
      #expect(failed.exitCode == 1, "\(failed)")
    }
  }

  @Test func `--page-limit without --all-pages, and paging a mutation, are wrong usage`() async throws {
    let limit = try await ChildProcess.apus("query", "http://127.0.0.1:1/", "-q", "{ a }", "--page-limit", "2")
    #expect(limit.exitCode == 2 && limit.errors.contains("--page-limit needs --all-pages"))
    let mutation = try await ChildProcess.apus("query", "http://127.0.0.1:1/", "-q", "mutation { a }", "--all-pages")
    #expect(mutation.exitCode == 2 && mutation.errors.contains("--all-pages is for queries"))
  }

  // MARK: Third-party servers

  @Test(
    arguments: [
      ("{ shelf(first: 5) { edges { node { id title } } pageInfo { hasNextPage endCursor } } }", 5),
      ("{ shelf(first: 23) { edges { node { id title } } pageInfo { hasNextPage endCursor } } }", 1),
      // An empty page is the end, since servers limit page sizes.
      ("{ volumes(offset: 0, limit: 10) { id title } }", 4),
      ("{ taken(skip: 3, take: 20) { id title } }", 2),
      ("{ pages(page: 1, perPage: 5) { total items { id title } } }", 5),
    ])
  func `lists of a Strawberry server are paged to their ends`(_ query: String, pages: Int) async throws {
    let server = try await PythonServer.start(.strawberry)
    let outcome = try await ChildProcess.apus("query", server.url, "-q", query, "--all-pages", "--output", "table")
    let titles = outcome.output.split(separator: "\n").dropFirst(2).map { $0.split(separator: "  ").last ?? "" }
    let first = query.contains("skip: 3") ? 4 : 1
    #expect(titles == (first...23).map { "Volume \($0)" })
    #expect(outcome.errors.contains("apus: \(pages) page"))
    #expect(outcome.exitCode == 0)
  }
}
