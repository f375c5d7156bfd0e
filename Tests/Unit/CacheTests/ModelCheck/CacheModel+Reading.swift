import ApusClientOperation
import ApusJSON

@testable import ApusClientCache

/// Reading an operation from the model.
extension CacheModel {
  /// Returns the data, missing paths and pending fragments in the format of `CacheRead.text`, and the keys of the records
  /// that were read.
  func read(_ plan: SelectionPlan, allowsStale: Bool = false) -> (text: String, keys: Set<String>) {
    var reader = ModelReader(model: self, allowsStale: allowsStale)
    return (reader.read(plan).text, reader.keys)
  }

  /// Returns the data, if it is complete.
  func complete(_ plan: SelectionPlan) -> JSONValue? {
    var reader = ModelReader(model: self, allowsStale: false)
    return reader.read(plan).complete
  }

  func isFresh(_ key: String, _ field: String) -> Bool { expiries["\(key).\(field)"].map { $0 > time } ?? true }

  /// Returns the keys of all records that an operation reaches, whether they are stale or not.
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
  /// Whether an error explains the missing data.
  private var hasFailed = false

  init(model: CacheModel, allowsStale: Bool) {
    self.model = model
    self.allowsStale = allowsStale
  }

  mutating func read(_ plan: SelectionPlan) -> (text: String, complete: JSONValue?) {
    var data: JSONValue?
    if model.records["QUERY_ROOT"] != nil {
      data = read("QUERY_ROOT", plan.root, [], isInFragment: false)
    } else {
      for field in plan.root.fields(for: "Query").fields { missing.append(field.responseKey) }
    }
    if !found, !missing.isEmpty { data = nil }
    let isComplete =
      missing.isEmpty && !isOpen && fragments.allSatisfy { $0.hasSuffix("fulfilled") || $0.hasSuffix("notExecuted") }
      && data != nil
    let lines = [data?.description ?? "nothing"] + missing.map { "missing \($0)" } + fragments
    return (lines.joined(separator: "\n") + CacheRead.end(isComplete: isComplete), isComplete ? data : nil)
  }

  private mutating func read(
    _ key: String, _ node: PlanNode, _ path: [PathComponent], isInFragment: Bool
  ) -> JSONValue {
    guard let record = model.records[key] else { return .null }
    keys.insert(key)
    let plan = node.fields(for: model.types[key])
    var isInFragment = isInFragment
    for fragment in plan.fragments {
      let state = state(of: fragment.node, key)
      isInFragment = state == "fulfilled"
      let label = fragment.fragment.deferral?.label ?? ""
      fragments.append("\(label) at '\(ResponsePath(path))' \(state)")
    }
    var members: [(String, JSONValue)] = []
    for field in plan.fields where field.usages.isEmpty || isInFragment {
      if field.isUncertain {
        missing.append("\(ResponsePath(path + [.key(field.responseKey)]))")
      } else if let value = read(field, of: record, key, path, isInFragment: isInFragment) {
        members.append((field.responseKey, value))
      } else if field.isRequired || isWrong(field, of: key) {
        missing.append("\(ResponsePath(path + [.key(field.responseKey)]))")
        noteWhy(field, of: key)
        // A field that an error made null is returned as null.
        let isFailed = model.errors[key]?.contains(field.argumentsKey) == true && record[field.argumentsKey] == nil
        if isFailed, field.type?.isNonNull == false {
          found = true
          if let child = field.child { noteFragmentsOnNull(child, path + [.key(field.responseKey)]) }
          members.append((field.responseKey, .null))
        }
      }
    }
    return .object(members)
  }

  /// A deferred fragment on null cannot arrive.
  private mutating func noteFragmentsOnNull(_ node: PlanNode, _ path: [PathComponent]) {
    for fragment in node.fields(for: nil).fragments where fragment.parentUsage == nil {
      fragments.append("\(fragment.fragment.deferral?.label ?? "") at '\(ResponsePath(path))' notExecuted")
    }
    for field in node.fields(for: nil).fields where field.usages.isEmpty {
      if let child = field.child { noteFragmentsOnNull(child, path + [.key(field.responseKey)]) }
    }
  }

  /// Returns whether a record has an invalid value of a field.
  private func isWrong(_ field: PlanField, of key: String) -> Bool {
    model.records[key]?[field.argumentsKey].map { !CacheModel.isRight($0, field) } ?? false
  }

  /// Records whether an error or an invalid value explains a missing field.
  private mutating func noteWhy(_ field: PlanField, of key: String) {
    let value = model.records[key]?[field.argumentsKey]
    if model.errors[key]?.contains(field.argumentsKey) == true || value.map({ !CacheModel.isRight($0, field) }) == true
    {
      hasFailed = true
    }
  }

  /// Returns the state of a fragment on a record: complete, or missing data with or without an error.
  private func state(of node: PlanNode, _ key: String) -> String {
    var other = ModelReader(model: model, allowsStale: allowsStale)
    guard let record = model.records[key] else { return "pending" }
    var isThere = true
    for field in node.fields(for: model.types[key]).fields where field.isRequired || field.isUncertain {
      if field.isUncertain {
        isThere = false
      } else if other.read(field, of: record, key, [], isInFragment: true) == nil {
        isThere = false
        other.noteWhy(field, of: key)
      }
    }
    if isThere && other.missing.isEmpty && !other.isOpen { return "fulfilled" }
    return other.hasFailed ? "failed" : "pending"
  }

  private mutating func read(
    _ field: PlanField, of record: [String: CacheModel.Value], _ key: String, _ path: [PathComponent],
    isInFragment: Bool
  ) -> JSONValue? {
    guard let value = record[field.argumentsKey], allowsStale || model.isFresh(key, field.argumentsKey),
      CacheModel.isRight(value, field)
    else { return nil }
    return read(value, field.child, path + [.key(field.responseKey)], isInFragment: isInFragment)
  }

  private mutating func read(
    _ value: CacheModel.Value, _ child: PlanNode?, _ path: [PathComponent], isInFragment: Bool
  ) -> JSONValue? {
    switch value {
    case .scalar(let value):
      found = true
      if let child, value.isNull { noteFragmentsOnNull(child, path) }
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
  /// Whether data without this field is incomplete.
  fileprivate var isRequired: Bool { isCertain && !isAdded }

  /// Whether it is unknown if the field applies to a record. In the model this is the case if no response contained its
  /// type.
  fileprivate var isUncertain: Bool { !isCertain && usages.isEmpty && !isAdded }
}
