/// A value of the model: plain, without records.
indirect enum PlainValue: Equatable {
  case null
  case number(Int)
  /// A reference to a record with a key.
  case key(String)
  case object(PlainObject)
  case list([PlainValue])

  var text: String {
    switch self {
    case .null: "null"
    case .number(let number): "\(number)"
    case .key(let key): "-> \(key)"
    case .object(let object): object.text
    case .list(let items): "[\(items.map(\.text).joined(separator: ", "))]"
    }
  }
}

/// An object of the model, with its type and fields.
struct PlainObject: Equatable {
  var type: String?
  var fields: [String: PlainValue] = [:]

  var text: String {
    let members = fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value.text)" }
    return "\(type ?? "?"){\(members.joined(separator: ", "))}"
  }
}

enum PlainWrite: CaseIterable {
  case response, local, layer
}

/// The columns of the table.
enum PlainPlace: CaseIterable {
  /// Below a keyed record, or in an object inside an element.
  case below
  /// Directly below the query root.
  case root
  case element
}

/// The rules for objects without a key, written down from the table in `Docs/Explanation/ObjectsWithoutKeys.md` with nested
/// values. It shares no code with the cache.
struct PlainCache: Equatable {
  /// The fields of the query root and of the records with keys.
  var records: [String: PlainObject] = [:]

  /// Writes fields of a keyed record or of the query root.
  mutating func write(_ fields: [String: PlainValue], to key: String, type: String?, _ write: PlainWrite) {
    let place: PlainPlace = key == "QUERY_ROOT" ? .root : .below
    var record = records[key] ?? PlainObject()
    if let type { record.type = type }
    for (name, value) in fields {
      record.fields[name] = Self.merged(record.fields[name], value, place, write)
    }
    records[key] = record
  }

  static func merged(_ old: PlainValue?, _ new: PlainValue, _ place: PlainPlace, _ write: PlainWrite) -> PlainValue {
    switch (old, new) {
    case (.object(let old)?, .object(let new)):
      return .object(isSame(old, new, place, write) ? joined(old, new, write) : new)
    case (.list(let old)?, .list(let new)):
      if write == .local { return .list(PlainList.merged(old, new)) }
      return .list(
        new.enumerated().map { index, item in
          index < old.count ? merged(old[index], item, .element, write) : item
        })
    default: return new
    }
  }

  /// Returns one object with the fields of both, of which the new ones count.
  static func joined(_ old: PlainObject, _ new: PlainObject, _ write: PlainWrite) -> PlainObject {
    var object = PlainObject(type: new.type ?? old.type, fields: old.fields)
    for (name, value) in new.fields { object.fields[name] = merged(old.fields[name], value, .below, write) }
    return object
  }

  // MARK: The table

  private static func isSame(
    _ old: PlainObject, _ new: PlainObject, _ place: PlainPlace, _ write: PlainWrite
  ) -> Bool {
    if let left = old.type, let right = new.type, left != right { return false }
    if write == .local { return true }
    let shared = new.fields.keys.filter { old.fields[$0] != nil }
    func isOther(_ name: String) -> Bool {
      if case .key(let left)? = old.fields[name], case .key(let right)? = new.fields[name] { return left != right }
      return false
    }
    switch place {
    case .below: return !shared.contains(where: isOther)
    case .root:
      if shared.contains(where: isOther) { return false }
      let isConnection = ["edges", "nodes", "items"].contains { old.fields[$0] != nil || new.fields[$0] != nil }
      if write == .layer || isConnection { return true }
      return shared.allSatisfy { agrees(old.fields[$0], new.fields[$0], isDeep: true) }
    case .element:
      guard shared.allSatisfy({ agrees(old.fields[$0], new.fields[$0], isDeep: false) }) else { return false }
      return shared.contains { name in
        if case .key? = new.fields[name] { return old.fields[name] == new.fields[name] }
        return false
      }
    }
  }

  /// Returns whether two values of a field are equal as far as both have been fetched.
  private static func agrees(_ old: PlainValue?, _ new: PlainValue?, isDeep: Bool) -> Bool {
    switch (old, new) {
    case (.object(let old)?, .object(let new)?):
      if !isDeep { return true }
      if let left = old.type, let right = new.type, left != right { return false }
      return new.fields.allSatisfy { name, value in
        old.fields[name].map { agrees($0, value, isDeep: true) } ?? true
      }
    case (.list(let old)?, .list(let new)?):
      return old.count == new.count && zip(old, new).allSatisfy { agrees($0, $1, isDeep: isDeep) }
    default: return old == new
    }
  }
}

/// The elements of a list after a local change.
enum PlainList {
  static func merged(_ old: [PlainValue], _ new: [PlainValue]) -> [PlainValue] {
    var partner = [Int: Int]()
    func free() -> [Int] { old.indices.filter { !partner.values.contains($0) } }
    for (index, item) in new.enumerated() {
      if let match = free().first(where: { has(old[$0], item) }) { partner[index] = match }
    }
    for (index, item) in new.enumerated() where partner[index] == nil {
      if let match = free().first(where: { refersAlike(old[$0], item) }) { partner[index] = match }
    }
    if old.count == new.count {
      for index in new.indices where partner[index] == nil && free().contains(index) {
        if isOneType(old[index], new[index]) { partner[index] = index }
      }
    }
    return new.enumerated().map { index, item in
      partner[index].map { PlainCache.merged(old[$0], item, .element, .local) } ?? item
    }
  }

  private static func isOneType(_ old: PlainValue, _ new: PlainValue) -> Bool {
    guard case .object(let old) = old, case .object(let new) = new else { return false }
    return old.type == nil || new.type == nil || old.type == new.type
  }

  /// Returns whether a cached value has everything that a changed one has.
  private static func has(_ old: PlainValue, _ new: PlainValue) -> Bool {
    switch (old, new) {
    case (.object(let left), .object(let right)):
      return isOneType(old, new)
        && right.fields.allSatisfy { name, value in left.fields[name].map { has($0, value) } ?? false }
    case (.list(let left), .list(let right)):
      return left.count == right.count && zip(left, right).allSatisfy(has)
    default: return old == new
    }
  }

  /// Returns whether two elements refer to the same keyed record, and nowhere to different ones.
  private static func refersAlike(_ old: PlainValue, _ new: PlainValue) -> Bool {
    guard isOneType(old, new), case .object(let old) = old, case .object(let new) = new else { return false }
    var isAlike = false
    for (name, value) in new.fields {
      guard case .key(let key) = value, case .key(let other)? = old.fields[name] else { continue }
      if key != other { return false }
      isAlike = true
    }
    return isAlike
  }
}
