import ClientAPI
import ClientOperation
import JSON
import Testing

@testable import ClientPagination

/// Finding connections in a result and asking for their next pages.
@Suite struct PaginationConnectionTests {
  private let info = "pageInfo { hasNextPage endCursor }"

  private func find(_ query: String, _ data: String, _ variables: String = "{}") throws -> [Connection] {
    ConnectionFinder.connections(
      in: try parsed(data), operation: try compiled(query), variables: try parsed(variables))
  }

  private func next(_ query: String, _ data: String, _ variables: String = "{}") throws -> PageRequest {
    let connection = try #require(try find(query, data, variables).first)
    return connection.request(
      after: JSONValue(connection.endCursor ?? ""),
      from: PageRequest(operation: try compiled(query), variables: try parsed(variables)))
  }

  private let data = #"""
    {"birds":{"edges":[{"node":{"id":"1"}}],"pageInfo":{"hasNextPage":true,"endCursor":"c1"},"totalCount":7}}
    """#

  @Test func aConnectionIsFoundWithItsState() throws {
    let found = try find("query ($c: String) { birds(after: $c) { edges { node { id } } \(info) totalCount } }", data)
    let connection = try #require(found.first)
    #expect(found.count == 1)
    #expect(connection.path == ["birds"])
    #expect(connection.binding == .variable("c"))
    #expect(connection.endCursor == "c1")
    #expect(connection.canLoadNext)
    #expect(connection.itemCount == 1)
    #expect(connection.totalCount == 7)
  }

  @Test func nestedAndAliasedOnesToo() throws {
    let found = try find(
      """
      { all: stations { list: nodes { name seen: birds { edges { node { id } } info: pageInfo { more: hasNextPage end: endCursor } } } \(info) } }
      """,
      #"""
      {"all":{"list":[{"name":"x","seen":{"edges":[],"info":{"more":false,"end":null}}},
      {"name":"y","seen":{"edges":[],"info":{"more":true,"end":"e"}}}],"pageInfo":{"hasNextPage":true,"endCursor":"s"}}}
      """#)
    #expect(found.map(\.path) == [["all"], ["all", "list", 0, "seen"], ["all", "list", 1, "seen"]])
    #expect(found.map(\.listKeys) == [["list"], ["edges"], ["edges"]])
    #expect(found.map(\.canLoadNext) == [true, false, true])
    #expect(found.map(\.binding) == [.absent, .absent, .absent])
  }

  @Test func whatHasNoPageInfoIsNone() throws {
    #expect(try find("{ birds { edges { node { id } } } }", data).isEmpty)
    #expect(try find("{ birds { pageInfo { hasNextPage endCursor } } }", data).isEmpty)
    #expect(try find("{ birds { edges { node { id } } \(info) } }", #"{"birds":null}"#).isEmpty)
  }

  @Test func theNextPageByVariable() throws {
    let request = try next(
      "query ($n: Int, $c: String) { birds(first: $n, after: $c) { edges { node { id } } \(info) } }", data, #"{"n":2}"#
    )
    #expect(request.variables.description == #"{"n":2,"c":"c1"}"#)
  }

  @Test func theNextPageByRewriting() throws {
    let cases = [
      (#"{ birds(first: 2, after: "x") { nodes { id } \#(info) } }"#, #"birds(first: 2, after: "c1")"#),
      ("{ birds(first: 2) { nodes { id } \(info) } }", #"birds(after: "c1", first: 2)"#),
      ("{ birds { nodes { id } \(info) } }", #"birds(after: "c1")"#),
      ("{ ...F } fragment F on Query { birds { nodes { id } \(info) } }", #"birds(after: "c1")"#),
      ("{ ... @defer { birds { nodes { id } \(info) } } }", #"birds(after: "c1")"#),
      ("{ birds: fowl { nodes { id } \(info) } other: birds { nodes { id } } }", #"birds: fowl(after: "c1")"#),
    ]
    for (query, expected) in cases {
      let data = data.replacing("edges", with: "nodes")
      let request = try next(query, data)
      #expect(request.operation.documentText.contains(expected), "\(request.operation.documentText)")
      #expect(request.operation.documentText.ranges(of: "c1").count == 1)
      // The compiled form says the same as the text.
      let again = try compiled(request.operation.documentText)
      let keys = [request.operation, again].map { operation in
        SelectionPlan(operation: operation, variables: .object([])).root.fields(for: nil).fields.map(\.argumentsKey)
      }
      #expect(keys[0] == keys[1])
      #expect(request.operation.hasIncremental == (try compiled(query)).hasIncremental)
    }
  }

  @Test func pagesAreMergedIntoOneResult() throws {
    let query = "{ birds { edges { cursor node { id } } \(info) } }"
    var data = PageServer.birds(5, after: nil)
    let connection = try #require(
      ConnectionFinder.connections(in: data, operation: try compiled(query)).first)
    data = connection.merge(PageServer.birds(5, after: "2"), into: data)
    // A page that repeats an item.
    data = connection.merge(PageServer.birds(5, after: "3"), into: data)
    let ids = try #require(data.value(at: ["birds", "edges"])).elements.compactMap {
      $0.value(at: ["node", "id"])?.string
    }
    #expect(ids == ["1", "2", "3", "4", "5"])
    #expect(data.value(at: ["birds", "pageInfo", "hasNextPage"]) == false)
    #expect(ConnectionFinder.connections(in: data, operation: try compiled(query)).first?.canLoadNext == false)
  }

  @Test func aPagerGoesOnFromAResultThatIsThere() async throws {
    let operation = try compiled("{ birds(first: 2) { edges { cursor node { id } } \(info) } }")
    let first = Page(
      request: PageRequest(operation: operation), result: GraphQLResult(data: PageServer.birds(5, after: nil)))
    let connection = try #require(
      ConnectionFinder.connections(in: PageServer.birds(5, after: nil), operation: operation).first)
    let server = PageServer { asked in
      let cursor = asked.text.split(separator: "\"").dropFirst().first.map(String.init)
      return [GraphQLResult(data: PageServer.birds(5, after: cursor))]
    }
    let pager = GraphQLQueryPager.Actor(
      startingWith: first, strategy: .forward(through: connection), fetch: server.fetch)
    #expect(try await pager.loadAll() == .lastPage)
    #expect(server.requests.count == 2)
    #expect(await pager.current.pages.count == 3)
  }
}
