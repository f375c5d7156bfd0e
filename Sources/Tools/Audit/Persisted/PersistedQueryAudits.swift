import ApusDigest
import ApusJSON

/// Audits of automatic persisted queries (Apollo's protocol).
enum PersistedQueryAudits {
  private static let source = AuditSource.other("Apollo automatic persisted queries", "Protocol")

  static let all: [Audit] = [
    Audit(
      .persisted, "unknown", .may, "an unknown hash is answered with PersistedQueryNotFound or NotSupported", source,
      reason: "clients send the document only after these"
    ) { context in
      let exchange = try await context.post(body(hash: unknownHash))
      let message = exchange.errors.first?["message"]?.string ?? exchange.summary
      throw AuditStop.reported(isSupported(exchange) ? "supported" : "not supported: \(message)")
    },
    Audit(
      .persisted, "unknown-no-data", .should, "PersistedQueryNotFound has no data member",
      .graphQL("7.1.2, Request Error Result"), reason: "gqlgen writes data: null: some clients stop there"
    ) { context in
      let exchange = try await requireSupport(context)
      try context.expect(exchange.response?["data"] == nil, exchange)
    },
    Audit(
      .persisted, "wrong-hash", .must, "a document with another hash is refused and not stored", source,
      reason: "Apollo Router #2948, async-graphql #331: any client can replace a stored query"
    ) { context in
      _ = try await requireSupport(context)
      let exchange = try await context.post(body(hash: unknownHash, text: AuditContext.typename))
      try context.expect(!exchange.errors.isEmpty, exchange)
      var again = exchange.request
      again.body = Array(body(hash: unknownHash).utf8)
      let second = try await context.exchange(again)
      try context.expect(second.data == nil, second, found: "the document was stored")
    },
    Audit(
      .persisted, "known", .must, "a registered hash is answered by POST and by GET", source,
      reason: "Hot Chocolate #3342 hashes a reformatted document"
    ) { context in
      _ = try await requireSupport(context)
      let hash = SHA256Digest.hexadecimal(of: knownText)
      let first = try await context.post(body(hash: hash, text: knownText))
      try context.expect(first.data != nil, first)
      let second = try await context.post(body(hash: hash))
      try context.expect(second.data != nil, second)
      let byGET = try await context.get([("extensions", extensions(hash: hash))], headers: preflight)
      if byGET.isClientError { return }
      try context.expect(byGET.data != nil, byGET)
    },
    Audit(
      .persisted, "version", .should, "an unknown version is refused", source, reason: "it is ignored"
    ) { context in
      _ = try await requireSupport(context)
      let exchange = try await context.post(
        #"{"query":"\#(knownText)","extensions":{"persistedQuery":{"version":2,"sha256Hash":"\#(unknownHash)"}}}"#)
      try context.expect(!exchange.errors.isEmpty, exchange)
    },
    Audit(
      .persisted, "get-mutation", .must, "a stored mutation by GET is refused with 4xx", .overHTTP("GET"),
      reason: "a link changes data"
    ) { context in
      let mutation = try context.userOperation(.mutation)
      _ = try await requireSupport(context)
      let hash = SHA256Digest.hexadecimal(of: mutation)
      let stored = try await context.post(body(hash: hash, text: mutation))
      guard stored.data != nil else { throw AuditStop.notApplicable("the mutation cannot be stored") }
      let exchange = try await context.get([("extensions", extensions(hash: hash))], headers: preflight)
      try context.expect(exchange.isClientError, exchange)
    },
  ]

  /// A hash that is never registered, and a text that is. Every run sends the same bytes.
  private static let unknownHash = String(repeating: "a0", count: 32)
  private static let knownText = "query ApusAudit { __typename }"
  private static let preflight = [("Apollo-Require-Preflight", "true"), ("GraphQL-Preflight", "1")]

  private static func extensions(hash: String) -> String {
    #"{"persistedQuery":{"version":1,"sha256Hash":"\#(hash)"}}"#
  }

  private static func body(hash: String, text: String? = nil) -> String {
    var members: [(String, JSONValue)] = []
    if let text { members.append(("query", JSONValue(text))) }
    members.append(("extensions", ["persistedQuery": ["version": 1, "sha256Hash": JSONValue(hash)]]))
    return JSONWriter.compact(.object(members))
  }

  private static func isSupported(_ exchange: Exchange) -> Bool {
    exchange.errors.contains {
      $0["message"]?.string == "PersistedQueryNotFound"
        || $0["extensions"]?["code"]?.string == "PERSISTED_QUERY_NOT_FOUND"
    }
  }

  private static func requireSupport(_ context: AuditContext) async throws -> Exchange {
    let exchange = try await context.post(body(hash: unknownHash))
    guard isSupported(exchange) else { throw AuditStop.notApplicable("the server has no automatic persisted queries") }
    return exchange
  }
}
