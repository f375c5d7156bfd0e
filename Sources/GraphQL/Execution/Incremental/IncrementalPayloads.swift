import ApusGraphQLMediaTypes
import ApusJSON

extension IncrementalFormat {
  /// Returns the payload for a batch; nil if this format has none for it.
  func payload(_ batch: IncrementalBatch) -> JSONValue? {
    switch self {
    case .defer20220824: Defer20220824.payload(batch)
    case .incrementalV02: IncrementalV02.payload(batch)
    }
  }

  /// The delivery of a field that several fragments select.
  var sharing: ExecutionPlanner.Sharing {
    switch self {
    case .defer20220824: .eachFragmentItsOwn
    case .incrementalV02: .deliveredOnce
    }
  }
}

/// The 2022 format: each deferred fragment is an entry with its own data, path and label.
///
///     {"incremental": [{"data": {"name": "Owl"}, "path": ["bird"], "label": "details"}], "hasNext": false}
private enum Defer20220824 {
  static func payload(_ batch: IncrementalBatch) -> JSONValue? {
    var members = initialMembers(batch)
    let entries = batch.events.compactMap(entry)
    if !entries.isEmpty { members.append(("incremental", .array(entries))) }
    if members.isEmpty, batch.hasNext { return nil }
    members.append(("hasNext", JSONValue(batch.hasNext)))
    return .object(members)
  }

  private static func entry(_ event: IncrementalEvent) -> JSONValue? {
    switch event {
    case .pending: nil
    case .object(let delivery, let path, let data, let errors):
      entry("data", data, path, delivery.label, errors)
    case .items(let delivery, let firstIndex, let items, let errors):
      entry(
        "items", .array(items), ResponsePath(delivery.path.components + [.index(firstIndex)]), delivery.label, errors)
    case .completed(let delivery, let errors) where !errors.isEmpty:
      entry(delivery.kind == .fragment ? "data" : "items", .null, delivery.path, delivery.label, errors)
    case .completed: nil
    }
  }

  private static func entry(
    _ key: String, _ value: JSONValue, _ path: ResponsePath, _ label: String?, _ errors: [ExecutionError]
  ) -> JSONValue {
    var members = [(key, value), ("path", path.json)]
    if let label { members.append(("label", JSONValue(label))) }
    if !errors.isEmpty { members.append(("errors", .array(errors.map(\.json)))) }
    return .object(members)
  }
}

/// The v0.2 format: pending results are announced with an id, to which entries and completions refer.
///
///     {"data": {"bird": {}}, "pending": [{"id": "0", "path": ["bird"], "label": "details"}], "hasNext": true}
///     {"incremental": [{"id": "0", "data": {"name": "Owl"}}], "completed": [{"id": "0"}], "hasNext": false}
private enum IncrementalV02 {
  static func payload(_ batch: IncrementalBatch) -> JSONValue? {
    var members = initialMembers(batch)
    var (pending, incremental, completed): ([JSONValue], [JSONValue], [JSONValue]) = ([], [], [])
    for event in batch.events {
      switch event {
      case .pending(let delivery):
        var notice = [("id", id(delivery)), ("path", delivery.path.json)]
        if let label = delivery.label { notice.append(("label", JSONValue(label))) }
        pending.append(.object(notice))
      case .object(let delivery, let path, let data, let errors):
        var entry = [("id", id(delivery)), ("data", data)]
        let subPath = path.components.dropFirst(delivery.path.components.count)
        if !subPath.isEmpty { entry.append(("subPath", ResponsePath(Array(subPath)).json)) }
        incremental.append(.object(entry + errorMembers(errors)))
      case .items(let delivery, _, let items, let errors):
        incremental.append(.object([("id", id(delivery)), ("items", .array(items))] + errorMembers(errors)))
      case .completed(let delivery, let errors):
        completed.append(.object([("id", id(delivery))] + errorMembers(errors)))
      }
    }
    for (key, list) in [("pending", pending), ("incremental", incremental), ("completed", completed)]
    where !list.isEmpty {
      members.append((key, .array(list)))
    }
    if members.isEmpty, batch.hasNext { return nil }
    members.append(("hasNext", JSONValue(batch.hasNext)))
    return .object(members)
  }

  private static func id(_ delivery: PendingResult) -> JSONValue { JSONValue(String(delivery.id)) }
}

private func initialMembers(_ batch: IncrementalBatch) -> [(String, JSONValue)] {
  guard let initial = batch.initial else { return [] }
  return [("data", initial.data)] + errorMembers(initial.errors)
}

private func errorMembers(_ errors: [ExecutionError]) -> [(String, JSONValue)] {
  errors.isEmpty ? [] : [("errors", .array(errors.map(\.json)))]
}
