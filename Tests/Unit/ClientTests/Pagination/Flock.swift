import ApusClientAPI
import ApusClientCache
import ApusClientCore
import ApusClientOperation
import ApusClientRequestChain
import ApusGraphQLLanguage
import ApusJSON
import ApusTestSupport
import Synchronization

@testable import ApusClientPagination

/// A server with numbered birds: a Relay connection, an offset list and numbered pages, each with two birds per page.
struct Flock {
  typealias Pager = GraphQLQueryPager<DynamicOperation, DynamicOperation>
  typealias Override = @Sendable (_ requested: JSONValue, _ index: Int) -> ScriptedAnswer?

  let server: ScriptedServer
  let store: CacheStore?
  let client: GraphQLClient

  /// `override` may replace responses, by variables and request index.
  init(_ count: Int, store: CacheStore? = nil, override: @escaping Override = { _, _ in nil }) throws {
    server = try ScriptedServer { request, index in
      let body = (try? JSONDocument(parsing: request.body).root) ?? .null
      let variables = body["variables"] ?? .object([])
      if let answer = override(variables, index) { return answer }
      let text = body["query"]?.string ?? ""
      return .json(#"{"data":"# + Flock.data(text, variables, count: count) + "}")
    }
    self.store = store
    client = GraphQLClient(url: server.url, store: store)
  }

  /// The variables of each request.
  var requested: [String] {
    server.requests.map { ((try? JSONDocument(parsing: $0.body).root)?["variables"] ?? .object([])).description }
  }

  // MARK: Operations

  static let connection = """
    query ($after: String, $before: String) { birds(after: $after, before: $before) \
    { edges { cursor node { __typename id name } } \
    pageInfo { hasNextPage endCursor hasPreviousPage startCursor } } }
    """
  static let offsetList = """
    query ($offset: Int, $limit: Int = 2) { list(offset: $offset, limit: $limit) { __typename id name } }
    """
  static let numbered = "query ($page: Int = 1) { paged(page: $page) { __typename id name } }"

  static func operation(_ text: String, _ variables: JSONValue = .object([])) throws -> DynamicOperation {
    DynamicOperation(
      compiled: try CompiledOperation.compile(Document(parsing: text)), variables: variables)
  }

  func pager(
    _ strategy: DynamicPagingStrategy = .cursorBoth(path: ["birds"], after: "after", before: "before"),
    _ text: String = connection, _ variables: JSONValue = .object([]), options: RequestOptions = RequestOptions()
  ) throws -> Pager.Actor {
    Pager.Actor(
      source: client, initialQuery: try Self.operation(text, variables), strategy: strategy, options: options)
  }

  // MARK: Data

  static func data(_ text: String, _ variables: JSONValue, count: Int) -> String {
    if text.contains("list(") {
      let offset = variables["offset"]?.int ?? 0
      return "{\"list\":[\(list(offset, variables["limit"]?.int ?? 2, count).joined(separator: ","))]}"
    }
    if text.contains("paged(") {
      let page = variables["page"]?.int ?? 1
      return "{\"paged\":[\(list((page - 1) * 2, 2, count).joined(separator: ","))]}"
    }
    return connection(after: variables["after"]?.string, before: variables["before"]?.string, count: count)
  }

  private static func list(_ offset: Int, _ limit: Int, _ count: Int) -> [String] {
    (offset..<max(offset, min(offset + limit, count))).map { bird($0 + 1) }
  }

  static func bird(_ number: Int, name: String? = nil) -> String {
    "{\"__typename\":\"Bird\",\"id\":\"\(number)\",\"name\":\"\(name ?? "bird \(number)")\"}"
  }

  /// Cursors are the birds' numbers. Returns two birds after `after`, or the two before `before`.
  static func connection(
    after: String? = nil, before: String? = nil, count: Int, end: String? = nil, hasNext: Bool? = nil
  ) -> String {
    var numbers = Array(1..<(count + 1))
    if let after = after.flatMap({ Int($0) }) { numbers.removeAll { $0 <= after } }
    if let before = before.flatMap({ Int($0) }) {
      numbers.removeAll { $0 >= before }
      numbers = Array(numbers.suffix(2))
    }
    numbers = Array(numbers.prefix(2))
    let edges = numbers.map { "{\"cursor\":\"\($0)\",\"node\":\(bird($0))}" }.joined(separator: ",")
    let (first, last) = (numbers.first ?? 1, numbers.last ?? count)
    return """
      {"birds":{"edges":[\(edges)],"pageInfo":{"hasNextPage":\(hasNext ?? (last < count)),\
      "endCursor":\(end ?? "\"\(last)\""),"hasPreviousPage":\(first > 1),"startCursor":"\(first)"}}}
      """
  }
}

/// A pager's pages on one line, the initial one in parentheses: `1 2 | (3 4) | 5`.
func reported(_ output: PagerOutput<DynamicOperation, DynamicOperation>) -> String {
  func ids(_ page: Page<DynamicOperation>) -> String {
    var list = page.data?["list"] ?? page.data?["paged"]
    if let edges = page.data?.value(at: ["birds", "edges"]) {
      list = .array(edges.elements.compactMap { $0["node"] })
    }
    return list?.elements.map { node in
      let name = node["name"]?.string ?? ""
      return (node["id"]?.string ?? "-") + (name.hasPrefix("bird ") || name.isEmpty ? "" : "=\(name)")
    }.joined(separator: " ") ?? "nothing"
  }
  let pages =
    output.previousPages.map(ids) + [output.initialPage.map { "(\(ids($0)))" }].compactMap { $0 }
    + output.nextPages.map(ids)
  return pages.joined(separator: " | ")
}

/// Returns the error's description, or a marker if there was none.
func outcome(_ body: () async throws(PagerError) -> Void) async -> String {
  do throws(PagerError) {
    try await body()
    return "loaded"
  } catch {
    return error.description
  }
}

extension PagerValues {
  /// Returns the first value that meets a condition.
  func first(where condition: (Element) -> Bool) async -> Element? {
    for await value in self where condition(value) { return value }
    return nil
  }
}
