/// The flat storage of records: keys, fields, texts and references in a few paged stores instead of an object each.
///
/// Records are numbered. A copy of the table is cheap and stays as it is while the original is written to, which is
/// what snapshots and transactions rest on. Finding a record by its key is `RecordSet`'s part.
struct RecordTable: Sendable {
  static let none = UInt32.max

  var entries = PagedArray<RecordHeader>()
  var slots = RunArena<ValueSlot>(smallestRun: 2, largestPage: 4096, filler: .null)
  var texts = RunArena<UInt8>(smallestRun: 8, largestPage: 1 << 16, filler: 0)
  var fieldKeys = SymbolTable()
  var typenames = SymbolTable()
  var recordCount = 0
  /// Bytes of all values, without keys and indices.
  var byteCount = 0
  var notes = FieldNotes()

  // MARK: References, kept by caches alone
  /// Whether it is known who refers to a record. What a response is normalized into does without.
  var keepsReferrers: Bool
  var edges = PagedArray<ReferenceEdge>()
  var freeEdges: [UInt32] = []
  /// Records that lost a reference in the present change, and keys that may have become useless.
  var loosened: [UInt32] = []

  init(keepsReferrers: Bool) { self.keepsReferrers = keepsReferrers }

  // MARK: Keys

  /// A key's text: as it was given, or spelled out from the path that it stands for.
  func keyText(_ id: UInt32) -> String {
    let entry = entries[id]
    guard entry.isPath else {
      return texts.withRun(entry.text, count: entry.textLength) { String(decoding: $0, as: UTF8.self) }
    }
    var parts: [String] = []
    var current = entry
    while true {
      guard current.isPath else {
        parts.append(texts.withRun(current.text, count: current.textLength) { String(decoding: $0, as: UTF8.self) })
        break
      }
      switch current.component {
      case .field(let symbol): parts.append(fieldKeys.name(symbol))
      case .index(let index): parts.append(String(index))
      }
      current = entries[current.parent]
    }
    return parts.reversed().joined(separator: ".")
  }

  /// Calls `body` with the bytes of a key's text.
  func withKeyBytes<Result>(_ id: UInt32, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let entry = entries[id]
    guard entry.isPath else { return texts.withRun(entry.text, count: entry.textLength, body) }
    var text = keyText(id)
    return text.withUTF8(body)
  }

  func key(_ id: UInt32) -> CacheKey { CacheKey(keyText(id)) }

  func typename(_ id: UInt32) -> String? {
    let type = entries[id].type
    return type == Self.none ? nil : typenames.name(type)
  }

  // MARK: Values

  mutating func makeText(_ bytes: UnsafeBufferPointer<UInt8>, field: UInt32 = 0, isString: Bool = false) -> ValueSlot {
    if bytes.count <= 8 {
      var payload: UInt64 = 0
      withUnsafeMutableBytes(of: &payload) { $0.copyMemory(from: UnsafeRawBufferPointer(bytes)) }
      return ValueSlot(field: field, kind: .shortText, count: bytes.count, payload: payload, flag: isString)
    }
    if texts.isLong(bytes.count) {
      return ValueSlot(
        field: field, kind: .longText, count: 0, payload: texts.storeAsPage(bytes).packed, flag: isString)
    }
    return ValueSlot(field: field, kind: .text, count: bytes.count, payload: texts.store(bytes).packed, flag: isString)
  }

  mutating func makeList(_ items: UnsafeBufferPointer<ValueSlot>, field: UInt32, isOpen: Bool) -> ValueSlot {
    let run = items.isEmpty ? ArenaRun(page: 0, start: 0) : slots.store(items)
    return ValueSlot(field: field, kind: .list, count: items.count, payload: run.packed, flag: isOpen)
  }

  /// Calls `body` with the JSON text of a scalar.
  @inline(__always)
  func withText<Result>(_ slot: ValueSlot, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    switch slot.kind {
    case .text: return texts.withRun(slot.run, count: slot.count, body)
    case .longText: return texts.withRun(slot.run, count: texts.lengthOfPage(slot.run), body)
    default:
      return withUnsafeBytes(of: slot.payload) { raw in
        raw.withMemoryRebound(to: UInt8.self) { body(UnsafeBufferPointer(rebasing: $0[..<min(slot.count, 8)])) }
      }
    }
  }

  /// The same without a closure, which would hold whoever has the buffer for every text.
  @inline(__always)
  func appendText(of slot: ValueSlot, to buffer: ByteBuffer) {
    switch slot.kind {
    case .text: buffer.append(texts.run(slot.run, count: slot.count))
    case .longText: buffer.append(texts.run(slot.run, count: texts.lengthOfPage(slot.run)))
    default: buffer.append(upTo8: slot.payload, count: slot.count)
    }
  }

  /// How many bytes a value takes here.
  func size(of slot: ValueSlot) -> Int {
    switch slot.kind {
    case .null, .shortText, .reference, .gap: return 16
    case .text: return 16 + slot.count
    case .longText: return 16 + texts.lengthOfPage(slot.run)
    case .list:
      var size = 16
      for index in 0..<slot.count { size += self.size(of: slots.element(slot.run, index)) }
      return size
    }
  }

  /// Whether two scalars of two tables have one text.
  func textsAreEqual(_ mine: ValueSlot, _ other: RecordTable, _ theirs: ValueSlot) -> Bool {
    guard mine.kind == theirs.kind, mine.count == theirs.count else { return false }
    switch mine.kind {
    case .null, .gap: return true
    case .shortText: return mine.payload == theirs.payload
    default:
      return withText(mine) { left in
        other.withText(theirs) { right in bytesAreEqual(left, right) }
      }
    }
  }

  // MARK: Fields

  /// The place of a field in its record; `hint` is where it probably is.
  @inline(__always)
  func position(ofField field: UInt32, in entry: RecordHeader, hint: Int) -> Int? {
    let count = Int(entry.fieldCount)
    if hint < count, slots.element(entry.fields, hint).field == field { return hint }
    if count == 0 { return nil }
    return slots.withRun(entry.fields, count: count) { fields in
      for index in 0..<count where fields[index].field == field { return index }
      return nil
    }
  }

  /// When a field expires, in seconds since 1970; 0 for never.
  @inline(__always)
  func expiry(ofField field: UInt32, in id: UInt32) -> UInt32 {
    if !notes.expiries.isEmpty, let own = notes.expiry(id, field) { return own }
    return entries[id].expires
  }

  func value(ofField field: UInt32, in id: UInt32) -> ValueSlot? {
    let entry = entries[id]
    return position(ofField: field, in: entry, hint: 0).map { slots.element(entry.fields, $0) }
  }

  /// Adds a field that the record does not have.
  mutating func append(_ slot: ValueSlot, to id: UInt32) {
    var entry = entries[id]
    let count = Int(entry.fieldCount)
    if count == 0 {
      entry.fields = slots.allocate(1)
    } else if slots.capacity(for: count) < count + 1 {
      let larger = slots.allocate(count + 1)
      for index in 0..<count { slots.set(larger, index, slots.element(entry.fields, index)) }
      slots.release(entry.fields, count: count)
      entry.fields = larger
    }
    slots.set(entry.fields, count, slot)
    entry.fieldCount += 1
    entries[id] = entry
  }

  /// Takes out the field at a place, keeping the order of the others, and returns what it held, not yet released.
  mutating func removeField(at position: Int, of id: UInt32) -> ValueSlot {
    var entry = entries[id]
    let count = Int(entry.fieldCount)
    let removed = slots.element(entry.fields, position)
    for index in position..<(count - 1) { slots.set(entry.fields, index, slots.element(entry.fields, index + 1)) }
    if count == 1 {
      slots.release(entry.fields, count: 1)
    } else if slots.capacity(for: count) != slots.capacity(for: count - 1) {
      let smaller = slots.allocate(count - 1)
      for index in 0..<(count - 1) { slots.set(smaller, index, slots.element(entry.fields, index)) }
      slots.release(entry.fields, count: count)
      entry.fields = smaller
    }
    entry.fieldCount -= 1
    entries[id] = entry
    return removed
  }
}
