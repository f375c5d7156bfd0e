/// Records and the index of their keys: what a response is normalized into, what a cache holds, what it hands out.
///
/// A copy is cheap (the two share their storage until one is written to) and stays as it was.
public struct RecordSet: Sendable {
  var table: RecordTable
  private var index = KeyIndex()
  /// Fields whose value joins the one that is there, by `record << 32 | field`.
  var merges: [UInt64: PendingMerge] = [:]
  /// The embedded record that the writer named: the same object, whatever it is written with.
  var named: UInt32?
  /// Whether a record has one field more than once, each to be joined with what is there: pages of one list.
  private(set) var repeatsFields = false

  /// An empty set.
  public init() { self.init(keepsReferrers: false) }

  /// An empty set that knows for each record who refers to it, where that is asked for: what `CacheSnapshot.referrers` tells.
  public init(keepsReferrers: Bool) { table = RecordTable(keepsReferrers: keepsReferrers) }

  /// The records of a set that was made from a response, to be kept.
  init(adopting other: RecordSet, keepsReferrers: Bool) {
    self = other
    merges = [:]
    repeatsFields = false
    table.keepsReferrers = keepsReferrers
  }

  /// The number of records.
  public var count: Int { table.recordCount }
  /// Whether there is no record.
  public var isEmpty: Bool { count == 0 }
  /// Whether not even a key is known.
  var isUntouched: Bool { table.entries.count == 0 }
  /// The bytes of all values, without keys and indices.
  public var byteCount: Int { table.byteCount }

  // MARK: Finding

  func find(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32? {
    find(bytes, hash: KeyHash.of(UnsafeRawBufferPointer(bytes)))
  }

  private func find(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> UInt32? {
    index.find(hash: hash) { id in
      let entry = table.entries[id]
      guard entry.hash == hash, !entry.isPath, entry.textLength == bytes.count else { return false }
      return table.texts.withRun(entry.text, count: entry.textLength) { bytesAreEqual($0, bytes) }
    }
  }

  func find(parent: UInt32, component: KeyComponent, hash: UInt64) -> UInt32? {
    index.find(hash: hash) { id in
      let entry = table.entries[id]
      return entry.hash == hash && entry.isPath && entry.parent == parent && entry.component == component
    }
  }

  private func hash(parent: UInt32, component: KeyComponent) -> UInt64 {
    let own =
      switch component {
      case .field(let symbol): table.fieldKeys.hashes[Int(symbol)]
      case .index(let index): KeyHash.ofIndex(index)
      }
    return KeyHash.combine(table.entries[parent].hash, own)
  }

  /// The number of a key, whichever of the two kinds it is.
  ///
  /// A text may be both a key and a path, where ids have dots in them; what has a record comes first.
  func find(_ key: CacheKey) -> UInt32? {
    var text = key.text
    let own = text.withUTF8 { find($0) }
    if let own, table.entries[own].exists { return own }
    return findPath(Substring(key.text)) ?? own
  }

  private func find(text: Substring) -> UInt32? {
    var bytes = text
    if let id = bytes.withUTF8({ find($0) }) { return id }
    return findPath(text)
  }

  private func findPath(_ text: Substring) -> UInt32? {
    // A path: its last component may itself hold dots, in the arguments of a field.
    var end = text.endIndex
    while let dot = text[..<end].lastIndex(of: ".") {
      let last = text[text.index(after: dot)...]
      var components: [KeyComponent] = []
      if let symbol = table.fieldKeys.index(of: String(last)) { components.append(.field(symbol)) }
      if let index = UInt32(last), String(index) == last { components.append(.index(index)) }
      if !components.isEmpty, let parent = find(text: text[..<dot]) {
        for component in components {
          let hash = hash(parent: parent, component: component)
          if let id = find(parent: parent, component: component, hash: hash) { return id }
        }
      }
      end = dot
    }
    return nil
  }

  /// The record under a key; `nil` when there is none.
  public subscript(key: CacheKey) -> Record? {
    guard let id = find(key), table.entries[id].exists else { return nil }
    return table.record(id)
  }

  /// Whether there is a record under a key.
  public func contains(_ key: CacheKey) -> Bool { find(key).map { table.entries[$0].exists } ?? false }

  /// All records, in the order in which their keys were first met.
  public var records: [Record] {
    (0..<table.entries.count).lazy.map(UInt32.init).filter { table.entries[$0].exists }.map { table.record($0) }
  }

  // MARK: Keys

  /// Makes room for about so many keys in an empty set; many objects of a response may be one record.
  mutating func reserve(keys: Int) { index.reserve(min(keys, 1 << 16)) }

  private mutating func add(_ entry: RecordHeader) -> UInt32 {
    let id: UInt32
    if let free = freeEntries.popLast() {
      id = free
      table.entries[id] = entry
    } else {
      id = UInt32(table.entries.count)
      table.entries.append(entry)
    }
    index.insert(hash: entry.hash, number: id)
    return id
  }

  private var freeEntries: [UInt32] = []

  mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
    intern(bytes, hash: KeyHash.of(UnsafeRawBufferPointer(bytes)))
  }

  mutating func intern(_ bytes: UnsafeBufferPointer<UInt8>, hash: UInt64) -> UInt32 {
    if let id = find(bytes, hash: hash) { return id }
    return add(RecordHeader(hash: hash, text: table.texts.store(bytes), length: bytes.count))
  }

  mutating func intern(_ key: CacheKey) -> UInt32 {
    var text = key.text
    return text.withUTF8 { intern($0) }
  }

  /// Interns a key as a cache knows it: the same text may be a key, or the path of an embedded record.
  mutating func intern(_ key: CacheKey, knownTo cache: RecordSet?) -> UInt32 {
    guard let cache, let id = cache.find(key), cache.table.entries[id].exists else { return intern(key) }
    return intern(id, of: cache.table)
  }

  private mutating func intern(_ id: UInt32, of table: RecordTable) -> UInt32 {
    let entry = table.entries[id]
    guard entry.isPath else { return intern(table.key(id)) }
    let parent = intern(entry.parent, of: table)
    switch entry.component {
    case .field(let symbol):
      return intern(parent: parent, component: .field(self.table.fieldKeys.intern(table.fieldKeys.name(symbol))))
    case .index(let index): return intern(parent: parent, component: .index(index))
    }
  }

  mutating func intern(parent: UInt32, component: KeyComponent) -> UInt32 {
    let hash = hash(parent: parent, component: component)
    if let id = find(parent: parent, component: component, hash: hash) { return id }
    table.entries[parent].uses += 1
    return add(RecordHeader(hash: hash, parent: parent, component: component))
  }

  /// Takes away keys that have no record, that nothing refers to and that no other key continues.
  mutating func dropUnusedKeys() {
    // Where many go, the index is made anew: in its order, and not at a place here and a place there.
    var loosened = table.loosened
    table.loosened = []
    let areMany = loosened.count > table.entries.count / 16
    var dropped = areMany ? KeyMarks(count: table.entries.count) : nil
    while let id = loosened.popLast() {
      let entry = table.entries[id]
      guard entry.uses == 0, entry.hash != 0 else { continue }
      if dropped == nil { index.remove(hash: entry.hash, number: id) } else { dropped?.mark(id) }
      if entry.isPath {
        table.entries[entry.parent].uses -= 1
        loosened.append(entry.parent)
      } else {
        table.texts.release(entry.text, count: entry.textLength)
      }
      table.entries[id] = RecordHeader(hash: 0, text: ArenaRun(page: 0, start: 0), length: 0)
      freeEntries.append(id)
    }
    if let dropped { index.removeAll { dropped[$0] } }
  }

  // MARK: A field more than once

  /// The symbol of a field's next page, where the record has one already: a NUL and a number behind the field's key, which
  /// no key has of its own.
  mutating func internRepeated(_ field: UInt32, _ count: Int) -> UInt32 {
    repeatsFields = true
    return table.fieldKeys.intern("\(table.fieldKeys.name(field))\0\(count)")
  }

  /// The key of the field that a name stands for.
  static func fieldKey(ofRepeated name: String) -> String {
    name.utf8.firstIndex(of: 0).map { String(name[..<$0]) } ?? name
  }

  // MARK: Writing one record

  /// Puts fields into a record of a set that keeps no referrers; a field that is there already is joined with the new value.
  mutating func put(_ fields: UnsafeBufferPointer<ValueSlot>, into id: UInt32, type: UInt32) {
    var entry = table.entries[id]
    if type != RecordTable.none { entry.type = type }
    if entry.stamp == 0 {
      entry.stamp = 1
      table.recordCount += 1
    }
    let isFirst = entry.fieldCount == 0 && !fields.isEmpty
    if isFirst {
      entry.fields = table.slots.store(fields)
      entry.fieldCount = UInt32(fields.count)
    }
    table.entries[id] = entry
    if isFirst { return }
    for (hint, slot) in fields.enumerated() {
      let entry = table.entries[id]
      if let position = table.position(ofField: slot.field, in: entry, hint: hint) {
        let joined = joined(table.slots.element(entry.fields, position), slot)
        // What it was joined with may have given the record other fields.
        let fields = table.entries[id].fields
        table.slots.set(fields, position, joined)
      } else {
        table.append(slot, to: id)
      }
    }
  }
}
