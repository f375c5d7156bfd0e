import ApusJSON

/// A JSON value that can be changed at a path and compared by value.
indirect enum MutableJSON: Sendable {
  case null
  case bool(Bool)
  case number(String)
  case string(String)
  case list([MutableJSON])
  case object([(name: String, value: MutableJSON)])

  init(_ value: JSONValue) {
    switch value.kind {
    case .null: self = .null
    case .bool: self = .bool(value.bool ?? false)
    case .number: self = .number(value.numberText ?? "")
    case .string: self = .string(value.string ?? "")
    case .array: self = .list(value.elements.map(MutableJSON.init))
    case .object: self = .object(value.members.map { ($0.key, MutableJSON($0.value)) })
    }
  }

  var isNull: Bool { if case .null = self { true } else { false } }

  var items: [MutableJSON]? { if case .list(let items) = self { items } else { nil } }

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
      case .list(let items):
        guard let index = component.int, items.indices.contains(index) else { return nil }
        value = items[index]
      case .null, .bool, .number, .string: return nil
      }
    }
    return value
  }

  /// Applies a function to the value at a path. Returns whether the path exists.
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
    case .list(var items):
      guard let index = component.int, items.indices.contains(index) else { return false }
      let found = items[index].change(at: path.dropFirst(), change)
      self = .list(items)
      return found
    case .null, .bool, .number, .string: return false
    }
  }

  /// Adds members, and merges objects that both have. Lists of equal length are merged item by item.
  mutating func merge(_ other: MutableJSON) {
    switch (self, other) {
    case (.object(var members), .object(let added)):
      for (name, value) in added {
        if let index = members.firstIndex(where: { $0.name == name }) {
          members[index].value.merge(value)
        } else {
          members.append((name, value))
        }
      }
      self = .object(members)
    case (.list(let items), .list(let added)) where items.count == added.count:
      self = .list(
        zip(items, added).map { item, value in
          var item = item
          item.merge(value)
          return item
        })
    default: self = other
    }
  }

  /// Returns the paths at which two trees differ, with `*` for each index.
  func differences(from other: MutableJSON, at path: String = "") -> Set<String> {
    switch (self, other) {
    case (.null, .null): return []
    case (.bool(let left), .bool(let right)) where left == right: return []
    case (.string(let left), .string(let right)) where left == right: return []
    case (.number(let left), .number(let right)) where left == right || Double(left) == Double(right): return []
    case (.list(let left), .list(let right)):
      guard left.count == right.count else { return [path] }
      return zip(left, right).reduce(into: []) { $0.formUnion($1.0.differences(from: $1.1, at: path + ".*")) }
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
