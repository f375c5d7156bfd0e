import ApusGraphQLSchema
import ApusJSON

/// Audits of responses and their errors (GraphQL, sections 6.4.4 and 7.1).
enum ErrorAudits {
  static let all: [Audit] = [
    Audit(
      .errors, "request-no-data", .must, "a request error has no data member", .graphQL("7.1.2, Request Error Result"),
      reason: "graphql-core, ariadne and gqlgen write data: null"
    ) { context in
      for request in RefusedRequest.all {
        let exchange = try await request.send(context)
        guard let response = exchange.response else { continue }
        try context.expect(
          response["data"] == nil, exchange, found: "\(request.name): \(exchange.summary)",
          proof: exchange.range(ofMember: "data"))
      }
    },
    Audit(
      .errors, "locations", .should, "an unknown field is located where it is written", .graphQL("7.1.5, Errors"),
      reason: "graphql-ruby sends an empty list, AppSync null"
    ) { context in
      let exchange = try await context.run("{\n  auditUnknownField\n}")
      let location = exchange.errors.first?["locations"]?[0]
      try context.expect(
        location?["line"]?.int == 2 && location?["column"]?.int == 3, exchange,
        proof: exchange.range(ofMember: "locations"))
    },
    Audit(
      .errors, "path", .must, "the path of a field error has response keys and indexes from 0",
      .graphQL("7.1.6, Response Position"), reason: "ballerina #4634, graphql-dotnet #1693, go-tools #1153"
    ) { context in
      let failing = try await context.failingField()
      let alias = "audit: \(failing.field.text)"
      let exchange = try await context.run("{ \(alias) }")
      guard !exchange.errors.isEmpty else { throw AuditStop.notApplicable("the field did not fail again") }
      for error in exchange.errors {
        let path = error["path"]?.elements ?? []
        try context.expect(
          path.first?.string == "audit", exchange, found: "the path \(error["path"]?.shortText ?? "is absent")",
          proof: exchange.range(ofMember: "path"))
        let isWellFormed = path.allSatisfy { $0.kind == .string || ($0.int ?? -1) >= 0 }
        try context.expect(
          isWellFormed, exchange, found: "the path \(error["path"]?.shortText ?? "is absent")",
          proof: exchange.range(ofMember: "path"))
      }
    },
    Audit(
      .errors, "null-at-path", .must, "the path of an error ends at a null or below one", .graphQL("7.1.5, Errors"),
      reason: "a value next to its error"
    ) { context in
      let failing = try await context.failingField()
      for error in failing.exchange.errors {
        guard let data = failing.exchange.response?["data"], let path = error["path"] else { continue }
        let value = data.follow(path.elements)
        try context.expect(
          value?.isNull ?? true, failing.exchange, found: "\(path.shortText) is \(value?.shortText ?? "")",
          proof: failing.exchange.range(ofMember: "data"))
      }
    },
    Audit(
      .errors, "propagation", .must, "a null of a non-null field propagates to the nearest nullable parent",
      .graphQL("6.4.4, Handling Execution Errors"), reason: "null in a non-null field stops typed clients"
    ) { context in
      let failing = try await context.failingField()
      guard let schema = context.schema else { return }
      let checker = ShapeChecker(schema: schema)
      if let problem = checker.problem(of: failing.exchange, selections: [.field(failing.field)]) {
        try context.expect(
          false, failing.exchange, found: problem, proof: failing.exchange.range(ofMember: "data"))
      }
      let paths = failing.exchange.errors.compactMap { $0["path"]?.elements }
      try context.expect(
        Set(paths.map(\.pathText)).count == paths.count, failing.exchange, found: "two errors for one field")
      guard paths.count == 1, let path = paths.first, let data = failing.exchange.response?["data"] else { return }
      // Another error could have nulled a parent; with one error, the null is at the nearest nullable position.
      let (expected, found) = (checker.nullDepth(of: path, in: failing.field), data.nullDepth(at: path))
      try context.expect(
        expected == nil || found == expected, failing.exchange,
        found:
          "the null is \(found.map { "at \(Array(path[..<$0]).pathText)" } ?? "absent"), the error at \(path.pathText)")
    },
    Audit(
      .errors, "data-shape", .must, "data has the selected fields with the types of the schema",
      .graphQL("6.4.3, Value Completion"), reason: "additional fields, enum values in another case"
    ) { context in
      let pool = try await context.probe()
      guard let schema = context.schema, !pool.fields.isEmpty else {
        throw AuditStop.notApplicable("no field can be requested without arguments")
      }
      let checker = ShapeChecker(schema: schema)
      for probed in pool.fields {
        if let problem = checker.problem(of: probed.exchange, selections: [.field(probed.field)]) {
          try context.expect(
            false, probed.exchange, found: problem, proof: probed.exchange.range(ofMember: "data"))
        }
      }
    },
    Audit(
      .errors, "order", .should, "members are in the order of the selections",
      .graphQL("7.2.2, Serialized Map Ordering"),
      reason: "people read responses next to their query"
    ) { context in
      let exchange = try await context.run("{ z: __typename a: __typename }")
      try context.expect(exchange.data?.keys == ["z", "a"], exchange, proof: exchange.range(ofMember: "data"))
    },
  ]
}

extension AuditContext {
  func failingField() async throws -> ProbedField {
    guard let failing = try await probe().failing.first else {
      throw AuditStop.notApplicable("no field that can be requested fails")
    }
    return failing
  }
}

extension JSONValue {
  /// Returns the number of path components that lead to a null; nil if the path contains none.
  func nullDepth(at path: [JSONValue]) -> Int? {
    (0...path.count).first { follow(Array(path[..<$0]))?.isNull ?? false }
  }

  /// The value as JSON, truncated to one line.
  var shortText: String {
    let text = JSONWriter.compact(self)
    return text.count > 80 ? text.prefix(79) + "…" : text
  }

  /// Returns the value at a path; nil if the path does not exist, null if it contains a null.
  func follow(_ path: [JSONValue]) -> JSONValue? {
    var value = self
    for component in path {
      if value.isNull { return value }
      let next =
        component.string.flatMap { value[$0] } ?? component.int.flatMap { value.kind == .array ? value[$0] : nil }
      guard let next else { return nil }
      value = next
    }
    return value
  }
}
