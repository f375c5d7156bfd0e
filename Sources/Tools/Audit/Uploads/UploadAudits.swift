import ApusJSON

/// Audits of file uploads (the GraphQL multipart request specification).
enum UploadAudits {
  private static func source(_ section: String = "") -> AuditSource {
    .other("GraphQL multipart request specification", section)
  }

  static let all: [Audit] = [
    Audit(
      .uploads, "csrf", .should, "a multipart request without a custom header is refused with 4xx", source("Security"),
      reason: "a form of another site can send operations"
    ) { context in
      let exchange = try await context.upload([("operations", operations), ("map", "{}")])
      try context.expect(exchange.isClientError, exchange)
    },
    Audit(
      .uploads, "malformed", .must, "operations or map that are absent or broken are refused with 4xx", source(),
      reason: "graphql-upload #96 never answers"
    ) { context in
      try await requireUploads(context)
      let requests: [[(String, String)]] = [
        [("map", "{}")], [("operations", operations)], [("operations", "{"), ("map", "{}")],
        [("operations", operations), ("map", "{")],
      ]
      for parts in requests {
        let exchange = try await context.upload(parts, headers: preflight)
        try context.expect(exchange.isClientError, exchange)
      }
    },
    Audit(
      .uploads, "bad-path", .must, "a map that names no variable is answered", source("map"),
      reason: "upload-minimal #19 never answers"
    ) { context in
      try await requireUploads(context)
      let exchange = try await context.upload(
        [("operations", operations), ("map", #"{"0":["variables.audit"]}"#), ("0", "text")], headers: preflight)
      try context.expect(exchange.isAnswered, exchange)
    },
    Audit(
      .uploads, "file-missing", .must, "a map that names an absent part is answered", source("map"),
      reason: "the server waits for the part"
    ) { context in
      try await requireUploads(context)
      let query = #"{"query":"query ($audit: String) { __typename }","variables":{"audit":null}}"#
      let exchange = try await context.upload(
        [("operations", query), ("map", #"{"0":["variables.audit"]}"#)], headers: preflight)
      try context.expect(exchange.isAnswered, exchange)
    },
    Audit(
      .uploads, "files", .must, "an operation receives the bytes of its file", source(), reason: "parts out of order"
    ) { context in
      let exchange = try await uploadFile(context, paths: 1)
      try context.expect(exchange.data != nil && exchange.errors.isEmpty, exchange)
    },
    Audit(
      .uploads, "dedupe", .should, "one file may be the value of two variables", source("map"),
      reason: "the second is null"
    ) { context in
      let exchange = try await uploadFile(context, paths: 2)
      try context.expect(exchange.data != nil && exchange.errors.isEmpty, exchange)
    },
  ]

  private static let operations = #"{"query":"{ __typename }","variables":{}}"#
  /// The fields that servers with request forgery prevention want.
  private static let preflight = [("Apollo-Require-Preflight", "true"), ("GraphQL-Preflight", "1")]

  private static func requireUploads(_ context: AuditContext) async throws {
    let exchange = try await context.upload([("operations", operations), ("map", "{}")], headers: preflight)
    guard exchange.data != nil else { throw AuditStop.notApplicable("the server takes no multipart requests") }
  }

  /// Runs the user's mutation, whose first variables are of the type `Upload`.
  private static func uploadFile(_ context: AuditContext, paths count: Int) async throws -> Exchange {
    let mutation = try context.userOperation(.mutation)
    let names = mutation.matches(of: /\$([A-Za-z_][A-Za-z0-9_]*)\s*:\s*Upload/).map { String($0.1) }
    guard names.count >= count else {
      throw AuditStop.notApplicable("the mutation of --operation has fewer than \(count) Upload variables")
    }
    try await requireUploads(context)
    let chosen = names.prefix(count)
    let variables = JSONValue.object(chosen.map { ($0, .null) })
    let map = JSONValue.object([("0", .array(chosen.map { JSONValue("variables.\($0)") }))])
    let body: JSONValue = ["query": JSONValue(mutation), "variables": variables]
    return try await context.upload(
      [("operations", JSONWriter.compact(body)), ("map", JSONWriter.compact(map)), ("0", "audit")], headers: preflight)
  }
}

extension Exchange {
  /// Whether the server answered in time and did not break. The specification leaves the answer open.
  fileprivate var isAnswered: Bool { failure == nil && status < 500 }
}

extension AuditContext {
  private static let boundary = "apus-audit-boundary"

  /// Sends a multipart form. Parts named by digits are files.
  func upload(_ parts: [(name: String, value: String)], headers: [(String, String)] = []) async throws -> Exchange {
    var body = ""
    for (name, value) in parts {
      let isFile = name.allSatisfy(\.isNumber)
      body +=
        "--\(Self.boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\(isFile ? "; filename=\"a.txt\"" : "")\r\n"
      body += "\(isFile ? "Content-Type: text/plain\r\n" : "")\r\n\(value)\r\n"
    }
    return try await post(
      body + "--\(Self.boundary)--\r\n", contentType: "multipart/form-data; boundary=\(Self.boundary)", headers: headers
    )
  }
}
