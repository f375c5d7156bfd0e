import ApusJSON

/// A JSON value that can be changed at a path and compared by value.
indirect enum MutableJSON: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list(MutableList)
  case object([(name: String, value: MutableJSON)])

  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.bool ?? false)
    case .number: self = .number(value.numberText ?? "")
    case .string: self = .string(value.string ?? "")
    case .array: self = .list(MutableList(value.elements.map(MutableJSON.init)))
    case .object: self = .object(value.members.map { ($0.key, MutableJSON($0.value)) })
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  var items: [MutableJSON]? { if case .list(let list) = self { list.items } else { nil } }

  subscript(name: String) -> MutableJSON? {
    if case .object(let members) = self { members.first { $0.name == name }?.value } else { nil }
  }

  /// Returns the value at a path of names and indexes; nil if it does not exist.
  func value(at path: [JSONValue]) -> MutableJSON? {
    var value = self
    for component in path {
      switch value {
      case .object(let members):
        guard let next = members.first(where: { $0.name == component.string })?.value else { return nil }
        value = next
      case .list(let list):
        guard let index = component.int, case .at(let place) = list.place(of: index) else { return nil }
        value = list.items[place]
      case .null, .bool, .number, .string: return nil
      }
    }
    return value
  }

  /// Applies a function to the value at a path. Returns whether the path exists, or existed until another payload removed
  /// a list element.
  mutating func change(at path: ArraySlice<JSONValue>, _ change: (inout MutableJSON) -> Void) -> Bool {
    guard let component = path.first else {
      change(&self)
      return true
    }
    switch self {
    case .object(var members):
      guard let index = members.firstIndex(where: { $0.name == component.string }) else { return false }
      let found = members[index].value.change(at: path.dropFirst(), change)
      self = .object(members)
      return found
    case .list(var list):
      guard let index = component.int else { return false }
      switch list.place(of: index) {
      case .missing: return false
      case .removed: return true
      case .at(let place):
        let found = list.items[place].change(at: path.dropFirst(), change)
        self = .list(list)
        return found
      }
    case .null, .bool, .number, .string: return false
    }
  }

  /// Merges a newer value of the same field: leaves are replaced, a null changes nothing, and objects and list elements
  /// merge if they are the same. `fields` are those of the field's objects; nil for a leaf.
  mutating func merge(_ newer: MutableJSON, _ fields: SelectedFields?, isStreamed: Bool = false) {
    if newer.isNull { return }
    switch (self, newer) {
    case (.object, .object) where fields != nil:
      guard let fields, !isOther(than: newer, fields) else { return self = newer }
      addMembers(of: newer, fields)
    case (.list(var list), .list(let added)):
      guard let fields else { return self = newer }
      list.merge(added.items, fields, isStreamed: isStreamed)
      self = .list(list)
    default: self = newer
    }
  }

  /// Adds the members of a newer version of the same object.
  mutating func addMembers(of newer: MutableJSON, _ fields: SelectedFields?) {
    guard case .object(var members) = self, case .object(let added) = newer else { return self = newer }
    for (name, value) in added {
      if let index = members.firstIndex(where: { $0.name == name }) {
        members[index].value.merge(value, fields?[name], isStreamed: fields?.isStreamed(name) ?? false)
      } else {
        members.append((name, value))
      }
    }
    self = .object(members)
  }

  // MARK: The same object

  /// Whether a key, or the key of an object directly in both, proves that two objects are different ones.
  func isOther(than newer: MutableJSON, _ fields: SelectedFields) -> Bool {
    fields.keys.contains { differs(newer, in: $0) }
      || fields.objects.contains { name, inner in
        guard let value = self[name], let other = newer[name] else { return false }
        return inner.keys.contains { value.differs(other, in: $0) }
      }
  }

  /// Whether a field without a selection set differs.
  func hasOtherLeaf(than newer: MutableJSON, _ fields: SelectedFields) -> Bool {
    guard case .object(let members) = self else { return false }
    return members.contains { fields[$0.name] == nil && differs(newer, in: $0.name) }
  }

  private func differs(_ other: MutableJSON, in name: String) -> Bool {
    guard let value = self[name], let otherValue = other[name], !value.isNull, !otherValue.isNull else { return false }
    return !value.differences(from: otherValue).isEmpty
  }

  /// Whether two objects have the same value in a key field, and differ in none.
  func hasKey(of other: MutableJSON, _ fields: SelectedFields) -> Bool {
    let keys = fields.keys.filter { self[$0]?.isNull == false && other[$0]?.isNull == false }
    return keys.contains { $0 != "__typename" } && !keys.contains { differs(other, in: $0) }
  }

  /// Whether the objects directly in two objects have the same keys, as `node` in `edges`.
  func hasInnerKey(of other: MutableJSON, _ fields: SelectedFields) -> Bool {
    let shared = fields.objects.filter { name, inner in
      [self, other].allSatisfy { object in
        object[name].map { value in inner.keys.contains { $0 != "__typename" && value[$0]?.isNull == false } } ?? false
      }
    }
    return !shared.isEmpty
      && shared.allSatisfy { name, inner in
        guard let value = self[name], let otherValue = other[name] else { return false }
        return value.hasKey(of: otherValue, inner)
      }
  }

  /// Returns the paths at which two trees differ, with `*` for each index: `.birds.*.name`.
  func differences(from other: MutableJSON, at path: String = "") -> Set<String> {
    switch (self, other) {
    case (.null, .null): return []
    case (.bool(let left), .bool(let right)) where left == right: return []
    case (.string(let left), .string(let right)) where left == right: return []
    case (.number(let left), .number(let right)) where left == right || Double(left) == Double(right): return []
    case (.list(let left), .list(let right)):
      guard left.items.count == right.items.count else { return [path] }
      return zip(left.items, right.items).reduce(into: []) {
        $0.formUnion($1.0.differences(from: $1.1, at: path + ".*"))
      }
    case (.object(let left), .object(let right)):
      let names = Set(left.map(\.name)).union(right.map(\.name))
      return names.reduce(into: []) { result, name in
        guard let one = self[name], let two = other[name] else {
          result.insert("\(path).\(name)")
          return
        }
        result.formUnion(one.differences(from: two, at: "\(path).\(name)"))
      }
    default: return [path]
    }
  }
}
