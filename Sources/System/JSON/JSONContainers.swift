/// An array built in memory: new elements, or the elements of a base with changes and additions. `[1, 2, 3]` with a
/// changed second element keeps the base and stores only that change.
struct JSONArrayContent: Sendable {
  private enum Base: Sendable {
    case values([JSONValue])
    case tape(JSONDocument, TapePosition)
  }

  private let base: Base
  let baseCount: Int
  private(set) var count: Int
  private(set) var byteSize: Int
  private var changes = PersistentSlots<JSONValue>()

  init(_ elements: [JSONValue]) {
    base = .values(elements)
    baseCount = elements.count
    count = elements.count
    byteSize = elements.reduce(2) { $0 + $1.byteSize + 1 }
  }

  init(document: JSONDocument, place: TapePosition) {
    base = .tape(document, place)
    baseCount = document.count(at: place)
    count = baseCount
    byteSize = document.span(at: place)
  }

  /// A cursor over the base; nil unless the base is on a tape.
  var tape: TapeCursor? {
    if case .tape(let document, let place) = base { TapeCursor(document, place) } else { nil }
  }

  func changed(at index: Int) -> JSONValue? { changes.isEmpty ? nil : changes[index] }

  func value(at index: Int) -> JSONValue {
    if let changed = changed(at: index) { return changed }
    switch base {
    case .values(let elements): return elements[index]
    case .tape(let document, let array): return document.position(of: index, in: array).map(document.value) ?? .null
    }
  }

  mutating func set(_ index: Int, to value: JSONValue) {
    byteSize += value.byteSize - self.value(at: index).byteSize
    changes.set(index, to: value)
  }

  mutating func append(_ value: JSONValue) {
    changes.set(count, to: value)
    count += 1
    byteSize += value.byteSize + 1
  }
}

/// An object built in memory: new members, or the members of a base with changed values and additions.
struct JSONObjectContent: Sendable {
  private enum Base: Sendable {
    case members([(key: String, value: JSONValue)], positions: [JSONKey: Int])
    case tape(JSONDocument, TapePosition)
  }

  private var base: Base
  private(set) var baseCount: Int
  private(set) var byteSize: Int
  private var changes = PersistentSlots<JSONValue>()
  /// Keys after those of the base. Their values are in `changes`.
  private var addedKeys: [String] = []
  /// The index in `addedKeys` of each added key; empty while there are few.
  private var addedPositions: [JSONKey: Int] = [:]

  /// Creates an object. If a key occurs twice, the last value wins and keeps the position of the first.
  init(_ members: [(String, JSONValue)]) {
    let (unique, positions) = Self.unique(members)
    base = .members(unique, positions: positions)
    baseCount = unique.count
    byteSize = unique.reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.byteSize }
  }

  init(document: JSONDocument, place: TapePosition) {
    base = .tape(document, place)
    baseCount = document.count(at: place)
    byteSize = document.span(at: place)
  }

  /// The number of members up to which a linear search is faster than a table.
  private static let tableThreshold = 12
  /// The threshold for added keys. It is higher because every version of the object copies the table.
  private static let addedTableThreshold = 64

  private static func unique(
    _ members: [(String, JSONValue)]
  ) -> (members: [(key: String, value: JSONValue)], positions: [JSONKey: Int]) {
    var unique: [(key: String, value: JSONValue)] = []
    unique.reserveCapacity(members.count)
    var positions: [JSONKey: Int] = [:]
    let hasTable = members.count > tableThreshold
    if hasTable { positions.reserveCapacity(members.count) }
    for (key, value) in members {
      let index =
        hasTable ? positions[JSONKey(key)] : unique.firstIndex { $0.key.utf8.elementsEqual(key.utf8) }
      if let index {
        unique[index].value = value
      } else {
        if hasTable { positions[JSONKey(key)] = unique.count }
        unique.append((key, value))
      }
    }
    return (unique, positions)
  }

  var count: Int { baseCount + addedKeys.count }

  /// A cursor over the base; nil unless the base is on a tape.
  var tape: TapeCursor? {
    if case .tape(let document, let place) = base { TapeCursor(document, place) } else { nil }
  }

  func changed(at position: Int) -> JSONValue? { changes.isEmpty ? nil : changes[position] }

  func key(at position: Int) -> String {
    if position >= baseCount { return addedKeys[position - baseCount] }
    switch base {
    case .members(let members, _): return members[position].key
    case .tape(let document, let object): return document.position(of: position, in: object).map(document.string) ?? ""
    }
  }

  func value(at position: Int) -> JSONValue {
    if let changed = changed(at: position) { return changed }
    switch base {
    case .members(let members, _): return members[position].value
    case .tape(let document, let object):
      return document.position(of: position, in: object).map { document.value(at: document.tape.next($0)) } ?? .null
    }
  }

  func position(of key: UnsafeBufferPointer<UInt8>) -> Int? {
    let inBase: Int? =
      switch base {
      case .members(let members, let positions):
        positions.isEmpty ? members.firstIndex { $0.key.utf8.elementsEqual(key) } : positions[JSONKey(key)]
      case .tape(let document, let object):
        document.member(key, ofObjectAt: object)?.position
      }
    let added =
      addedPositions.isEmpty
      ? addedKeys.firstIndex { $0.utf8.elementsEqual(key) } : addedPositions[JSONKey(key)]
    return inBase ?? added.map { baseCount + $0 }
  }

  mutating func set(_ position: Int, to value: JSONValue) {
    byteSize += value.byteSize - self.value(at: position).byteSize
    changes.set(position, to: value)
  }

  /// Adds a member whose key is not yet present.
  mutating func add(_ key: String, _ value: JSONValue) {
    changes.set(count, to: value)
    addedKeys.append(key)
    if addedKeys.count > Self.addedTableThreshold {
      for position in addedPositions.count..<addedKeys.count {
        addedPositions[JSONKey(addedKeys[position])] = position
      }
    }
    byteSize += key.utf8.count + 4 + value.byteSize
    // Once added members outnumber the base, they all become a new base. Over many additions, each member moves a
    // constant number of times.
    if addedKeys.count > max(32, baseCount) { flatten() }
  }

  private mutating func flatten() {
    let members = JSONValue(storage: .object(JSONObjectStorage(self))).members.map { ($0.key, $0.value) }
    let size = byteSize
    self = JSONObjectContent(members)
    byteSize = size
  }
}

/// Keeps `JSONValue` small, which holds a reference instead of the content.
final class JSONArrayStorage: Sendable {
  let content: JSONArrayContent
  init(_ content: JSONArrayContent) { self.content = content }
}

/// Keeps `JSONValue` small, which holds a reference instead of the content.
final class JSONObjectStorage: Sendable {
  let content: JSONObjectContent
  init(_ content: JSONObjectContent) { self.content = content }
}
