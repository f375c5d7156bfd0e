import ClientOperation
import JSON

@testable import ClientCache

/// Reading an operation from the model.
extension CacheModel {
  /// The data, what is missing and the pending fragments as `CacheRead.text` shows them, and which records were looked at.
  func read(_ plan: SelectionPlan, allowsStale: Bool = false) -> (text: String, keys: Set<String>) {
    var reader = ModelReader(model: self, allowsStale: allowsStale)
    return (reader.read(plan), reader.keys)
  }

  func isFresh(_ key: String, _ field: String) -> Bool { expiries["\(key).\(field)"].map { $0 > time } ?? true }

  /// Every record that an operation leads to, stale or not.
  func reached(by plan: SelectionPlan) -> Set<String> {
    var keys: Set<String> = []
    reach("QUERY_ROOT", plan.root, &keys)
    return keys
  }

  private func reach(_ key: String, _ node: PlanNode, _ keys: inout Set<String>) {
    keys.insert(key)
    guard let record = records[key] else { return }
    for field in node.fields(for: types[key]).fields {
      guard let child = field.child, let value = record[field.argumentsKey] else { continue }
      for target in Self.targets(value) { reach(target, child, &keys) }
    }
  }
}

private struct ModelReader {
  let model: CacheModel
  let allowsStale: Bool
  private(set) var keys: Set<String> = []
  private var missing: [String] = []
  private var fragments: [String] = []
  private var found = false
  private var isOpen = false

  init(model: CacheModel, allowsStale: Bool) {
    self.model = model
    self.allowsStale = allowsStale
  }

  mutating func read(_ plan: SelectionPlan) -> String {
    var data: JSONValue?
    if model.records["QUERY_ROOT"] != nil {
      data = read("QUERY_ROOT", plan.root, [], isInFragment: false)
    } else {
      for field in plan.root.fields(for: "Query").fields { missing.append(field.responseKey) }
    }
    if !found, !missing.isEmpty { data = nil }
    let isComplete = missing.isEmpty && !isOpen && !fragments.contains { $0.hasSuffix("pending") } && data != nil
    let lines = [data?.description ?? "nothing"] + missing.map { "missing \($0)" } + fragments
    return lines.joined(separator: "\n") + CacheRead.end(isComplete: isComplete)
  }

  private mutating func read(
    _ key: String, _ node: PlanNode, _ path: [PathComponent], isInFragment: Bool
  ) -> JSONValue {
    guard let record = model.records[key] else { return .null }
    keys.insert(key)
    let plan = node.fields(for: model.types[key])
    var isInFragment = isInFragment
    for fragment in plan.fragments {
      isInFragment = isThere(fragment.node, key)
      let label = fragment.fragment.deferral?.label ?? ""
      fragments.append("\(label) at '\(ResponsePath(path))' \(isInFragment ? "fulfilled" : "pending")")
    }
    var members: [(String, JSONValue)] = []
    for field in plan.fields where field.usages.isEmpty || isInFragment {
      if let value = read(field, of: record, key, path, isInFragment: isInFragment) {
        members.append((field.responseKey, value))
      } else if field.isRequired {
        missing.append("\(ResponsePath(path + [.key(field.responseKey)]))")
      }
    }
    return .object(members)
  }

  /// Whether everything that a fragment selects on a record is there.
  private func isThere(_ node: PlanNode, _ key: String) -> Bool {
    var other = ModelReader(model: model, allowsStale: allowsStale)
    guard let record = model.records[key] else { return false }
    let fields = node.fields(for: model.types[key]).fields
    let isThere = fields.allSatisfy {
      other.read($0, of: record, key, [], isInFragment: true) != nil || !$0.isRequired
    }
    return isThere && other.missing.isEmpty && !other.isOpen
  }

  private mutating func read(
    _ field: PlanField, of record: [String: CacheModel.Value], _ key: String, _ path: [PathComponent],
    isInFragment: Bool
  ) -> JSONValue? {
    guard let value = record[field.argumentsKey], allowsStale || model.isFresh(key, field.argumentsKey) else {
      return nil
    }
    return read(value, field.child, path + [.key(field.responseKey)], isInFragment: isInFragment)
  }

  private mutating func read(
    _ value: CacheModel.Value, _ child: PlanNode?, _ path: [PathComponent], isInFragment: Bool
  ) -> JSONValue? {
    switch value {
    case .scalar(let value):
      found = true
      return value
    case .reference(let key):
      guard let child, model.records[key] != nil else { return nil }
      return read(key, child, path, isInFragment: isInFragment)
    case .list(let items, let isOpen):
      found = true
      if isOpen { self.isOpen = true }
      var elements: [JSONValue] = []
      for (index, item) in items.enumerated() {
        let place = path + [.index(index)]
        if let value = read(item, child, place, isInFragment: isInFragment) {
          elements.append(value)
        } else {
          missing.append("\(ResponsePath(place))")
          elements.append(.null)
        }
      }
      return .array(elements)
    }
  }
}

extension PlanField {
  /// Whether data without it is not whole.
  fileprivate var isRequired: Bool { isCertain && !isAdded }
}
