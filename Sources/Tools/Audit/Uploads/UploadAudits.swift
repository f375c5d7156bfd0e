import ApusDigest
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
      let mutation = try uploadingMutation(context)
      let exchange = try await upload(mutation, paths: [mutation.paths[0]], context)
      try context.expect(exchange.data != nil && exchange.errors.isEmpty, exchange)
      guard mutation.hasList else { return }
      let two = try await upload(mutation, paths: Array(mutation.paths.prefix(2)), files: contents, context)
      try context.expect(two.data != nil && two.errors.isEmpty, two)
      // If the response shows both files, they must be in order.
      let places = contents.map { content in two.firstPlace(of: content) }
      if let first = places[0], let second = places[1] {
        try context.expect(first < second, two, found: "the files are exchanged", proof: two.range(ofMember: "data"))
      }
    },
    Audit(
      .uploads, "dedupe", .should, "one file may be the value of two variables", source("map"),
      reason: "the second is null"
    ) { context in
      let mutation = try uploadingMutation(context)
      guard mutation.paths.count > 1 else {
        throw AuditStop.notApplicable("the mutation of --operation has one place for a file")
      }
      let exchange = try await upload(mutation, paths: Array(mutation.paths.prefix(2)), context)
      try context.expect(exchange.data != nil && exchange.errors.isEmpty, exchange)
    },
  ]

  /// File contents with different lengths.
  private static let contents = ["audit", "audit, the second file"]

  private static let operations = #"{"query":"{ __typename }","variables":{}}"#
  /// The header fields that servers with CSRF prevention require.
  private static let preflight = [("Apollo-Require-Preflight", "true"), ("GraphQL-Preflight", "1")]

  private static func requireUploads(_ context: AuditContext) async throws {
    let exchange = try await context.upload([("operations", operations), ("map", "{}")], headers: preflight)
    guard exchange.data != nil else { throw AuditStop.notApplicable("the server takes no multipart requests") }
  }

  /// A mutation with `Upload` variables, and the paths for files.
  private struct UploadingMutation {
    let text: String
    let variables: JSONValue
    let paths: [String]
    let hasList: Bool
  }

  private static func uploadingMutation(_ context: AuditContext) throws(AuditStop) -> UploadingMutation {
    for operation in context.userOperations where operation.kind == .mutation {
      let uploads = operation.variables.filter { $0.type.contains("Upload") }
      let others = operation.variables.filter { $0.isRequired && !$0.type.contains("Upload") }
      guard !uploads.isEmpty, others.isEmpty else { continue }
      let variables = uploads.map { variable -> (String, JSONValue) in
        (variable.name, variable.type.hasPrefix("[") ? [.null, .null] : .null)
      }
      let paths = uploads.flatMap { variable in
        variable.type.hasPrefix("[")
          ? ["variables.\(variable.name).0", "variables.\(variable.name).1"] : ["variables.\(variable.name)"]
      }
      return UploadingMutation(
        text: operation.text, variables: .object(variables), paths: paths,
        hasList: uploads.contains { $0.type.hasPrefix("[") })
    }
    throw AuditStop.notApplicable("no mutation of --operation has variables of the type Upload alone")
  }

  /// Sends the mutation with one file for all paths, or one file for each. Without a second file, a list has one item.
  private static func upload(
    _ mutation: UploadingMutation, paths: [String], files: [String] = [contents[0]], _ context: AuditContext
  ) async throws -> Exchange {
    try await requireUploads(context)
    let map =
      files.count == 1
      ? [("0", JSONValue.array(paths.map { JSONValue($0) }))]
      : paths.enumerated().map { ("\($0.offset)", [JSONValue($0.element)]) }
    let variables = mutation.variables.members.map { name, value -> (String, JSONValue) in
      guard value.kind == .array else { return (name, value) }
      return (name, .array(Array(repeating: .null, count: paths.count { $0.hasPrefix("variables.\(name).") })))
    }
    let body: JSONValue = ["query": JSONValue(mutation.text), "variables": .object(variables)]
    let parts = [("operations", JSONWriter.compact(body)), ("map", JSONWriter.compact(.object(map)))]
    return try await context.upload(
      parts + files.enumerated().map { ("\($0.offset)", $0.element) }, headers: preflight)
  }
}

extension Exchange {
  /// Whether the server responded in time without a server error. The specification does not define the response.
  fileprivate var isAnswered: Bool { failure == nil && status < 500 }

  /// Returns the offset in the body of a file's content, digest or size, whichever the response shows.
  fileprivate func firstPlace(of content: String) -> Int? {
    [content, SHA256Digest.hexadecimal(of: content), ":\(content.utf8.count)"].lazy
      .flatMap { text in ["\"", ",", "}"].map { text + $0 } }
      .compactMap { self.range(of: $0)?.lowerBound }.first
  }
}

extension AuditContext {
  private static let boundary = "apus-audit-boundary"

  /// Sends a multipart form. Parts whose names are digits are files.
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
