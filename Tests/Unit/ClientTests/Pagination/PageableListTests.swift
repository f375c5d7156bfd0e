import ApusClientAPI
import ApusClientCore
import ApusClientOperation
import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@testable import ApusClientPagination

/// Finding pageable lists in a result and requesting their other pages.
@Suite(.timeLimit(.minutes(1))) struct PageableListTests {
  private let info = "pageInfo { hasNextPage endCursor }"

  private func find(_ query: String, _ data: String, _ variables: String = "{}") throws -> [PageableConnection] {
    try lists(query, data, variables).compactMap { if case .connection(let found) = $0 { found } else { nil } }
  }

  private func lists(
    _ query: String, _ data: String, _ variables: String = "{}", schema: Schema? = nil
  ) throws -> [PageableList] {
    PageableListFinder.lists(
      in: try parsed(data), operation: try compiled(query, schema: schema), variables: try parsed(variables),
      schema: schema)
  }

  private func next(
    _ query: String, _ data: String, _ variables: String = "{}", _ direction: PagingDirection = .next
  ) throws -> DynamicOperation? {
    try step(try #require(try lists(query, data, variables).first), query, data, variables, direction)
  }

  private func step(
    _ list: PageableList, _ query: String, _ data: String, _ variables: String, _ direction: PagingDirection
  ) throws -> DynamicOperation? {
    let operation = DynamicOperation(compiled: try compiled(query), variables: try parsed(variables))
    let page = Page(query: operation, result: GraphQLResult(data: try parsed(data)))
    guard case .page(let next)? = (direction == .next ? list.strategy.next : list.strategy.previous)?(.first(page))
    else { return nil }
    return next
  }

  private let data = #"""
    {"birds":{"edges":[{"node":{"id":"1"}}],"pageInfo":{"hasNextPage":true,"endCursor":"c1"},"totalCount":7}}
    """#

  @Test func `a connection is found with its state`() throws {
    let found = try find("query ($c: String) { birds(after: $c) { edges { node { id } } \(info) totalCount } }", data)
    let connection = try #require(found.first)
    #expect(found.count == 1)
    #expect(connection.path == ["birds"])
    #expect(connection.bindings == ["after": .variable("c")])
    #expect(connection.pageInfo.endCursor == "c1")
    #expect(connection.canLoadNext)
    #expect(connection.itemCount == 1)
    #expect(connection.totalCount == 7)
  }

  @Test func `nested and aliased connections are found`() throws {
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
    #expect(found.allSatisfy { $0.bindings.isEmpty })
  }

  @Test func `a list without page info is not pageable`() throws {
    #expect(try find("{ birds { edges { node { id } } } }", data).isEmpty)
    #expect(try find("{ birds { pageInfo { hasNextPage endCursor } } }", data).isEmpty)
    #expect(try find("{ birds { edges { node { id } } \(info) } }", #"{"birds":null}"#).isEmpty)
  }

  /// The fields of one direction make a connection: its `has…Page`, and its cursor or those of the edges.
  @Test(arguments: 0..<16, [true, false])
  func `a connection has the page info of a direction`(selected: Int, hasEdgeCursors: Bool) throws {
    let all = ["hasNextPage", "endCursor", "hasPreviousPage", "startCursor"]
    let fields = all.indices.filter { selected >> $0 & 1 == 1 }.map { all[$0] }
    let isDirection = { (more: String, cursor: String) in
      fields.contains(more) && (hasEdgeCursors || fields.contains(cursor))
    }
    let isPageable = isDirection("hasNextPage", "endCursor") || isDirection("hasPreviousPage", "startCursor")
    let query = """
      { birds { edges { \(hasEdgeCursors ? "cursor" : "") node { id } } pageInfo { __typename \(fields.joined(separator: " ")) } } }
      """
    #expect(try find(query, data).count == (isPageable ? 1 : 0))
    #expect(PageableListFinder.selectsList(try compiled(query)) == isPageable)
  }

  @Test func `the next page is requested by a variable`() throws {
    let request = try #require(
      try next(
        "query ($n: Int, $c: String) { birds(first: $n, after: $c) { edges { node { id } } \(info) } }", data,
        #"{"n":2}"#
      ))
    #expect(request.variables.description == #"{"n":2,"c":"c1"}"#)
  }

  @Test func `the next page is requested by rewriting arguments`() throws {
    let cases = [
      (#"{ birds(first: 2, after: "x") { nodes { id } \#(info) } }"#, #"birds(first: 2, after: "c1")"#),
      ("{ birds(first: 2) { nodes { id } \(info) } }", #"birds(first: 2, after: "c1")"#),
      ("{ birds { nodes { id } \(info) } }", #"birds(after: "c1")"#),
      ("{ ...F } fragment F on Query { birds { nodes { id } \(info) } }", #"birds(after: "c1")"#),
      ("{ ... @defer { birds { nodes { id } \(info) } } }", #"birds(after: "c1")"#),
      ("{ birds: fowl { nodes { id } \(info) } other: birds { nodes { id } } }", #"birds: fowl(after: "c1")"#),
    ]
    for (query, expected) in cases {
      let data = data.replacing("edges", with: "nodes")
      let request = try #require(try next(query, data))
      #expect(request.compiled.documentText.contains(expected), "\(request.compiled.documentText)")
      #expect(request.compiled.documentText.ranges(of: "c1").count == 1)
      // The compiled form matches the text.
      let again = try compiled(request.compiled.documentText)
      let keys = [request.compiled, again].map { operation in
        SelectionPlan(operation: operation, variables: .object([])).root.fields(for: nil).fields.map(\.argumentsKey)
      }
      #expect(keys[0] == keys[1])
      #expect(request.compiled.hasIncremental == (try compiled(query)).hasIncremental)
    }
  }

  @Test func `the previous page is requested with last and before`() throws {
    let both = "pageInfo { hasNextPage endCursor hasPreviousPage startCursor }"
    let data = #"""
      {"birds":{"edges":[{"node":{"id":"1"}}],
      "pageInfo":{"hasNextPage":true,"endCursor":"c2","hasPreviousPage":true,"startCursor":"c1"}}}
      """#
    let literal = try #require(
      try next(#"{ birds(first: 2, after: "c0") { edges { node { id } } \#(both) } }"#, data, "{}", .previous))
    #expect(literal.compiled.documentText.hasPrefix(#"{ birds(before: "c1", last: 2) {"#))
    let variables = try #require(
      try next(
        "query ($n: Int, $a: String) { birds(first: $n, after: $a) { edges { node { id } } \(both) } }", data,
        #"{"n":2,"a":"c0"}"#, .previous))
    #expect(variables.variables.description == #"{"n":null,"a":null}"#)
    #expect(variables.compiled.documentText.contains(#"birds(first: $n, after: $a, before: "c1", last: 2)"#))
  }

  @Test func `next and previous pages are merged into one result`() throws {
    let query =
      "{ birds { edges { cursor node { id } } pageInfo { hasNextPage endCursor hasPreviousPage startCursor } } }"
    var data = try parsed(Flock.connection(after: "2", count: 7))
    let list = try #require(PageableListFinder.lists(in: data, operation: try compiled(query)).first)
    data = list.merge(try parsed(Flock.connection(after: "4", count: 7)), into: data)
    // A page that repeats an item.
    data = list.merge(try parsed(Flock.connection(after: "5", count: 7)), into: data)
    data = list.merge(try parsed(Flock.connection(before: "3", count: 7)), into: data, .previous)
    let ids = try #require(data.value(at: ["birds", "edges"])).elements.compactMap {
      $0.value(at: ["node", "id"])?.string
    }
    #expect(ids == ["1", "2", "3", "4", "5", "6", "7"])
    let found = try #require(PageableListFinder.lists(in: data, operation: try compiled(query)).first)
    #expect(!found.canLoadNext)
    #expect(!found.canLoadPrevious)
  }

  /// Returns the ids of the nodes of a merged page and its next one.
  private func merged(_ query: String, _ pages: [String]) throws -> [String] {
    let first = try #require(pages.first)
    let list = try #require(try lists(query, first).first)
    let complete = try pages.dropFirst().reduce(try parsed(first)) { list.merge(try parsed($1), into: $0) }
    let path = try #require(list.listPaths.first)
    return try #require(complete.value(at: path)).elements.compactMap { ($0["node"] ?? $0)["id"]?.string }
  }

  @Test(arguments: [true, false])
  func `a node that a connection contains twice is kept twice`(hasCursors: Bool) throws {
    func page(_ ids: [(cursor: String, id: String)]) -> String {
      let edges = ids.map { edge in
        "{\(hasCursors ? "\"cursor\":\"\(edge.cursor)\"," : "")\"node\":{\"id\":\"\(edge.id)\"}}"
      }
      return "{\"birds\":{\"edges\":[\(edges.joined(separator: ","))],"
        + "\"pageInfo\":{\"hasNextPage\":true,\"endCursor\":\"\(ids.last?.cursor ?? "")\"}}}"
    }
    let ids = try merged(
      "{ birds { edges { \(hasCursors ? "cursor " : "")node { id } } \(info) } }",
      [page([("c1", "1"), ("c2", "2")]), page([("c3", "2"), ("c4", "1")])])
    #expect(ids == ["1", "2", "2", "1"])
  }

  // MARK: Offset lists

  /// Two items were inserted at the front, and one item moved to the end.
  @Test func `items of an offset list that an earlier page has are removed`() throws {
    func page(_ ids: [Int]) -> String { "{\"list\":[\(ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ","))]}" }
    let ids = try merged("{ list(offset: 0, limit: 4) { id } }", [page([1, 2, 3, 4]), page([3, 4, 5, 5, 1])])
    #expect(ids == ["1", "2", "3", "4", "5", "5"])
  }

  /// Equal ids of two types are two items, and items without a key are never equal.
  @Test func `items of an offset list with another type or without a key are kept`() throws {
    let pages = [
      #"{"list":[{"__typename":"Bird","id":"1"},{"n":1}]}"#, #"{"list":[{"__typename":"Nest","id":"1"},{"n":1}]}"#,
    ]
    let list = try #require(try lists("{ list(offset: 0, limit: 2) { __typename id n } }", pages[0]).first)
    let complete = list.merge(try parsed(pages[1]), into: try parsed(pages[0]))
    #expect(complete.value(at: ["list"])?.count == 4)
  }

  /// The second page begins with the last item of the first one.
  @Test(arguments: [
    (PagingDirection.next, [1, 2, 3], [3, 4], [1, 3]), (.previous, [3, 4], [1, 2, 3], [1, 3]),
  ])
  func `an error follows its item to its place in the merged list`(
    direction: PagingDirection, shown: [Int], page: [Int], places: [Int]
  ) throws {
    func data(_ ids: [Int]) -> String { "{\"list\":[\(ids.map { "{\"id\":\"\($0)\"}" }.joined(separator: ","))]}" }
    func error(_ index: Int) -> GraphQLError {
      GraphQLError(message: "no name", path: ["list", .index(index), "name"])
    }
    let list = try #require(try lists("{ list(offset: 3, limit: 3) { id } }", data(shown)).first)
    var keys = ItemKeys(of: list, in: try parsed(data(shown)))
    let merged = list.merging(try parsed(data(page)), into: try parsed(data(shown)), direction, keys: &keys)
    #expect(merged.data == (try parsed(data([1, 2, 3, 4]))))
    // One error at the second item of each: 2 and 4.
    let errors = merged.errors([error(1)], and: [error(1), GraphQLError(message: "slow", path: ["list"])])
    let paths = [["list"]] + places.map { ["list", .index($0), "name"] as ResponsePath }
    #expect(Set(errors.compactMap(\.path)) == Set(paths))
  }

  @Test(
    arguments: [
      ("{ list(offset: 2, limit: 2) { id } }", "list(offset: 4, limit: 2)", "list(offset: 0, limit: 2)"),
      ("{ list(skip: 1, take: 2) { id } }", "list(skip: 3, take: 2)", "list(skip: 0, take: 1)"),
      ("{ list(page: 3, perPage: 2) { id } }", "list(page: 4, perPage: 2)", "list(page: 2, perPage: 2)"),
      ("{ list(pageSize: 2, page: 1) { id } }", "list(pageSize: 2, page: 2)", nil),
      ("{ list(offset: 0) { id } }", "list(offset: 2)", nil),
    ] as [(String, String, String?)])
  func `offset and page lists are found by their arguments`(_ query: String, _ after: String, _ before: String?) throws
  {
    let data = #"{"list":[{"id":"1"},{"id":"2"}]}"#
    let found = try #require(try lists(query, data).first)
    #expect(found.listPaths == [["list"]])
    #expect(found.canLoadNext)
    #expect(found.canLoadPrevious == (before != nil))
    #expect(try next(query, data)?.compiled.documentText.contains(after) == true)
    #expect(
      try next(query, data, "{}", .previous)?.compiled.documentText.contains(before ?? "-")
        == (before.map { _ in true }))
  }

  @Test func `an empty page or the total count ends an offset list`() throws {
    #expect(try lists("{ list(offset: 2, limit: 2) { id } }", #"{"list":[{"id":"1"}]}"#).first?.canLoadNext == true)
    #expect(try lists("{ list(offset: 2, limit: 2) { id } }", #"{"list":[]}"#).first?.canLoadNext == false)
    #expect(try lists("{ list(page: 2, perPage: 2) { id } }", #"{"list":[]}"#).first?.canLoadNext == false)
    let query = "query ($p: Int = 2) { box(page: $p, perPage: 2) { items { id } total } }"
    let data = #"{"box":{"items":[{"id":"3"},{"id":"4"}],"total":4}}"#
    let found = try #require(try lists(query, data).first)
    #expect(found.listPaths == [["box", "items"]])
    #expect(found.totalCount == 4)
    #expect(!found.canLoadNext)
    #expect(try next(query, data, "{}", .previous)?.variables.description == #"{"p":1}"#)
  }

  /// | items | total | the next page |
  /// |---|---|---|
  /// | none | | none |
  /// | any | unknown | offered |
  /// | any | more than the offset and the items | offered |
  /// | any | reached | none |
  ///
  /// The previous page is offered except at the offset 0, which an operation without the argument requests too.
  @Test(arguments: [nil, 0, 1, 3], [0, 1, 2])
  func `the other pages of an offset list depend on offset, items and total`(offset: Int?, count: Int) throws {
    let schema = Schema.load(
      sdl: "type Query { box(offset: Int): Box } type Box { items: [Bird] total: Int } type Bird { id: ID }")
    let query = "{ box\(offset.map { "(offset: \($0))" } ?? "") { items { id } total } }"
    let items = Array(repeating: "{}", count: count).joined(separator: ",")
    for total in [nil, 0, 1, 2, 3, 4, 5, 6] {
      let data = "{\"box\":{\"items\":[\(items)],\"total\":\(total.map(String.init) ?? "null")}}"
      guard case .offset(let list)? = try lists(query, data, schema: schema).first else {
        Issue.record("no list with the offset")
        continue
      }
      #expect(
        list.canLoadNext == (count > 0 && total.map { (offset ?? 0) + count < $0 } ?? true), "total \(total ?? -1)")
      #expect(list.canLoadPrevious == ((offset ?? 0) > 0))
    }
  }

  @Test func `paging arguments missing in the query are found in the schema`() throws {
    let schema = Schema.load(sdl: "type Query { birds(offset: Int, limit: Int): [Bird] } type Bird { id: ID }")
    let data = #"{"birds":[{"id":"1"},{"id":"2"}]}"#
    #expect(try lists("{ birds { id } }", data).isEmpty)
    let found = try #require(try lists("{ birds { id } }", data, schema: schema).first)
    #expect(found.canLoadNext)
    let next = try step(found, "{ birds { id } }", data, "{}", .next)
    #expect(next?.compiled.documentText == "{ birds(offset: 2) { id } }")
  }

  @Test func `an offset list is loaded to its end`() async throws {
    let text = "{ list(offset: 0, limit: 2) { __typename id name } }"
    let server = try ScriptedServer { request, _ in
      let query = (try? JSONDocument(parsing: request.body).root)?["query"]?.string ?? ""
      let offset = query.split(separator: "offset: ").last?.split(separator: ",").first.flatMap { Int($0) } ?? 0
      return .json(#"{"data":\#(Flock.data("list(", ["offset": JSONValue(offset)], count: 5))}"#)
    }
    let client = GraphQLClient(url: server.url)
    let query = try Flock.operation(text)
    var first: Page<DynamicOperation>?
    for try await result in client.fetch(query: query) { first = Page(query: query, result: result) }
    let page = try #require(first)
    let list = try #require(PageableListFinder.lists(in: page.data ?? .null, operation: query.compiled).first)
    let pager = Flock.Pager.Actor(source: client, startingWith: page, strategy: list.strategy)
    try await pager.loadAll(fetchFromInitialPage: false)
    // The last page is short, which may be the server's limit, so that an empty page is the end.
    #expect(reported(await pager.current) == "(1 2) | 3 4 | 5 | ")
  }

  @Test func `rewriting arguments ignores comments`() throws {
    let rewriter = ArgumentRewriter(path: ["birds"], values: [("after", "x")])
    #expect(
      rewriter.rewrite("{ birds(first: 10 # ten (10)\n, # all)\r) { id } }")
        == #"{ birds(first: 10, after: "x") { id } }"#)
  }

  @Test func `a place in a page's query is found in the query as it was written`() throws {
    let text = "query A { x }\nquery B { birds(first: 10) { edges { id } pageInfo { endCursor } } }"
    let written = try CompiledOperation.compile(
      Document(parsing: text), operationName: "B", options: CompileOptions(addTypename: true))
    let page = ArgumentRewriter(path: ["birds"], values: [("after", "x"), ("first", 2)]).rewrite(written)
    #expect(page.documentText.contains("__typename"))
    let sent = try #require(Array(page.documentText.utf8).firstRange(of: Array("endCursor".utf8))).lowerBound
    let map = try #require(page.sourceMap)
    let place = map.location(line: 1, column: sent + 1, inSent: page.documentText)
    #expect(place.line == 2)
    #expect(place.column == 54)
    // An added argument has the place where the list of arguments begins.
    #expect(map.location(line: 1, column: 20, inSent: page.documentText).column == 16)
  }

  @Test func `fragments spread twice in each other are searched once`() throws {
    let fragments = (0..<60).map { "fragment F\($0) on Query { ...F\($0 + 1) ...F\($0 + 1) }" }
    let text = "{ ...F0 } " + fragments.joined(separator: " ") + " fragment F60 on Query { birds(first: 1) { id } }"
    let rewritten = ArgumentRewriter(path: ["birds"], values: [("first", 2)]).rewrite(text)
    #expect(rewritten.contains("birds(first: 2)"))
  }

  @Test func `there is no page after the largest number`() throws {
    let query = try compiled("{ list { id } }")
    let strategy = DynamicPagingStrategy.pageNumber(
      pageInfo: { _ in NumberedPageInfo(number: .max, hasNext: true) },
      query: { _ in DynamicOperation(compiled: query) })
    let page = Page(query: DynamicOperation(compiled: query), result: GraphQLResult(data: try parsed("{}")))
    guard case .end(.lastPage)? = strategy.next?(.first(page)) else {
      Issue.record("a page after the last number")
      return
    }
  }
}

func parsed(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

func compiled(_ text: String, schema: Schema? = nil) throws -> CompiledOperation {
  try CompiledOperation.compile(
    Document(parsing: text), operationName: nil, schema: schema, options: CompileOptions(addTypename: false))
}
