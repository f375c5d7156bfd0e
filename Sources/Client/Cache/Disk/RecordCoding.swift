/// The names of field keys and types as a file numbers them, and how those numbers stand to the symbols of a set.
struct FileNames {
  /// By the file's number, which counts from 1.
  private(set) var names: [String] = [""]
  private var numbers: [String: UInt32] = [:]

  var count: Int { names.count - 1 }

  mutating func add(_ name: String) {
    numbers[name] = UInt32(names.count)
    names.append(name)
  }

  func number(of name: String) -> UInt32? { numbers[name] }
}

/// A record as the bytes of its row, and back.
///
///     row    := count field*  count (name expiry)*  count (name text)*      the fields; apart expiries; errors
///     field  := name value
///     value  := null | json text | string text | reference key | embedded | list count value* | open list … | gap
///
/// Numbers are written in groups of seven bits, texts with their length before them. A name is the file's number of it.
/// `embedded` is the reference to the record that belongs to this very place, so that its path need not be spelled out.
enum RecordCoding {
  fileprivate enum Tag: UInt8 {
    case null, json, string, reference, embedded, list, openList, gap
  }

  /// How deep lists may lie in lists. No response of a server is nested deeper.
  fileprivate static let maximumListDepth = 1024

  /// The most items that all lists of one row may have: an item takes a byte of the row, and sixteen in memory.
  fileprivate static let maximumItemCount = 1 << 25

  struct Damaged: Error {}
}

/// Writes rows of one table.
struct RowEncoder {
  private let table: RecordTable
  private let bytes: ByteBuffer
  /// The file's numbers of field keys, by symbol; 0 for one that was not asked for yet.
  private var numbers: ContiguousArray<UInt32>
  private let name: (String) throws -> UInt32
  private let key = ByteBuffer(capacity: 256)
  private var positions: ContiguousArray<UInt32> = []
  private var itemCount = 0
  /// Whether the present row is one that a decoder would not take.
  private var isTooLarge = false

  /// `name` gives a name's number in the file.
  init(_ table: RecordTable, into bytes: ByteBuffer, name: @escaping (String) throws -> UInt32) {
    self.table = table
    self.bytes = bytes
    self.name = name
    numbers = ContiguousArray(repeating: 0, count: table.fieldKeys.count)
  }

  private mutating func number(_ symbol: UInt32) throws -> Int {
    let known = numbers[Int(symbol)]
    if known != 0 { return Int(known) }
    let number = try name(table.fieldKeys.name(symbol))
    numbers[Int(symbol)] = number
    return Int(number)
  }

  mutating func append(_ id: UInt32) throws {
    let entry = table.entries[id]
    itemCount = 0
    isTooLarge = false
    append(number: Int(entry.fieldCount))
    for index in 0..<Int(entry.fieldCount) {
      let slot = table.slots.element(entry.fields, index)
      append(number: try number(slot.field))
      append(slot, record: id, field: slot.field)
    }
    if isTooLarge {
      throw CacheFileError(
        .unusable, "the lists of the record \(table.keyText(id)) are too long or too deep for a file")
    }
    guard !table.notes.isEmpty else {
      append(number: 0)
      append(number: 0)
      return
    }
    var expiries: [(Int, UInt32)] = []
    for index in 0..<Int(entry.fieldCount) {
      let field = table.slots.element(entry.fields, index).field
      if let expires = table.notes.expiry(id, field) { expiries.append((try number(field), expires)) }
    }
    append(number: expiries.count)
    for (field, expires) in expiries {
      append(number: field)
      append(number: Int(expires))
    }
    let errors = table.notes.errors(of: id)
    append(number: errors.count)
    for error in errors {
      append(number: try number(error.field))
      append(text: error.text)
    }
  }

  private func append(number: Int) {
    var rest = UInt(bitPattern: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  private func append(text: String) {
    var text = text
    text.withUTF8 {
      append(number: $0.count)
      bytes.append($0)
    }
  }

  private func append(_ tag: RecordCoding.Tag) { bytes.append(tag.rawValue) }

  private mutating func append(_ slot: ValueSlot, record: UInt32, field: UInt32) {
    switch slot.kind {
    case .null: append(.null)
    case .gap: append(.gap)
    case .shortText, .text, .longText:
      append(slot.isString ? .string : .json)
      let (bytes, encoder) = (bytes, self)
      table.withText(slot) {
        encoder.append(number: $0.count)
        bytes.append($0)
      }
    case .reference:
      if table.isEmbedded(slot.target, record: record, field: field, positions) { return append(.embedded) }
      append(.reference)
      key.cut(to: 0)
      KeyCoding.append(slot.target, of: table, to: key)
      append(number: key.count)
      key.withBytes { bytes.append($0) }
    case .list:
      append(slot.isOpen ? .openList : .list)
      append(number: slot.count)
      itemCount += slot.count
      guard itemCount <= RecordCoding.maximumItemCount, positions.count < RecordCoding.maximumListDepth else {
        isTooLarge = true
        return
      }
      for index in 0..<slot.count {
        positions.append(UInt32(index))
        append(table.slots.element(slot.run, index), record: record, field: field)
        positions.removeLast()
      }
    }
  }
}

/// Reads rows into a set.
struct RowDecoder {
  private var symbols: ContiguousArray<UInt32> = []
  private var types: ContiguousArray<UInt32> = []
  private var slots: ContiguousArray<ValueSlot> = []
  private var positions: ContiguousArray<UInt32> = []
  /// The keys of the places that `positions` lead through, as far as they were asked for.
  private var places: ContiguousArray<UInt32> = []
  /// How many items the row may still have.
  private var itemsLeft = 0

  /// The columns of a row beside the record itself.
  struct Row {
    let key: UnsafeBufferPointer<UInt8>
    let type: UInt32
    let stamp: UInt32
    let written: UInt32
    let expires: UInt32
    let bytes: UnsafeRawBufferPointer
  }

  private mutating func symbol(_ number: Int, _ names: FileNames, _ set: inout RecordSet) throws -> UInt32 {
    guard number > 0, number <= names.count else { throw RecordCoding.Damaged() }
    while symbols.count <= names.count { symbols.append(RecordTable.none) }
    if symbols[number] == RecordTable.none { symbols[number] = set.table.fieldKeys.intern(names.names[number]) }
    return symbols[number]
  }

  private mutating func type(_ number: Int, _ names: FileNames, _ set: inout RecordSet) throws -> UInt32 {
    if number == 0 { return RecordTable.none }
    guard number <= names.count else { throw RecordCoding.Damaged() }
    while types.count <= names.count { types.append(RecordTable.none) }
    if types[number] == RecordTable.none { types[number] = set.table.typenames.intern(names.names[number]) }
    return types[number]
  }

  /// Adds a record to a set, unless it is there.
  mutating func add(_ row: Row, _ names: FileNames, to set: inout RecordSet) throws {
    let id = try KeyCoding.intern(checking: row.key, in: &set)
    guard set.table.beginRecord(id, ChangeMoment(stamp: max(1, row.stamp), time: row.written)) else { return }
    set.table.entries[id].type = try type(Int(row.type), names, &set)
    set.table.entries[id].expires = row.expires
    var reader = ByteReader(row.bytes)
    slots.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    itemsLeft = RecordCoding.maximumItemCount
    var size = 0
    for _ in 0..<(try reader.number()) {
      let field = try symbol(try reader.number(), names, &set)
      places.removeAll(keepingCapacity: true)
      var slot = try value(&reader, record: id, field: field, names, &set)
      slot.field = field
      size += set.table.size(of: slot)
      slots.append(slot)
    }
    if !slots.isEmpty {
      let count = slots.count
      set.table.entries[id].fields = slots.withUnsafeBufferPointer { set.table.slots.store($0) }
      set.table.entries[id].fieldCount = UInt32(count)
    }
    set.table.entries[id].size = UInt32(clamping: size)
    set.table.byteCount += size
    for _ in 0..<(try reader.number()) {
      let field = try symbol(try reader.number(), names, &set)
      set.table.notes.setExpiry(UInt32(truncatingIfNeeded: try reader.number()), id, field)
    }
    for _ in 0..<(try reader.number()) {
      let field = try symbol(try reader.number(), names, &set)
      set.table.notes.setError(String(decoding: try reader.text(), as: UTF8.self), id, field)
    }
  }

  private mutating func value(
    _ reader: inout ByteReader, record: UInt32, field: UInt32, _ names: FileNames, _ set: inout RecordSet
  ) throws -> ValueSlot {
    guard let tag = RecordCoding.Tag(rawValue: try reader.byte()) else { throw RecordCoding.Damaged() }
    switch tag {
    case .null: return .null
    case .gap: return .gap
    case .json: return set.table.makeText(try reader.text(), field: field, isString: false)
    case .string: return set.table.makeText(try reader.text(), field: field, isString: true)
    case .reference:
      let target = try KeyCoding.intern(checking: try reader.text(), in: &set)
      return set.table.link(source: record, field: field, target: target)
    case .embedded:
      return set.table.link(source: record, field: field, target: place(record, field, &set))
    case .list, .openList:
      let count = try reader.number()
      // Each item takes a byte at least, so that a damaged count cannot ask for more memory than the row has bytes.
      guard count <= reader.remaining, count <= itemsLeft, positions.count < RecordCoding.maximumListDepth else {
        throw RecordCoding.Damaged()
      }
      itemsLeft -= count
      var items: ContiguousArray<ValueSlot> = []
      items.reserveCapacity(count)
      for index in 0..<count {
        positions.append(UInt32(index))
        items.append(try value(&reader, record: record, field: field, names, &set))
        positions.removeLast()
        if places.count > positions.count + 1 { places.removeLast() }
      }
      return items.withUnsafeBufferPointer { set.table.makeList($0, field: field, isOpen: tag == .openList) }
    }
  }

  /// The key of the record that belongs to this very place. Items of one list share the way to it.
  private mutating func place(_ record: UInt32, _ field: UInt32, _ set: inout RecordSet) -> UInt32 {
    var last = places.last ?? set.intern(parent: record, component: .field(field))
    if places.isEmpty { places.append(last) }
    while places.count <= positions.count {
      last = set.intern(parent: last, component: .index(positions[places.count - 1]))
      places.append(last)
    }
    return last
  }
}

/// Walks along the bytes of a row, and never beyond them.
private struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var remaining: Int { bytes.count - position }

  mutating func byte() throws -> UInt8 {
    guard position < bytes.count else { throw RecordCoding.Damaged() }
    position += 1
    return bytes[position - 1]
  }

  mutating func number() throws -> Int {
    var value = 0
    var shift = 0
    while true {
      let byte = try byte()
      guard shift < 56 else { throw RecordCoding.Damaged() }
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  mutating func text() throws -> UnsafeBufferPointer<UInt8> {
    let length = try number()
    guard length <= remaining else { throw RecordCoding.Damaged() }
    defer { position += length }
    return UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[position..<(position + length)])
  }
}
