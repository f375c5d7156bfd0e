import ApusGraphQLSchema
import ApusJSON

/// Audits of connections (GraphQL Cursor Connections Specification).
enum PagingAudits {
  private static func source(_ section: String) -> AuditSource {
    .other("GraphQL Cursor Connections Specification", section)
  }

  static let all: [Audit] = [
    Audit(
      .paging, "types", .must, "a connection has edges and pageInfo, an edge node and cursor", source("2 to 5"),
      reason: "clients select these fields"
    ) { context in
      let connection = try await context.connection()
      guard let type = connection.field.type.definition, let edge = type.field(named: "edges")?.type.definition,
        let info = type.field(named: "pageInfo")?.type.definition
      else { return }
      let missing =
        ["node", "cursor"].filter { edge.field(named: $0) == nil }
        + ["hasNextPage", "hasPreviousPage", "startCursor", "endCursor"].filter { info.field(named: $0) == nil }
      if !missing.isEmpty { throw AuditStop.failed(found: "missing: \(missing.joined(separator: ", "))", []) }
    },
    Audit(.paging, "first", .must, "first: 2 gives at most two edges", source("4.1, Arguments"), reason: "ignored") {
      context in
      let page = try await context.page("first: 2")
      try context.expect(
        page.cursors.count <= 2, page.exchange, found: "\(page.cursors.count) edges",
        proof: page.exchange.range(ofMember: "edges"))
    },
    Audit(
      .paging, "cursors", .must, "startCursor and endCursor are those of the first and last edge",
      source("5.1, PageInfo"),
      reason: "graphcool #46"
    ) { context in
      let page = try await context.page("first: 2")
      guard let first = page.cursors.first, let last = page.cursors.last else { return }
      let found = (page.info?["startCursor"]?.string, page.info?["endCursor"]?.string)
      try context.expect(
        found.0 == first && found.1 == last, page.exchange, proof: page.exchange.range(ofMember: "pageInfo"))
    },
    Audit(
      .paging, "continues", .must, "two pages of two edges equal one page of four", source("4.3, Edge order"),
      reason: "off by one"
    ) { context in
      let first = try await context.page("first: 2")
      guard let end = first.cursors.last, first.cursors.count == 2 else {
        throw AuditStop.notApplicable("fewer than two edges")
      }
      let second = try await context.page("first: 2, after: \(StringLiteral.text(end))")
      let all = try await context.page("first: 4")
      try context.expect(
        first.nodes + second.nodes == all.nodes, second.exchange, proof: second.exchange.range(ofMember: "edges"))
    },
    Audit(
      .paging, "has-next", .must, "hasNextPage is true if there are more edges, and false at the end",
      source("5.1, PageInfo"),
      reason: "absinthe_relay #32, #67"
    ) { context in
      let end = try await context.end()
      let exact = try await context.page("first: 2, after: \(StringLiteral.text(end.cursors[0]))")
      try context.expect(
        exact.info?["hasNextPage"]?.bool == false, exact.exchange, proof: exact.exchange.range(ofMember: "hasNextPage"))
      let less = try await context.page("first: 1, after: \(StringLiteral.text(end.cursors[0]))")
      try context.expect(
        less.info?["hasNextPage"]?.bool == true, less.exchange, proof: less.exchange.range(ofMember: "hasNextPage"))
    },
    Audit(
      .paging, "no-next-empty", .must, "no page with hasNextPage is empty", source("5.1, PageInfo"),
      reason: "endless loops"
    ) { context in
      for page in try await context.pages() where page.info?["hasNextPage"]?.bool == true {
        try context.expect(!page.cursors.isEmpty, page.exchange, proof: page.exchange.range(ofMember: "hasNextPage"))
      }
    },
    Audit(
      .paging, "no-repeats", .must, "no cursor occurs twice", source("4.3, Edge order"),
      reason: "cursors that are offsets"
    ) {
      context in
      var seen: Set<String> = []
      for page in try await context.pages() {
        for cursor in page.cursors {
          try context.expect(
            seen.insert(cursor).inserted, page.exchange, found: "the cursor \(cursor) twice",
            proof: page.exchange.range(of: "\"\(cursor)\""))
        }
      }
    },
    Audit(
      .paging, "negative", .must, "first: -1 is an error", source("4.4, EdgesToReturn"),
      reason: "graphql-ruby 1.13 answers no edges and hasNextPage: true"
    ) { context in
      let page = try await context.page("first: -1")
      try context.expect(!page.exchange.errors.isEmpty, page.exchange)
    },
    Audit(
      .paging, "last", .must, "last gives the last edges in forward order", source("4.3, Edge order"),
      reason: "reversed"
    ) { context in
      try await context.requireBackward()
      let page = try await context.page("last: 2")
      guard page.cursors.count == 2 else { throw AuditStop.notApplicable("fewer than two edges") }
      let next = try await context.page("first: 2, after: \(StringLiteral.text(page.cursors[0]))")
      // Nothing follows the last edge, and only the last edge follows the one before it.
      try context.expect(next.nodes == Array(page.nodes.suffix(1)), next.exchange)
      let before = try await context.page("last: 1, before: \(StringLiteral.text(page.cursors[1]))")
      try context.expect(before.nodes == Array(page.nodes.prefix(1)), before.exchange)
    },
    Audit(
      .paging, "has-previous", .must, "hasPreviousPage is true if last omits earlier edges", source("5.1, PageInfo"),
      reason: "caliban #1307"
    ) { context in
      try await context.requireBackward()
      let all = try await context.page("first: 3")
      guard all.cursors.count == 3 else { throw AuditStop.notApplicable("fewer than three edges") }
      let page = try await context.page("last: 2")
      try context.expect(
        page.hasPrevious, page.exchange, proof: page.exchange.range(ofMember: "hasPreviousPage"))
    },
    Audit(
      .paging, "capped", .should,
      "hasNextPage is true if the server limits a page without first", source("5.1, PageInfo"),
      reason: "graphql-ruby #1109"
    ) { context in
      let page = try await context.page("")
      guard page.exchange.errors.isEmpty else { throw AuditStop.notApplicable("the connection needs first or last") }
      let more = try await context.page("first: \(page.cursors.count + 1)")
      let isCut = more.cursors.count > page.cursors.count
      try context.expect(
        !isCut || page.info?["hasNextPage"]?.bool == true, page.exchange,
        proof: page.exchange.range(ofMember: "hasNextPage"))
    },
    Audit(
      .paging, "node", .should, "node(id:) gives the object of an edge",
      .other("GraphQL Global Object Identification", "node"),
      reason: "ids that are valid in one list only"
    ) { context in
      guard context.schema?.queryType?.field(named: "node") != nil else {
        throw AuditStop.notApplicable("there is no field node")
      }
      let page = try await context.page("first: 1")
      guard let node = page.items.first?["node"], let id = node["id"]?.string else {
        throw AuditStop.notApplicable("a node has no id")
      }
      let exchange = try await context.run("{ node(id: \(StringLiteral.text(id))) { __typename id } }")
      let found = exchange.data?["node"]
      let isSame = found?["id"]?.string == id && found?["__typename"]?.string == node["__typename"]?.string
      try context.expect(isSame, exchange)
    },
  ]
}

/// A page of a connection.
struct AuditPage {
  let exchange: Exchange
  let items: [JSONValue]
  let info: JSONValue?

  var cursors: [String] { items.compactMap { $0["cursor"]?.string } }
  var hasPrevious: Bool { info?["hasPreviousPage"]?.bool == true }
  /// Returns the last edges; not applicable if there are fewer.
  func suffix(_ count: Int) throws(AuditStop) -> AuditPage {
    guard cursors.count >= count else { throw AuditStop.notApplicable("fewer than \(count) edges") }
    return AuditPage(exchange: exchange, items: Array(items.suffix(count)), info: info)
  }
  /// Nodes as text, for comparison.
  var nodes: [String] { items.map { ($0["node"] ?? .null).description } }
}

extension AuditContext {
  /// Returns the first connection that returned edges.
  func connection() async throws -> ProbedField {
    let found = try await probe().fields.first { probed in
      guard let type = probed.field.type.definition else { return false }
      return type.field(named: "edges") != nil && type.field(named: "pageInfo") != nil
        && probed.field.arguments.contains("first:")
    }
    guard let found else { throw AuditStop.notApplicable("no connection can be requested without values") }
    return found
  }

  func page(_ arguments: String) async throws -> AuditPage {
    let field = try await connection().field
    let node = field.type.definition?.field(named: "edges")?.type.definition?.field(named: "node")?.type.definition
    let hasID = node?.field(named: "id") != nil
    let call = arguments.isEmpty ? field.name : "\(field.name)(\(arguments))"
    let exchange = try await run(
      "{ \(call) { edges { cursor node { __typename\(hasID ? " id" : "") } } "
        + "pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } }")
    let value = exchange.data?[field.name]
    return AuditPage(exchange: exchange, items: value?["edges"]?.elements ?? [], info: value?["pageInfo"])
  }

  /// Returns the last three edges: of a connection with at most a hundred, or fetched backwards.
  func end() async throws -> AuditPage {
    let all = try await page("first: 100")
    if all.info?["hasNextPage"]?.bool == false { return try all.suffix(3) }
    try await requireBackward()
    return try await page("last: 3").suffix(3)
  }

  /// Returns at most five pages of two edges.
  func pages() async throws -> [AuditPage] {
    var pages = [try await page("first: 2")]
    while pages.count < 5, let last = pages.last, last.info?["hasNextPage"]?.bool == true, let end = last.cursors.last {
      pages.append(try await page("first: 2, after: \(StringLiteral.text(end))"))
    }
    return pages
  }

  func requireBackward() async throws {
    let field = schema?.queryType?.field(named: try await connection().field.name)
    guard field?.argument(named: "last") != nil, field?.argument(named: "before") != nil else {
      throw AuditStop.notApplicable("the connection takes no last and before")
    }
  }
}
