import ClientOperation
import JSON

@testable import ClientCache

/// A normalized cache as simple as one can be: a dictionary of dictionaries.
struct CacheModel {
  indirect enum Value {
    case scalar(JSONValue)
    case reference(String)
    case list([Value])
  }

  var records: [String: [String: Value]] = [:]
  /// When a field expires, by its record's key and its own.
  var expiries: [String: UInt32] = [:]
  /// Seconds that the records of a type stay fresh.
  var timeToLive: [String: UInt32] = [:]
  var time: UInt32 = 0

  // MARK: Looking

  static func text(_ value: Value) -> String {
    switch value {
    case .scalar(let value): value.description
    case .reference(let key): "-> \(key)"
    case .list(let items): "[\(items.map(text).joined(separator: ", "))]"
    }
  }

  static func text(_ value: RecordValue) -> String {
    switch value {
    case .scalar(let value): value.description
    case .reference(let reference): "-> \(reference.key)"
    case .list(let items): "[\(items.map(text).joined(separator: ", "))]"
    case .missing: "?"
    }
  }

  var fieldTexts: [String: String] {
    var texts: [String: String] = [:]
    for (key, fields) in records {
      for (field, value) in fields { texts["\(key).\(field)"] = Self.text(value) }
    }
    return texts
  }

  /// The fields that have outlived their time: to be written again is a change for them, even with the same value.
  var staleFields: Set<String> { Set(expiries.filter { $0.value <= time }.keys) }

  /// Who refers to each record, once for each place.
  var referrers: [String: [String]] {
    var found: [String: [String]] = [:]
    for key in records.keys { found[key] = [] }
    for (key, fields) in records {
      for (field, value) in fields {
        for target in Self.targets(value) where records[target] != nil { found[target]?.append("\(key).\(field)") }
      }
    }
    return found.mapValues { $0.sorted() }
  }

  private static func targets(_ value: Value) -> [String] {
    switch value {
    case .scalar: []
    case .reference(let key): [key]
    case .list(let items): items.flatMap(targets)
    }
  }

  // MARK: Changing

  mutating func write(_ object: JSONValue, plan: PlanNode, typename: String, key: String) {
    if records[key] == nil { records[key] = [:] }
    for field in plan.fields(for: typename).fields {
      guard let member = object[field.responseKey] else { continue }
      let value = write(member, child: field.child, path: "\(key).\(field.argumentsKey)")
      records[key]?[field.argumentsKey] = value
      expiries["\(key).\(field.argumentsKey)"] = timeToLive[typename].map { time + $0 }
    }
  }

  private mutating func write(_ value: JSONValue, child: PlanNode?, path: String) -> Value {
    guard let child else { return .scalar(value) }
    switch value.kind {
    case .object:
      let typename = value["__typename"]?.string ?? "?"
      let key = value["id"]?.string.map { "\(typename):\($0)" } ?? path
      write(value, plan: child, typename: typename, key: key)
      return .reference(key)
    case .array:
      var items: [Value] = []
      for (index, element) in value.elements.enumerated() {
        items.append(write(element, child: child, path: "\(path).\(index)"))
      }
      return .list(items)
    default: return .scalar(value)
    }
  }

  mutating func remove(_ key: String, field: String) {
    guard let fields = records[key] else { return }
    for name in fields.keys where name == field || (!field.contains("(") && name.hasPrefix(field + "(")) {
      records[key]?[name] = nil
    }
  }

  /// Embedded records to which nothing refers go away.
  mutating func dropOrphans() {
    while true {
      var referred: Set<String> = []
      for fields in records.values { for value in fields.values { referred.formUnion(Self.targets(value)) } }
      let orphans = records.keys.filter { $0.contains(".") && !referred.contains($0) }
      if orphans.isEmpty { return }
      for key in orphans { records[key] = nil }
    }
  }

  /// Takes away what the roots do not lead to.
  mutating func collect() {
    var reached: Set<String> = []
    var stack = ["QUERY_ROOT", "MUTATION_ROOT", "SUBSCRIPTION_ROOT"]
    while let key = stack.popLast() {
      guard let fields = records[key], reached.insert(key).inserted else { continue }
      for value in fields.values { stack += Self.targets(value) }
    }
    records = records.filter { reached.contains($0.key) }
  }

  mutating func removeCascading(_ key: String) {
    guard let fields = records.removeValue(forKey: key) else { return }
    dropOrphans()
    for target in Set(fields.values.flatMap(Self.targets)) where records[target] != nil {
      if !records.values.contains(where: { $0.values.contains { Self.targets($0).contains(target) } }) {
        removeCascading(target)
      }
    }
  }

  // MARK: Reading

  /// The data, what is missing and the pending fragments, as `CacheRead.text` shows them.
  func read(_ plan: SelectionPlan) -> (text: String, isComplete: Bool) {
    var missing: [String] = []
    var fragments: [String] = []
    var found = false
    var data: JSONValue?
    if records["QUERY_ROOT"] != nil {
      data = read("QUERY_ROOT", plan.root, [], false, &missing, &fragments, &found)
    } else {
      for field in plan.root.fields(for: "Query").fields { missing.append(field.responseKey) }
    }
    if !found, !missing.isEmpty { data = nil }
    let lines = [data?.description ?? "nothing"] + missing.map { "missing \($0)" } + fragments
    return (lines.joined(separator: "\n"), missing.isEmpty)
  }

  private func read(
    _ key: String, _ node: PlanNode, _ path: [PathComponent], _ isOpen: Bool, _ missing: inout [String],
    _ fragments: inout [String],
    _ found: inout Bool
  ) -> JSONValue {
    guard let record = records[key] else { return .null }
    // A record's type stays known when the field that told it is removed.
    let typename = key == "QUERY_ROOT" ? "Query" : key.split(separator: ":").first.map(String.init)
    let plan = node.fields(for: typename)
    var open = isOpen
    for fragment in plan.fragments {
      var nothing: [String] = []
      var ignored: [String] = []
      var any = false
      let fields = fragment.node.fields(for: typename).fields
      open =
        fields.allSatisfy { read($0, of: record, key, path, true, &nothing, &ignored, &any) != nil } && nothing.isEmpty
      let label = fragment.fragment.deferral?.label ?? ""
      fragments.append("\(label) at '\(ResponsePath(path))' \(open ? "fulfilled" : "pending")")
    }
    var members: [(String, JSONValue)] = []
    for field in plan.fields where field.usages.isEmpty || open {
      if let value = read(field, of: record, key, path, open, &missing, &fragments, &found) {
        members.append((field.responseKey, value))
      } else {
        missing.append("\(ResponsePath(path + [.key(field.responseKey)]))")
      }
    }
    return .object(members)
  }

  private func read(
    _ field: PlanField, of record: [String: Value], _ key: String, _ path: [PathComponent], _ isOpen: Bool,
    _ missing: inout [String],
    _ fragments: inout [String], _ found: inout Bool
  ) -> JSONValue? {
    guard let value = record[field.argumentsKey], isFresh(key, field.argumentsKey) else { return nil }
    return read(value, field.child, path + [.key(field.responseKey)], isOpen, &missing, &fragments, &found)
  }

  private func read(
    _ value: Value, _ child: PlanNode?, _ path: [PathComponent], _ isOpen: Bool, _ missing: inout [String],
    _ fragments: inout [String], _ found: inout Bool
  ) -> JSONValue? {
    switch value {
    case .scalar(let value):
      found = true
      return value
    case .reference(let key):
      guard let child, records[key] != nil else { return nil }
      return read(key, child, path, isOpen, &missing, &fragments, &found)
    case .list(let items):
      found = true
      return .array(
        items.enumerated().map { index, item in
          let place = path + [.index(index)]
          if let value = read(item, child, place, isOpen, &missing, &fragments, &found) { return value }
          missing.append("\(ResponsePath(place))")
          return .null
        })
    }
  }

  private func isFresh(_ key: String, _ field: String) -> Bool {
    expiries["\(key).\(field)"].map { $0 > time } ?? true
  }

  // MARK: Making

  /// A response of this shape: small numbers of birds and stations, so that operations meet; sometimes null, sometimes
  /// with a field left out, as in a part of a response.
  func randomData(_ node: PlanNode, typename: String, using random: inout SplitMix) -> JSONValue {
    var members: [(String, JSONValue)] = []
    for field in node.fields(for: typename).fields {
      switch field.field.name {
      case "__typename": members.append((field.responseKey, JSONValue(typename)))
      case "id": members.append((field.responseKey, JSONValue("\(Int.random(in: 1...4, using: &random))")))
      default:
        if Int.random(in: 0..<12, using: &random) == 0 { continue }
        members.append((field.responseKey, randomValue(field, using: &random)))
      }
    }
    return .object(members)
  }

  private func randomValue(_ field: PlanField, using random: inout SplitMix) -> JSONValue {
    if Int.random(in: 0..<10, using: &random) == 0 { return .null }
    guard let child = field.child else {
      let choices: [JSONValue] = [1, "short", "a text that is longer than a slot", .array([1, "x"])]
      return choices[Int.random(in: 0..<choices.count, using: &random)]
    }
    var depth = 0
    var type = field.type?.nullable
    while case .list(let inner)? = type {
      depth += 1
      type = inner.nullable
    }
    return randomList(child, depth: depth, type: field.type?.name ?? "Bird", using: &random)
  }

  private func randomList(_ node: PlanNode, depth: Int, type: String, using random: inout SplitMix) -> JSONValue {
    if depth > 0 {
      let count = Int.random(in: 0...3, using: &random)
      return .array((0..<count).map { _ in randomList(node, depth: depth - 1, type: type, using: &random) })
    }
    let name = type == "Found" ? (Bool.random(using: &random) ? "Bird" : "Station") : type
    return randomData(node, typename: name, using: &random)
  }
}
