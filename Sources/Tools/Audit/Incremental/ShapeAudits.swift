import ApusGraphQLMediaTypes
import ApusJSON

/// Audits of individual shapes: which parts are deferred or streamed.
enum ShapeAudits {
  static let all: [Audit] = [
    Audit(
      .incremental, "if-false", .must, "if: false gives one payload and announces nothing",
      .incremental("Type System, @defer"), reason: "the variable is ignored"
    ) { context in
      for delivery in try await context.deliveries(with: .disabled) {
        try context.expect(!delivery.isIncremental, delivery, found: "\(delivery.payloads.count) payloads")
        try context.expect(delivery.first?["pending"] == nil, delivery, payload: 0, found: "a pending entry")
      }
    },
    Audit(
      .incremental, "include-first", .must, "@skip and @include win over @defer", .incremental("Type System, @defer"),
      reason: "excluded fields are deferred anyway"
    ) { context in
      for delivery in try await context.deliveries(with: .included) {
        let isAbsent = delivery.merged.data[delivery.shape.field.name] == nil
        try context.expect(isAbsent, delivery, found: "the field \(delivery.shape.field.name)")
      }
    },
    Audit(
      .incremental, "honored", .should, "@defer and @stream are applied",
      .incremental("Client Handling of @defer and @stream"),
      reason: "silently disabled"
    ) { context in
      let all = try await context.deliveries()
      guard let first = all.first(where: \.isIncremental) else {
        throw AuditStop.failed(found: "no operation was delivered incrementally", all.first.map { [$0.exchange] } ?? [])
      }
      let streamed = all.filter { delivery in
        delivery.requested == first.requested && delivery.streamCount.map { delivery.fullLength > $0 } ?? false
      }
      for delivery in streamed {
        let count = delivery.initialLength
        try context.expect(
          count == delivery.streamCount, delivery, payload: 0,
          found: "\(count) of \(delivery.fullLength) items at first, not \(delivery.streamCount ?? 0)")
      }
    },
    shape("object", .object, "a fragment of an object is delivered at the object's path", "field names in the path"),
    shape("root", .root, "a fragment at the root has the path []", "relay #5399: clients refuse an empty path"),
    shape("list", .list, "a fragment in a list is delivered for each item", "gqlgen #3341: nulls"),
    shape("nested", .nested, "a fragment in a fragment is not delivered before its object", "Hot Chocolate #7323"),
    shape(
      "overlap", .overlap, "two fragments that share fields are both complete", "the second result replaces the first"),
    shape("initial-object", .initialObject, "an object in both results is merged deeply", "the object is replaced"),
    shape("abstract", .abstract, "a fragment on one type of several affects its items only", "pending forever"),
    shape("same-field", .sameField, "a field in two deferred fragments gives valid results", "graphql-ruby #5434"),
    Audit(
      .incremental, "nothing-left", .should, "a fragment without undelivered fields is not announced",
      .incremental("BuildExecutionPlan"), reason: "clients wait for an empty result"
    ) { context in
      let deliveries = try await context.deliveries(with: .nothingLeft).filter { $0.requested == .incrementalV02 }
      for delivery in deliveries where delivery.format != .defer20220824 {
        try context.expect(delivery.first?["pending"] == nil, delivery, payload: 0, found: "a pending entry")
      }
    },
    Audit(
      .incremental, "stream-count", .must, "the initial result has at least initialCount items",
      .incremental("Type System, @stream"), reason: "the count is ignored"
    ) { context in
      let counted = try await context.deliveries(with: .stream).filter { $0.streamCount != nil }
      if counted.isEmpty { throw AuditStop.notApplicable("no list can be streamed") }
      for delivery in counted {
        guard let expected = delivery.streamCount, delivery.first?["data"]?[delivery.shape.field.name] != nil else {
          continue
        }
        let count = delivery.initialLength
        try context.expect(
          count >= min(expected, delivery.fullLength), delivery, payload: 0,
          found: "\(count) items at first")
      }
    },
    Audit(
      .incremental, "stream-edges", .must,
      "a list that is empty or shorter than initialCount arrives complete, and if: false streams nothing",
      .incremental("Type System, @stream"), reason: "Hot Chocolate #4428, #8714"
    ) { context in
      for delivery in try await context.deliveries(with: .streamEdge) {
        let field = delivery.shape.field.name
        guard let length = delivery.plain.data?[field]?.count else { continue }
        let initial = delivery.first?["data"]?[field]?.count ?? 0
        try context.expect(
          initial == length, delivery, payload: 0, found: "\(initial) of \(length) items at first")
        let additions = delivery.items.filter { $0.item["items"]?.count ?? 0 > 0 }
        try context.expect(
          additions.isEmpty, delivery, payload: additions.first?.payload, found: "items are added later")
        try context.expect(
          delivery.payloads.last?["hasNext"]?.bool != true, delivery, payload: delivery.payloads.count - 1,
          found: "no end")
      }
    },
    shape(
      "stream-nested", .streamNested, "results inside streamed items come after their item", "results out of order"),
    Audit(
      .incremental, "stream-negative", .must, "a negative initialCount is an error",
      .incremental("Type System, @stream"),
      reason: "ignored"
    ) { context in
      guard let delivery = try await context.deliveries(with: .stream).first(where: { $0.shape.field.isList }) else {
        throw AuditStop.notApplicable("no list can be streamed")
      }
      let field = delivery.shape.field
      let exchange = try await context.run(
        "{ \(field.head) @stream(initialCount: -1) { \(field.selections.text) } }",
        accept: IncrementalFormat.incrementalV02.accept)
      let errors = Delivery(delivery.shape, .incrementalV02, exchange, plain: delivery.plain).merged.errors
      try context.expect(!errors.isEmpty, exchange)
    },
  ]

  /// Returns an audit that checks that the deliveries of a shape merge to the plain result, and can be merged at each
  /// payload.
  private static func shape(
    _ rule: String, _ trait: IncrementalShape.Trait, _ expectation: String, _ reason: String
  ) -> Audit {
    Audit(.incremental, rule, .must, expectation, .incremental("Response"), reason: reason) { context in
      for delivery in try await context.deliveries(with: trait) where delivery.isIncremental {
        try context.expectMergeable(delivery)
        try context.expectEqualResult(delivery)
      }
    }
  }
}

extension Delivery {
  /// The `initialCount` that a shape tests.
  fileprivate var streamCount: Int? {
    for case .streamCount(let count) in shape.traits { return count }
    return nil
  }
  fileprivate var initialLength: Int { first?["data"]?[shape.field.name]?.elements.count ?? 0 }
  fileprivate var fullLength: Int { plain.data?[shape.field.name]?.elements.count ?? 0 }
}

extension AuditContext {
  /// Returns the deliveries of shapes with a trait; not applicable if no field allows such a shape.
  func deliveries(with trait: IncrementalShape.Trait) async throws -> [Delivery] {
    let found = try await deliveries().filter { $0.shape.traits.contains(trait) }
    guard !found.isEmpty else { throw AuditStop.notApplicable("no field of the schema allows this shape") }
    return found
  }
}
