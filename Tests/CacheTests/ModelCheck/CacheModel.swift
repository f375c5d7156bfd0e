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
  /// Of the response that is being written: what is wrong in it, and which records it writes.
  private var wrong: [(key: String, field: String)] = []
  private var written: [String: Set<String>] = [:]
  private var failed: Set<ResponsePath> = []
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
    (wrong, written, failed) = ([], [:], Set(response.errors))
    write(
      response.data, at: .root, plan: plan.root, typename: "Query", key: "QUERY_ROOT", isPartial: response.isPartial,
      places: isClosing ? nil : response.places.map { $0.map { $0.components[...] } })
    for (key, field) in wrong where written[key]?.contains(field) == false && records[key]?[field] == nil {
      errors[key, default: []].insert(field)
    }
  }

  /// `places` are those at and beneath the object; `nil` stands for all of it.
  private mutating func write(
    _ object: JSONValue, at place: ResponsePath, plan: PlanNode, typename: String, key: String, isPartial: Bool,
    places: [ArraySlice<PathComponent>]?
  ) {
    let wanted = places?.contains(where: \.isEmpty) == true ? nil : places
    func beneath(_ component: PathComponent) -> [ArraySlice<PathComponent>]? {
      wanted?.filter { $0.first == component }.map { $0.dropFirst() }
    }
    var written: [(PlanField, JSONValue)] = []
    for field in plan.fields(for: typename).fields {
      guard let member = object[field.responseKey] else { continue }
      if let here = beneath(.key(field.responseKey)), here.isEmpty { continue }
      let isFailed = failed.contains(place.appending(.key(field.responseKey))) && member.isNull
      guard Self.isRight(member, field.type), !isFailed else {
        wrong.append((key, field.argumentsKey))
        continue
      }
      written.append((field, member))
    }
    if written.isEmpty, wanted != nil { return }
    if records[key] == nil { begin(key) }
    types[key] = typename
    uses.note(key)
    self.written[key, default: []].formUnion(written.map(\.0.argumentsKey))
    for (field, member) in written {
      errors[key]?.remove(field.argumentsKey)
      let value = write(
        member, at: place.appending(.key(field.responseKey)), field, path: "\(key).\(field.argumentsKey)",
        isPartial: isPartial, places: beneath(.key(field.responseKey)))
      records[key]?[field.argumentsKey] = value
      let seconds = fieldTimeToLive["\(typename).\(field.field.name)"] ?? timeToLive[typename]
      expiries["\(key).\(field.argumentsKey)"] = seconds.map { time + $0 }
    }
  }

  private mutating func write(
    _ value: JSONValue, at place: ResponsePath, _ field: PlanField, path: String, isPartial: Bool,
    places: [ArraySlice<PathComponent>]?
  ) -> Value {
    guard let child = field.child else { return .scalar(value) }
    switch value.kind {
    case .object:
      let typename = value["__typename"]?.string ?? "?"
      let id = value["id"].flatMap { $0.string ?? $0.numberText }
      let key = id.map { "\(typename):\($0)" } ?? path
      write(value, at: place, plan: child, typename: typename, key: key, isPartial: isPartial, places: places)
      return .reference(key)
    case .array:
      var items: [Value] = []
      let isWhole = places?.contains(where: \.isEmpty) ?? true
      for (index, element) in value.elements.enumerated() {
        let here = isWhole ? nil : places?.filter { $0.first == .index(index) }.map { $0.dropFirst() }
        items.append(
          write(
            element, at: place.appending(.index(index)), field, path: "\(path).\(index)", isPartial: isPartial,
            places: here))
      }
      return .list(items, isOpen: isPartial && field.stream != nil)
    default: return .scalar(value)
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
    guard let fields = records.removeValue(forKey: key) else { return }
    dropOrphans()
    for target in Set(fields.values.flatMap(Self.targets)) where records[target] != nil {
      if !records.values.contains(where: { $0.values.contains { Self.targets($0).contains(target) } }) {
        removeCascading(target)
      }
    }
  }
}
