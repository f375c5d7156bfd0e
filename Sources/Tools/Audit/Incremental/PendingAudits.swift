import ApusJSON

/// Audits of the v0.2 format: pending, incremental and completed entries.
enum PendingAudits {
  static let all: [Audit] = [
    Audit(
      .incremental, "v-id", .must, "ids are unique strings and announced before they are used",
      .incremental("Response, Pending Result"), reason: "integers, late announcements"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.incrementalV02) {
        var announced: Set<String> = []
        try context.expect(
          delivery.first?["pending"] != nil, delivery, payload: 0, found: "no pending entry in the first payload")
        for (index, payload) in delivery.payloads.enumerated() {
          for entry in payload["pending"]?.elements ?? [] {
            guard let id = entry["id"]?.string else {
              try context.expect(
                false, delivery, payload: index, found: "the id \(entry["id"]?.shortText ?? "is absent")")
              continue
            }
            try context.expect(
              announced.insert(id).inserted, delivery, payload: index, found: "the id \(id) twice")
          }
          let used = ["incremental", "completed"].flatMap { payload[$0]?.elements ?? [] }.compactMap {
            $0["id"]?.string
          }
          for id in used {
            try context.expect(
              announced.contains(id), delivery, payload: index, found: "the id \(id), never announced")
          }
        }
      }
    },
    Audit(
      .incremental, "v-completed", .must, "an id is completed once, and not used after that",
      .incremental("Response, Completed Result"), reason: "completed twice"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.incrementalV02) {
        var completed: Set<String> = []
        for (index, payload) in delivery.payloads.enumerated() {
          for item in payload["incremental"]?.elements ?? [] {
            let id = item["id"]?.string ?? ""
            try context.expect(
              !completed.contains(id), delivery, payload: index, found: "a result for the completed id \(id)")
          }
          for entry in payload["completed"]?.elements ?? [] {
            let id = entry["id"]?.string ?? ""
            try context.expect(
              completed.insert(id).inserted, delivery, payload: index, found: "the id \(id) completed twice")
          }
        }
      }
    },
    Audit(
      .incremental, "v-completed-all", .should, "each id is completed", .incremental("Response, Completed Result"),
      reason: "clients settle it at the end of the response only"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.incrementalV02) {
        func ids(_ name: String) -> Set<String> {
          Set(delivery.payloads.flatMap { $0[name]?.elements ?? [] }.compactMap { $0["id"]?.string })
        }
        let open = ids("pending").subtracting(ids("completed"))
        try context.expect(open.isEmpty, delivery, found: "never completed: \(open.sorted().joined(separator: ", "))")
      }
    },
    Audit(
      .incremental, "v-once", .should, "no leaf is sent twice", .incremental("BuildExecutionPlan"),
      reason: "repeated data"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.incrementalV02) {
        var leaves: Set<String> = []
        var paths: [String: String] = [:]
        delivery.first?["data"].map(MutableJSON.init)?.leaves(at: "", into: &leaves)
        for (index, payload) in delivery.payloads.enumerated() {
          for entry in payload["pending"]?.elements ?? [] {
            paths[entry["id"]?.string ?? ""] = (entry["path"]?.elements ?? []).dotted
          }
          for item in payload["incremental"]?.elements ?? [] {
            guard let data = item["data"], let path = paths[item["id"]?.string ?? ""] else { continue }
            var added: Set<String> = []
            MutableJSON(data).leaves(at: path + (item["subPath"]?.elements ?? []).dotted, into: &added)
            let again = leaves.intersection(added)
            try context.expect(
              again.isEmpty, delivery, payload: index,
              found: "again: \(again.sorted().prefix(2).joined(separator: ", "))")
            leaves.formUnion(added)
          }
        }
      }
    },
    Audit(
      .incremental, "v-subpath", .must,
      "a result has the id with the longest path, and its subPath is absent or not empty",
      .incremental("Response, Incremental Object Result"), reason: "relay #5354"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.incrementalV02) {
        let outer = delivery.shape.traits.contains(.twoDepths) ? delivery.ids(ofLabel: "outer") : []
        for (index, item) in delivery.items {
          // The inner fragment also contains everything in the outer one.
          try context.expect(
            !outer.contains(item["id"]?.string ?? ""), delivery, payload: index,
            found: "the id of the outer fragment for a result of the inner one")
          guard let subPath = item["subPath"] else { continue }
          try context.expect(
            subPath.kind == .array && subPath.count > 0, delivery, payload: index,
            found: "subPath: \(subPath.shortText)")
        }
      }
    },
    Audit(
      .incremental, "v-whole", .must, "a fragment that is completed without errors has all its fields",
      .incremental("Response, Completed Result"), reason: "completed too early"
    ) { context in
      for delivery in try await context.incrementalDeliveries(.incrementalV02) where delivery.shape.hasOneFragment {
        guard let plain = delivery.plain.data else { continue }
        for (index, payload) in delivery.payloads.enumerated() {
          for entry in payload["completed"]?.elements ?? [] where entry["errors"] == nil {
            guard let path = delivery.path(ofID: entry["id"]?.string) else { continue }
            let found =
              PayloadMerger(delivery.payloads[...index], of: delivery.shape.document).data.value(at: path) ?? .null
            let expected = MutableJSON(plain).value(at: path) ?? .null
            let missing = expected.missing(in: found, at: path.pattern).filter { difference in
              !delivery.volatilePaths.contains { difference.isPath($0) }
            }
            try context.expect(
              missing.isEmpty, delivery, payload: index,
              found: "completed without \(missing.sorted().prefix(3).joined(separator: ", "))")
          }
        }
      }
    },
  ]
}

extension Delivery {
  fileprivate func ids(ofLabel label: String) -> Set<String> {
    let entries = payloads.flatMap { $0["pending"]?.elements ?? [] }
    return Set(entries.filter { $0["label"]?.string == label }.compactMap { $0["id"]?.string })
  }

  fileprivate func path(ofID id: String?) -> [JSONValue]? {
    payloads.lazy.flatMap { $0["pending"]?.elements ?? [] }.first { $0["id"]?.string == id }?["path"]?.elements
  }
}

extension IncrementalShape {
  /// Whether a single fragment contains everything that is deferred below its path.
  fileprivate var hasOneFragment: Bool {
    !traits.isDisjoint(with: [.root, .object, .list]) && traits.isDisjoint(with: [.nested, .overlap, .stream])
  }
}

extension [JSONValue] {
  var dotted: String { map { ".\($0.string ?? $0.numberText ?? "?")" }.joined() }
}

extension MutableJSON {
  /// Returns the paths of values that another tree lacks, with `*` for each index.
  fileprivate func missing(in other: MutableJSON, at path: String) -> Set<String> {
    switch self {
    case .object(let members):
      members.reduce(into: []) { result, member in
        let place = "\(path).\(member.name)"
        result.formUnion(other[member.name].map { member.value.missing(in: $0, at: place) } ?? [place])
      }
    case .list(let list):
      other.items.map { others in
        list.items.count > others.count
          ? [path] : zip(list.items, others).reduce(into: []) { $0.formUnion($1.0.missing(in: $1.1, at: path + ".*")) }
      } ?? [path]
    case .null, .bool, .number, .string: []
    }
  }

  /// Adds the path of each scalar, with indexes.
  func leaves(at path: String, into leaves: inout Set<String>) {
    switch self {
    case .object(let members): for (name, value) in members { value.leaves(at: "\(path).\(name)", into: &leaves) }
    case .list(let list):
      for (index, item) in list.items.enumerated() { item.leaves(at: "\(path).\(index)", into: &leaves) }
    case .null, .bool, .number, .string: leaves.insert(path)
    }
  }
}
