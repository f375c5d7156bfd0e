import ApusJSON

/// Audits of the payloads of both formats.
enum PayloadAudits {
  static let all: [Audit] = [
    Audit(
      .incremental, "has-next", .must, "each payload has hasNext, and it is false in the last one only",
      .incremental("Response, Incremental Stream"), reason: "grafbase #750: clients wait forever"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        for (index, payload) in delivery.payloads.enumerated() {
          let expected = index < delivery.payloads.count - 1
          let found = payload["hasNext"]?.shortText ?? "absent"
          try context.expect(
            payload["hasNext"]?.bool == expected, delivery, payload: index,
            found: "hasNext of payload \(index + 1) is \(found)")
        }
      }
    },
    Audit(
      .incremental, "later-no-data", .must, "no payload after the first has data or errors at its top",
      .incremental("Response, Subsequent Result"), reason: "the form of older drafts"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        for (index, payload) in delivery.payloads.enumerated().dropFirst() {
          let found = ["data", "errors"].filter { payload[$0] != nil }
          try context.expect(
            found.isEmpty, delivery, payload: index, found: "\(found.joined(separator: ", ")) in a later payload")
        }
      }
    },
    Audit(
      .incremental, "entries", .must, "payloads and their entries have specified members only",
      .incremental("Response, Additional Entries"), reason: "strawberry writes path and label into v0.2 entries"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        let isNew = delivery.format == .incrementalV02
        let top: Set = ["data", "errors", "extensions", "hasNext", "incremental", "pending", "completed"]
        let older: Set = ["data", "items", "path", "label", "errors", "extensions"]
        for (index, payload) in delivery.payloads.enumerated() {
          func expect(_ value: JSONValue, _ allowed: Set<String>) throws(AuditStop) {
            let additional = value.keys.filter { !allowed.contains($0) }
            try context.expect(
              additional.isEmpty, delivery, payload: index,
              found: "the members \(additional.joined(separator: ", "))")
          }
          try expect(payload, isNew ? top : top.subtracting(["pending", "completed"]))
          for item in payload["incremental"]?.elements ?? [] {
            try expect(item, isNew ? ["id", "subPath", "data", "items", "errors", "extensions"] : older)
          }
          for entry in payload["pending"]?.elements ?? [] { try expect(entry, ["id", "path", "label"]) }
          for entry in payload["completed"]?.elements ?? [] { try expect(entry, ["id", "errors"]) }
        }
      }
    },
    Audit(
      .incremental, "not-empty", .must, "lists that are present have items", .incremental("Response"),
      reason: "clients wait for the results of an empty list"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        for (index, payload) in delivery.payloads.enumerated() {
          for name in ["incremental", "pending", "completed", "errors"] where payload[name]?.kind == .array {
            try context.expect(payload[name]?.count ?? 0 > 0, delivery, payload: index, found: "\(name): []")
          }
        }
      }
    },
    Audit(
      .incremental, "null-members", .should, "members are absent instead of null", .incremental("Response"),
      reason: "apollo-client #12976; strawberry writes label: null"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        for (index, payload) in delivery.payloads.enumerated() {
          let entries = ["incremental", "pending", "completed"].flatMap { payload[$0]?.elements ?? [] }
          for value in [payload] + entries {
            let nulls = value.members.filter { $0.value.isNull && !["data", "items"].contains($0.key) }.map(\.key)
            try context.expect(
              nulls.isEmpty, delivery, payload: index, found: "\(nulls.joined(separator: ", ")): null")
          }
        }
      }
    },
    Audit(
      .incremental, "data-or-items", .must, "an entry has data or items, not both",
      .incremental("Response, Incremental Result"),
      reason: "clients use the null member"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        for (index, item) in delivery.items {
          let members = ["data", "items"].filter { item[$0] != nil }
          try context.expect(
            members.count == 1, delivery, payload: index,
            found: "an entry with \(members.isEmpty ? "neither" : "both")")
          guard delivery.format == .incrementalV02, let data = item["data"] else { continue }
          try context.expect(data.kind == .object, delivery, payload: index, found: "data: \(data.shortText)")
        }
      }
    },
    Audit(
      .incremental, "path-resolves", .must, "each path leads to an object or list that was delivered before",
      .incremental("Response, Pending Result"), reason: "graphql-ruby #5595, Hot Chocolate #7323"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        try context.expectMergeable(delivery)
      }
    },
    Audit(
      .incremental, "labels", .must, "an entry has the label of its directive, or none",
      .incremental("Response, Pending Result"),
      reason: "Relay drops results with an unknown label"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        let labels = ["audit", "one", "two", "outer", "inner"].filter { delivery.shape.document.contains("\"\($0)\"") }
        for (index, entry) in delivery.announcements {
          guard let label = entry["label"], !label.isNull else {
            // The document may also contain streams and fragments without a label.
            try context.expect(labels.isEmpty, delivery, payload: index, found: "an entry without its label")
            continue
          }
          try context.expect(
            labels.contains(label.string ?? ""), delivery, payload: index, found: "the label \(label.shortText)")
        }
      }
    },
    Audit(
      .incremental, "merged-equals-plain", .must, "the merged result equals the result without directives",
      .incremental("Incremental delivery"), reason: "every loss of data"
    ) { context in
      for delivery in try await context.incrementalDeliveries() {
        try context.expectEqualResult(delivery)
      }
    },
    Audit(
      .incremental, "error-paths", .must, "errors have the paths of the result without directives",
      .incremental("Response"), reason: "Apollo Router #2329"
    ) { context in
      let failing = try await context.incrementalDeliveries().filter { !$0.plain.errors.isEmpty }
      guard !failing.isEmpty else { throw AuditStop.notApplicable("no field that fails was deferred or streamed") }
      for delivery in failing {
        func paths(_ errors: [JSONValue]) -> [String] { errors.map { ($0["path"]?.elements ?? []).pathText }.sorted() }
        let (found, expected) = (paths(delivery.merged.errors), paths(delivery.plain.errors))
        try context.expect(found == expected, delivery, found: "\(found), expected \(expected)")
      }
    },
    Audit(
      .incremental, "o-path", .must,
      "an entry of the 2022 format has a list as path, and no path and label occur twice",
      .delivery2022("Response, Path"), reason: "results cannot be placed, or are merged twice"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.defer20220824) {
        var entries: Set<String> = []
        for (index, item) in delivery.items {
          let path = item["path"]?.shortText ?? "absent"
          try context.expect(item["path"]?.kind == .array, delivery, payload: index, found: "path: \(path)")
          let kind = item["items"] == nil ? "data" : "items"
          let isNew = entries.insert("\(kind) \(path) \(item["label"]?.string ?? "")").inserted
          try context.expect(isNew, delivery, payload: index, found: "path: \(path) with the same label twice")
        }
      }
    },
    Audit(
      .incremental, "o-index", .must, "the path of streamed items ends in the length of the list so far",
      .delivery2022("Response, Path"), reason: "items overwrite each other"
    ) { context in
      let streamed = try await context.incrementalDeliveries(.defer20220824).filter { delivery in
        delivery.items.contains { $0.item["items"] != nil }
      }
      guard !streamed.isEmpty else { throw AuditStop.notApplicable("nothing was streamed in the 2022 format") }
      for delivery in streamed {
        var lengths: [String: Int] = [:]
        let initial = delivery.first?["data"].map(MutableJSON.init) ?? .null
        for (index, item) in delivery.items {
          guard let items = item["items"]?.elements, var path = item["path"]?.elements, let last = path.popLast()?.int
          else { continue }
          let length = lengths[path.pathText] ?? initial.value(at: path)?.items?.count ?? 0
          try context.expect(
            last == length, delivery, payload: index,
            found: "index \(last) of \(path.pathText), which has \(length) items")
          lengths[path.pathText] = length + items.count
        }
      }
    },
    Audit(
      .incremental, "o-null-errors", .must, "null data or items of the 2022 format come with errors",
      .delivery2022("Response, Data"), reason: "a silent loss"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.defer20220824) {
        for (index, item) in delivery.items where item["data"]?.isNull ?? item["items"]?.isNull ?? false {
          try context.expect(
            item["errors"]?.count ?? 0 > 0, delivery, payload: index, found: "a null without errors")
        }
      }
    },
  ]
}

extension Delivery {
  /// The entries with labels: pending entries in the v0.2 format, items in the 2022 format.
  var announcements: [(payload: Int, entry: JSONValue)] {
    guard format == .incrementalV02 else {
      return items.filter { $0.item["items"] == nil }.map { ($0.payload, $0.item) }
    }
    return payloads.enumerated().flatMap { index, payload in
      (payload["pending"]?.elements ?? []).map { (index, $0) }
    }
  }
}

extension [JSONValue] {
  /// The path in the form of `differences`, with `*` for each index: `.birds.*` for `["birds", 0]`.
  var pattern: String { map { $0.string.map { ".\($0)" } ?? ".*" }.joined() }
}

extension AuditContext {
  func expectEqualResult(_ delivery: Delivery) throws(AuditStop) {
    let differences = delivery.differences
    try expect(
      differences.isEmpty, delivery, found: "different at \(differences.prefix(3).joined(separator: ", "))")
  }

  /// Fails if a payload cannot be merged.
  func expectMergeable(_ delivery: Delivery) throws(AuditStop) {
    let merged = delivery.merged
    try expect(
      merged.problem == nil, delivery, payload: merged.problemPayload, found: merged.problem ?? "")
  }
}
