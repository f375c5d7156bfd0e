import ApusJSON

/// Audits of deferred and streamed fields that fail.
enum FailureAudits {
  static let all: [Audit] = [
    Audit(
      .incremental, "error-inside", .must, "a nullable field that fails in a fragment is null, with its error",
      .incremental("Response, Incremental Object Result"), reason: "Apollo Router #1818: the error is lost"
    ) { context in
      for delivery in try await context.deliveries(with: .errorInside) where delivery.isIncremental {
        let isListed = delivery.items.contains { !($0.item["errors"]?.elements ?? []).isEmpty }
        try context.expect(isListed, delivery, found: "no errors in the result of the fragment")
        try context.expectEqualResult(delivery)
      }
    },
    Audit(
      .incremental, "error-past-edge", .must, "a non-null field that fails in a fragment fails the fragment only",
      .incremental("Response, Completed Result"), reason: "Apollo Router #2169: the parent object is lost"
    ) { context in
      for delivery in try await context.deliveries(with: .errorPastEdge) where delivery.isIncremental {
        let parent = delivery.merged.data[delivery.shape.field.name]
        try context.expect(parent.map { !$0.isNull } ?? false, delivery, found: "the parent object is null")
        try context.expect(delivery.hasFailedFragment, delivery, found: "no failed fragment with its errors")
      }
    },
    Audit(
      .incremental, "null-parent", .must, "a fragment in an object that is null is not announced",
      .incremental("Response, Pending Result"), reason: "Apollo Router #1687: clients wait forever"
    ) { context in
      for delivery in try await context.deliveries(with: .nullParent) {
        try context.expect(
          delivery.first?["pending"] == nil && delivery.items.isEmpty, delivery, found: "the fragment is announced")
        try context.expect(delivery.first?["hasNext"]?.bool != true, delivery, found: "hasNext: true")
      }
    },
    Audit(
      .incremental, "stream-error", .must, "an item that fails is null with its error, or ends the stream",
      .incremental("Response, Incremental List Result"), reason: "graphql-js #3760: earlier items are lost"
    ) { context in
      for delivery in try await context.deliveries(with: .streamError) where delivery.isIncremental {
        try context.expect(!delivery.merged.errors.isEmpty, delivery, found: "no error")
        try context.expectEqualResult(delivery)
      }
    },
  ]
}

extension Delivery {
  /// Whether a fragment ended with errors and without data, as defined by its format.
  fileprivate var hasFailedFragment: Bool {
    guard format == .incrementalV02 else {
      return items.contains { $0.item["data"]?.isNull == true && !($0.item["errors"]?.elements ?? []).isEmpty }
    }
    let failed = payloads.flatMap { $0["completed"]?.elements ?? [] }.filter { $0["errors"] != nil }
    let ids = Set(failed.compactMap { $0["id"]?.string })
    return !ids.isEmpty && !items.contains { ids.contains($0.item["id"]?.string ?? "") }
  }
}

/// A leaf of a root field that fails when it is requested alone.
struct FailingLeaf {
  let field: DerivedField
  let leaf: DerivedField

  fileprivate var kind: DerivedField.FailureKind { leaf.failureKind }
}

extension DerivedField {
  fileprivate enum FailureKind { case nullable, nonNull, list }

  /// The effect of the field's error on the result.
  fileprivate var failureKind: FailureKind { isList ? .list : type.isNonNull ? .nonNull : .nullable }
}

extension IncrementalShapes {
  static func failing(_ failing: FailingLeaf, defers: Bool, streams: Bool) -> [IncrementalShape] {
    let (field, leaf) = (failing.field, failing.leaf)
    if leaf.isList {
      guard streams else { return [] }
      return [
        IncrementalShape("stream of a list with a failing item", [.stream, .streamError], field) {
          "{ \(field.head) { \(leaf.text) \($0.stream(count: 1)) } }"
        }
      ]
    }
    guard defers else { return [] }
    let isPastEdge = leaf.type.isNonNull
    let inside = IncrementalShape(
      isPastEdge ? "failing non-null field" : "failing field", [isPastEdge ? .errorPastEdge : .errorInside], field
    ) { "{ \(field.head) { __typename ... \($0.deferred()) { \(leaf.text) } } }" }
    guard isPastEdge else { return [inside] }
    return [
      inside,
      IncrementalShape("fragment in an object that is null", [.nullParent], field) {
        "{ \(field.head) { \(leaf.text) ... \($0.deferred()) { __typename } } }"
      },
    ]
  }
}

extension AuditContext {
  private static let failingFieldLimit = 2

  /// Returns the leaves that fail when they are requested alone, in objects of the fields with errors.
  func failingLeaves() async throws -> [FailingLeaf] {
    var found: [FailingLeaf] = []
    for probed in try await probe().failing.filter({ !$0.field.isList }).prefix(Self.failingFieldLimit) {
      // One of each kind: nullable, non-null, list.
      for leaf in probed.field.leaves where !found.contains(where: { $0.kind == leaf.failureKind }) {
        let exchange = try await run("{ \(probed.field.head) { \(leaf.text) } }")
        let path = exchange.errors.first?["path"]?.elements ?? []
        if path.contains(where: { $0.string == leaf.name }) { found.append(.init(field: probed.field, leaf: leaf)) }
      }
    }
    return found
  }
}
