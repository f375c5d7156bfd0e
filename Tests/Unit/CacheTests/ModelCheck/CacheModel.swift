import ApusClientOperation
import ApusJSON

@testable import ApusClientCache

/// A simple normalized cache of nested dictionaries.
struct CacheModel {
  indirect enum Value {
    case scalar(JSONValue)
    case reference(String)
    /// A streamed list is open until its last item was received.
    case list([Value], isOpen: Bool)
  }

  var records: [String: [String: Value]] = [:]
  /// The types of records. They are kept when the field with the typename is removed.
  private(set) var types: [String: String] = [:]
  /// The fields for which an error is stored, as `key.field`.
  private(set) var errors: [String: Set<String>] = [:]
  /// The expiry times of fields, by record key and field key.
  var expiries: [String: UInt32] = [:]
  /// The time to live of a type's records, in seconds.
  var timeToLive: [String: UInt32] = [:]
  /// The time to live of fields in seconds, by schema coordinate.
  var fieldTimeToLive: [String: UInt32] = [:]
  var time: UInt32 = 0
  var uses = ModelUses()

  // MARK: Contents

  static func text(_ value: Value) -> String {
    switch value {
    case .scalar(let value): value.description
    case .reference(let key): "-> \(key)"
    case .list(let items, _): "[\(items.map(text).joined(separator: ", "))]"
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

  /// The fields with everything whose change is reported. For a streamed list, this includes whether it is complete.
  var textsByKey: [String: String] {
    var texts = fieldTexts
    for (key, fields) in records {
      for (field, value) in fields where Self.isOpen(value) { texts["\(key).\(field)"]? += " open" }
    }
    return texts
  }

  private static func isOpen(_ value: Value) -> Bool {
    guard case .list(let items, let isOpen) = value else { return false }
    return isOpen || items.contains(where: Self.isOpen)
  }

  var fieldTexts: [String: String] {
    var texts: [String: String] = [:]
    for (key, fields) in records {
      for (field, value) in fields { texts["\(key).\(field)"] = Self.text(value) }
    }
    return texts
  }

  /// The expired fields. Writing them again is a change, even with the same value.
  var staleFields: Set<String> { Set(expiries.filter { $0.value <= time }.keys) }

  /// The referrers of each record, once for each reference.
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

  static func targets(_ value: Value) -> [String] {
    switch value {
    case .scalar: []
    case .reference(let key): [key]
    case .list(let items, _): items.flatMap(targets)
    }
  }

  // MARK: Changes

  /// Writes a response. If it is partial, writes only the values at its changed paths.
  mutating func write(_ response: ModelResponse, _ plan: SelectionPlan, _ kind: PlainWrite = .response) {
    let isClosing = !response.isPartial && plan.hasStream
    let writer = ModelWriter(response, plan, places: isClosing ? nil : response.places)
    let replaced = Set(writer.records.keys.filter { isOther($0, writer, kind) })
    for key in writer.records.keys { merge(key, writer, isReplaced: replaced.contains(key)) }
    for (key, field) in writer.unanswered where writer.records[key] != nil && writer.records[key]?[field] == nil {
      records[key]?[field] = nil
      errors[key, default: []].insert(field)
    }
  }

  private mutating func merge(_ key: String, _ writer: ModelWriter, isReplaced: Bool) {
    if records[key] == nil { begin(key) }
    if isReplaced { (records[key], errors[key], types[key]) = ([:], nil, nil) }
    types[key] = writer.types[key]
    uses.note(key)
    for (field, value) in writer.records[key] ?? [:] {
      records[key]?[field] = value
      errors[key]?.remove(field)
      let seconds =
        writer.coordinates["\(key).\(field)"].flatMap { fieldTimeToLive[$0] } ?? types[key].flatMap { timeToLive[$0] }
      expiries["\(key).\(field)"] = seconds.map { time + $0 }
    }
  }

  // MARK: Identity

  private static func isEmbedded(_ key: String) -> Bool { key.contains(".") }

  /// Returns whether an embedded record of a write is a different object than the cached one with the same path.
  private func isOther(_ key: String, _ writer: ModelWriter, _ kind: PlainWrite) -> Bool {
    guard Self.isEmbedded(key), let existing = records[key], let new = writer.records[key] else { return false }
    if let left = types[key], let right = writer.types[key], left != right { return true }
    if kind == .local { return false }
    var parts = key.split(separator: ".")
    if Int(parts[parts.count - 1]) != nil {
      while Int(parts[parts.count - 1]) != nil { parts.removeLast() }
      let sharesReference = new.contains { field, value in
        guard case .reference(let target) = value, !Self.isEmbedded(target), case .reference(target)? = existing[field]
        else { return false }
        return true
      }
      let owner = parts.dropLast().joined(separator: ".")
      return !sharesReference || differs(key, writer, isDeep: false) || isOther(owner, writer, kind)
    }
    let parent = parts.dropLast().joined(separator: ".")
    if isOther(parent, writer, kind) || refersToOthers(new, existing) { return true }
    let isConnection = ["edges", "nodes", "items"].contains { existing[$0] != nil || new[$0] != nil }
    return parent == "QUERY_ROOT" && kind == .response && !isConnection && differs(key, writer, isDeep: true)
  }

  private func refersToOthers(_ new: [String: Value], _ existing: [String: Value]) -> Bool {
    new.contains { field, value in
      guard case .reference(let target) = value, case .reference(let old)? = existing[field] else { return false }
      return target != old && !Self.isEmbedded(target) && !Self.isEmbedded(old)
    }
  }

  private func differs(_ key: String, _ writer: ModelWriter, isDeep: Bool) -> Bool {
    guard let existing = records[key], let new = writer.records[key] else { return false }
    if let left = types[key], let right = writer.types[key], left != right { return true }
    return new.contains { field, value in existing[field].map { differs(value, $0, writer, isDeep) } ?? false }
  }

  private func differs(_ new: Value, _ old: Value, _ writer: ModelWriter, _ isDeep: Bool) -> Bool {
    switch (new, old) {
    case (.scalar(let new), .scalar(let old)): return new != old
    case (.reference(let new), .reference(let old)):
      return new != old || (isDeep && Self.isEmbedded(new) && differs(new, writer, isDeep: true))
    case (.list(let new, let isNewOpen), .list(let old, let isOldOpen)):
      if new.count != old.count, !isNewOpen, !isOldOpen { return true }
      return zip(new, old).contains { differs($0, $1, writer, isDeep) }
    default: return true
    }
  }

  mutating func modify(_ key: String, field: String, _ value: JSONValue?) {
    guard let value else { return remove(key, exactly: field) }
    if records[key] == nil {
      types[key] = nil
      begin(key)
    }
    records[key]?[field] = .scalar(value)
    errors[key]?.remove(field)
    expiries["\(key).\(field)"] = nil
  }

  mutating func remove(_ key: String, field: String) {
    guard let fields = records[key] else { return }
    for name in fields.keys where name == field || (!field.contains("(") && name.hasPrefix(field + "(")) {
      remove(key, exactly: name)
    }
  }

  private mutating func remove(_ key: String, exactly field: String) {
    guard records[key]?.removeValue(forKey: field) != nil else { return }
    errors[key]?.remove(field)
  }

  /// Creates a record if there is none. State of an earlier record with this key is discarded.
  private mutating func begin(_ key: String) {
    records[key] = [:]
    errors[key] = nil
  }

  /// Removes embedded records without references.
  mutating func dropOrphans() {
    while true {
      var referred: Set<String> = []
      for fields in records.values { for value in fields.values { referred.formUnion(Self.targets(value)) } }
      let orphans = records.keys.filter { $0.contains(".") && !referred.contains($0) }
      if orphans.isEmpty { return }
      for key in orphans { records[key] = nil }
    }
  }

  /// Removes unreachable records. If plans are given, first removes root fields that no plan reads.
  mutating func collect(retaining plans: [SelectionPlan]? = nil) {
    if let plans {
      let names = Set(plans.flatMap { $0.root.fields(for: "Query").fields.map(\.argumentsKey) })
      records["QUERY_ROOT"] = records["QUERY_ROOT"]?.filter { names.contains($0.key) }
      dropOrphans()
    }
    var reached: Set<String> = []
    var stack = ["QUERY_ROOT", "MUTATION_ROOT", "SUBSCRIPTION_ROOT"]
    while let key = stack.popLast() {
      guard let fields = records[key], reached.insert(key).inserted else { continue }
      for value in fields.values { stack += Self.targets(value) }
    }
    records = records.filter { reached.contains($0.key) }
  }

  mutating func removeCascading(_ key: String) {
    cascade(from: key)
    dropOrphans()
  }

  /// Removes a record and the records that only it referred to. Orphans are removed at the end, with records that only they
  /// refer to.
  private mutating func cascade(from key: String) {
    guard let fields = records.removeValue(forKey: key) else { return }
    for target in Set(fields.values.flatMap(Self.targets)) where records[target] != nil {
      if !records.values.contains(where: { $0.values.contains { Self.targets($0).contains(target) } }) {
        cascade(from: target)
      }
    }
  }
}
