import ApusGraphQLLanguage
import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of the negotiation of incremental responses.
enum NegotiationAudits {
  static let all: [Audit] = [
    Audit(
      .incremental, "directives", .must, "@defer and @stream have the specified locations and arguments",
      .incremental("Type System, @defer and @stream"), reason: "a nullable or absent `if` breaks generated clients"
    ) { context in
      guard let schema = context.schema else { throw AuditStop.notApplicable("the schema is unknown") }
      let expected = [
        "defer": ["if": "Boolean!", "label": "String"],
        "stream": ["if": "Boolean!", "label": "String", "initialCount": "Int!"],
      ]
      var isDeclared = false
      for name in expected.keys.sorted() {
        guard let directive = schema.directive(named: name), !directive.isImplied else { continue }
        isDeclared = true
        for (argument, type) in expected[name] ?? [:] {
          let found = directive.argument(named: argument)?.type.description ?? "absent"
          // Older drafts have nullable types, and clients accept both.
          guard found != type, found + "!" != type else { continue }
          throw AuditStop.failed(found: "@\(name)(\(argument):) is \(found)", [])
        }
      }
      if !isDeclared { throw AuditStop.notApplicable("the schema has neither @defer nor @stream") }
    },
    Audit(
      .incremental, "asked-format", .must,
      "a request that accepts one format gets this format, one JSON response, or 406",
      .overHTTP("Body"), reason: "strawberry sends v0.2 to clients of the 2022 format: they show half a response"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        try context.expect(
          delivery.format == delivery.requested, delivery,
          found: "the payloads are of \(delivery.format?.phrase ?? "none")")
      }
    },
    Audit(
      .incremental, "named-format", .should, "the Content-Type names the format of the payloads",
      .other("Apollo Router documentation", "@defer support"), reason: "clients guess the format from the payloads"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        let named = delivery.exchange.contentType.filter { !"\" ".contains($0) }
        try context.expect(
          named.contains(delivery.format?.specification ?? ""), delivery, found: delivery.exchange.contentType)
      }
    },
    Audit(
      .incremental, "quoted", .should, "a quoted parameter in Accept has the same effect as an unquoted one",
      .rfc(9110, "section 5.6.6"),
      reason: "servers that split at the semicolon"
    ) { context in
      for delivery in try await context.incrementalDeliveries() where delivery.format == delivery.requested {
        let format = delivery.requested
        let accept = "multipart/mixed;\(format.parameter)=\"\(format.rawValue)\", application/json;q=0.5"
        let exchange = try await context.run(delivery.shape.document, accept: accept)
        try context.expect(exchange.mediaType.isMultipart, exchange)
        return
      }
      throw AuditStop.notApplicable("no requested format is sent")
    },
    Audit(
      .incremental, "preference", .should,
      "a client that prefers JSON, or accepts anything, gets one JSON response or 406",
      .overHTTP("Body"), reason: "curl and JSON clients get parts"
    ) { context in
      let shape = try await context.deferredShape()
      for accept in ["application/json, multipart/mixed;q=0.5", "*/*", nil] {
        let exchange = try await context.run(shape.document, accept: accept)
        try context.expect(
          !exchange.mediaType.isMultipart, exchange, found: "Accept \(accept ?? "absent"): \(exchange.summary)")
      }
    },
    Audit(
      .incremental, "not-accepted", .must, "a client that accepts JSON only gets the complete result or 406",
      .overHTTP("Body"), reason: "strawberry sends parts: the client cannot read them"
    ) { context in
      let shape = try await context.deferredShape()
      for accept in [GraphQLMediaType.json, GraphQLMediaType.response] {
        let exchange = try await context.run(shape.document, accept: accept)
        if exchange.status == 406 { continue }
        try context.expect(!exchange.mediaType.isMultipart, exchange)
        let response = exchange.response
        let isComplete = response?["hasNext"]?.bool != true && response != nil
        try context.expect(isComplete, exchange)
        guard let data = exchange.data else { continue }
        let plain = try await context.run(shape.plain)
        let difference = plain.data.map { MutableJSON(data).differences(from: MutableJSON($0)) } ?? []
        let volatile = try await context.volatilePaths(of: shape)
        let missing = difference.filter { path in !volatile.contains { path.isPath($0) } }
        try context.expect(missing.isEmpty, exchange, found: "different at \(missing.sorted().joined(separator: ", "))")
      }
    },
    Audit(
      .incremental, "plain-single", .must, "a document without directives gets one complete result",
      .incremental("Response"), reason: "Apollo Router #1213"
    ) { context in
      let shape = try await context.deferredShape()
      for format in IncrementalFormat.allCases {
        let exchange = try await context.run(shape.plain, accept: format.accept)
        let delivery = Delivery(shape, format, exchange, plain: exchange)
        try context.expect(delivery.payloads.count == 1, exchange, found: "\(delivery.payloads.count) payloads")
        try context.expect(delivery.first?["hasNext"]?.bool != true, exchange, found: "hasNext: true")
      }
    },
    Audit(
      .incremental, "validation", .must, "misplaced and ambiguous directives are refused", .incremental("Validation"),
      reason: "the client cannot assign the results"
    ) { context in
      let shape = try await context.deferredShape()
      let field = shape.field
      let leaf = field.leaves.first?.text ?? "__typename"
      var documents = [
        "a label used twice": "{ ... @defer(label: \"a\") { \(field.text) } ... @defer(label: \"a\") { __typename } }",
        "a variable as label": "query ($audit: String) { ... @defer(label: $audit) { \(field.text) } }",
        "@defer on a field": "{ \(field.head) @defer { \(leaf) } }",
      ]
      if context.schema?.directive(named: "stream")?.isImplied == false {
        documents["@stream on a field that is not a list"] = "{ __typename @stream }"
      }
      if let list = try await context.deliveries().first(where: { $0.shape.traits.contains(.streamCount(0)) })?.shape
        .field
      {
        let selections = "{ \(list.selections.text) }"
        documents["@stream with unequal arguments on one field"] =
          "{ \(list.head) @stream(initialCount: 0) \(selections) \(list.head) @stream(initialCount: 1) \(selections) }"
      }
      for (name, document) in documents.sorted(by: { $0.key < $1.key }) {
        let exchange = try await context.run(document, accept: IncrementalFormat.incrementalV02.accept)
        try context.expectRefusal(Delivery(shape, .incrementalV02, exchange, plain: exchange), name)
      }
    },
    Audit(
      .incremental, "mutation-defer", .must, "@defer at the root of a mutation is refused and not run",
      .incremental("Validation, Defer And Stream Directives Are Used On Valid Root Field"), reason: "it is run"
    ) { context in
      let document = try context.deferringRoot(of: context.userOperation(.mutation))
      let shape = try await context.deferredShape()
      let exchange = try await context.run(document, accept: IncrementalFormat.incrementalV02.accept)
      try context.expectRefusal(Delivery(shape, .incrementalV02, exchange, plain: exchange))
    },
    Audit(
      .incremental, "subscription-defer", .must, "@defer at the root of a subscription is refused",
      .incremental("Validation, Defer And Stream Directives Are Used On Valid Root Field"), reason: "it is run"
    ) { context in
      _ = try await context.deferredShape()
      let document = try context.deferringRoot(of: await context.subscription())
      let socket = try await context.socket(TransportSocketAudits.name)
      defer { socket.cut() }
      socket.send(Message.subscribe("1", document))
      let event = await socket.nextMessage()
      let result = event.message?["payload"]
      let isRefused = event.type == "error" || result?["errors"] != nil && result?["data"]?.isNull ?? true
      try context.expect(isRefused, socket, found: event.text)
    },
  ]
}

extension AuditContext {
  /// Returns the first shape with a deferred fragment.
  func deferredShape() async throws -> IncrementalShape {
    guard schema?.directive(named: "defer")?.isImplied == false else {
      throw AuditStop.notApplicable("the schema has no @defer")
    }
    guard let delivery = try await deliveries().first(where: { $0.isIncremental && !$0.shape.traits.contains(.stream) })
    else { throw AuditStop.notApplicable("no response arrived in several payloads") }
    return delivery.shape
  }

  /// Fails unless the response has errors and no data.
  func expectRefusal(_ delivery: Delivery, _ name: String? = nil) throws(AuditStop) {
    let first = delivery.first
    let isRefused = first?["errors"]?.count ?? 0 > 0 && first?["data"]?.isNull ?? true
    let found = delivery.exchange.summary
    try expect(isRefused, delivery.exchange, found: name.map { "\($0): \(found)" } ?? found)
  }

  /// Returns the operation with its selections in a deferred fragment.
  func deferringRoot(of text: String) throws(AuditStop) -> String {
    guard let selections = Document(parsing: text).operations.first?.selectionSet.range else {
      throw AuditStop.notApplicable("the document has no operation")
    }
    let bytes = Array(text.utf8)
    let parts = [bytes[..<selections.lowerBound], bytes[selections], bytes[selections.upperBound...]]
    let words = parts.map { String(decoding: $0, as: UTF8.self) }
    return "\(words[0]){ ... @defer \(words[1]) }\(words[2])"
  }

  /// Returns the paths at which two responses to a plain document differ, such as clocks and random order.
  func volatilePaths(of shape: IncrementalShape) async throws -> Set<String> {
    for delivery in try await deliveries() where delivery.shape.document == shape.document {
      return delivery.volatilePaths
    }
    return []
  }
}
