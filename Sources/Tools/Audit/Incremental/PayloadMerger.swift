import ApusJSON

/// Merges the payloads of one response, by the rules of its format.
///
/// It does not use the client's merger, so that a bug there cannot hide one of a server.
struct PayloadMerger {
  private(set) var data: MutableJSON = .null
  private(set) var errors: [JSONValue] = []
  /// The first item that cannot be merged, or another contradiction.
  private(set) var problem: String?
  /// The index of the payload with the contradiction.
  private(set) var problemPayload: Int?
  /// The paths of failed fragments and streams, at which data may differ.
  private(set) var failedPaths: [[JSONValue]] = []

  private var paths: [String: [JSONValue]] = [:]
  private let fields: SelectedFields

  init(_ delivery: Delivery) { self.init(delivery.payloads[...], of: delivery.shape.document) }

  /// Merges payloads, beginning with the first. The document determines the leaves and the key fields.
  init(_ payloads: ArraySlice<JSONValue>, of document: String) {
    fields = SelectedFields(of: document)
    for (index, payload) in payloads.enumerated() {
      if index == 0 { data = payload["data"].map(MutableJSON.init) ?? .null }
      errors += payload["errors"]?.elements ?? []
      for pending in payload["pending"]?.elements ?? [] {
        if let id = pending["id"]?.string { paths[id] = pending["path"]?.elements ?? [] }
      }
      for item in payload["incremental"]?.elements ?? [] { merge(item) }
      if problem != nil, problemPayload == nil { problemPayload = index }
      for completed in payload["completed"]?.elements ?? [] {
        let failures = completed["errors"]?.elements ?? []
        errors += failures
        if !failures.isEmpty, let id = completed["id"]?.string, let path = paths[id] { failedPaths.append(path) }
      }
    }
  }

  private mutating func merge(_ item: JSONValue) {
    let itemErrors = item["errors"]?.elements ?? []
    errors += itemErrors
    let base: [JSONValue]
    if let id = item["id"]?.string {
      guard let path = paths[id] else { return record("the id \(id) was not announced") }
      base = path + (item["subPath"]?.elements ?? [])
    } else {
      base = item["path"]?.elements ?? []
    }
    let items = item["items"].flatMap { $0.isNull ? JSONValue?.none : $0 }
    let values = item["data"].flatMap { $0.isNull ? JSONValue?.none : $0 }
    if let items {
      append(items.elements, at: base, hasIndex: item["id"] == nil)
    } else if let values {
      let inner = base.reduce(fields as SelectedFields?) { fields, step in step.string.map { fields?[$0] } ?? fields }
      if !data.change(at: base[...], { $0.addMembers(of: MutableJSON(values), inner) }) {
        record("no object is at \(base.pathText)")
      }
    } else {
      let isStreamIn2022 = item["items"] != nil && item["id"] == nil
      failedPaths.append(isStreamIn2022 ? Array(base.dropLast()) : base)
    }
  }

  private mutating func append(_ items: [JSONValue], at path: [JSONValue], hasIndex: Bool) {
    var list = path
    var start: Int?
    if hasIndex { start = list.popLast()?.int }
    let isPlaced = data.change(at: list[...]) { value in
      guard case .list(var merged) = value else { return }
      merged.add(items.map(MutableJSON.init), at: start)
      value = .list(merged)
    }
    if !isPlaced { record("no list is at \(list.pathText)") }
  }

  private mutating func record(_ text: String) { if problem == nil { problem = text } }
}

extension [JSONValue] {
  /// The path as text: `birds.0.name`, or `[]` for the root.
  var pathText: String {
    isEmpty ? "[]" : map { $0.string ?? $0.numberText ?? "?" }.joined(separator: ".")
  }
}
