import ApusClientOperation
import ApusJSON

@testable import ApusClientCache

/// A normalized cache as simple as one can be: a dictionary of dictionaries.
struct CacheModel {
  indirect enum Value {
    case scalar(JSONValue)
    case reference(String)
    /// One that is streamed is open until the last of it has come.
    case list([Value], isOpen: Bool)
  }

  var records: [String: [String: Value]] = [:]
  /// The types that records were written with; they stay known when the field that told them is removed.
  private(set) var types: [String: String] = [:]
  /// The fields that an error has left without a value, as `key.field`.
  private(set) var errors: [String: Set<String>] = [:]
  /// When a field expires, by its record's key and its own.
  var expiries: [String: UInt32] = [:]
  /// Seconds that the records of a type stay fresh.
  var timeToLive: [String: UInt32] = [:]
  /// Seconds that a field stays fresh, by its coordinate.
  var fieldTimeToLive: [String: UInt32] = [:]
  var time: UInt32 = 0
  var uses = ModelUses()

  // MARK: Looking

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

  /// The fields with what of them is told when it becomes another: for a list that is streamed, that its last has come, too.
  var toldTexts: [String: String] {
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

  static func targets(_ value: Value) -> [String] {
    switch value {
    case .scalar: []
    case .reference(let key): [key]
    case .list(let items, _): items.flatMap(targets)
    }
  }

  // MARK: Changing

  /// Writes a response; of one that is written in parts, what lies at its places.
  mutating func write(_ response: ModelResponse, _ plan: SelectionPlan) {
    let isClosing = !response.isPartial && plan.hasStream
    let writer = ModelWriter(response, plan, places: isClosing ? nil : response.places)
    let replaced = Set(writer.records.keys.filter { isOther($0, writer) })
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

  /// Whether an embedded record of a response is another object than the one under its path.
  private func isOther(_ key: String, _ writer: ModelWriter) -> Bool {
    guard Self.isEmbedded(key), let known = records[key], let new = writer.records[key] else { return false }
    let parts = key.split(separator: ".")
    if parts.contains(where: { Int($0) != nil }) {
      let sharesReference = new.contains { field, value in
        guard case .reference(let target) = value, !Self.isEmbedded(target), case .reference(target)? = known[field]
        else { return false }
        return true
      }
      return !sharesReference || differs(key, writer)
    }
    let parent = parts.dropLast().joined(separator: ".")
    return differs(key, writer) || isOther(parent, writer)
  }

  private func differs(_ key: String, _ writer: ModelWriter) -> Bool {
    guard let known = records[key], let new = writer.records[key] else { return false }
    if let left = types[key], let right = writer.types[key], left != right { return true }
    return new.contains { field, value in known[field].map { differs(value, $0, writer) } ?? false }
  }

  private func differs(_ new: Value, _ old: Value, _ writer: ModelWriter) -> Bool {
    switch (new, old) {
    case (.scalar(let new), .scalar(let old)): return new != old
    case (.reference(let new), .reference(let old)):
      return new != old || (Self.isEmbedded(new) && differs(new, writer))
    case (.list(let new, let isNewOpen), .list(let old, let isOldOpen)):
      if new.count != old.count, !isNewOpen, !isOldOpen { return true }
      return zip(new, old).contains { differs($0, $1, writer) }
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

  /// Begins a record where there is none: what was known of an earlier one is forgotten.
  private mutating func begin(_ key: String) {
    records[key] = [:]
    errors[key] = nil
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

  /// Takes away what the roots do not lead to; of the fields of roots first those that no plan reads.
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

  /// Removes a record, and what only it led to. Orphans stay until the end: the records that only they lead to go too.
  private mutating func cascade(from key: String) {
    guard let fields = records.removeValue(forKey: key) else { return }
    for target in Set(fields.values.flatMap(Self.targets)) where records[target] != nil {
      if !records.values.contains(where: { $0.values.contains { Self.targets($0).contains(target) } }) {
        cascade(from: target)
      }
    }
  }
}
