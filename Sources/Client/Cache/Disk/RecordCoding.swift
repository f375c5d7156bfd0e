import ApusClientRecords

/// The numbers that a file assigns to field keys and typenames.
struct FileNames {
  /// Names by number, which counts from 1.
  private(set) var names: [String] = [""]
  private var numbers: [String: UInt32] = [:]

  var count: Int { names.count - 1 }

  mutating func add(_ name: String) {
    numbers[name] = UInt32(names.count)
    names.append(name)
  }

  func number(of name: String) -> UInt32? { numbers[name] }
}

/// The encoding of a record in its row's `fields` column.
///
///     row    := count field*  count (name expiry)*  count (name text)*      fields; their own expiry times; notes
///     note   := errors (a JSON list), or the write that took the field's value (a JSON object)
///     field  := name value
///     value  := null | json text | string text | reference key | embedded | list count value* | open list … | gap
///
/// Numbers use seven bits per byte, least significant first. Text is preceded by its length. A name is its number in
/// the file. `embedded` is a reference to the record embedded at this path, whose key is therefore not written out.
///
/// The record `Bird:b42 {"__typename": "Bird", "tags": ["a"]}`, whose names have the numbers 1 and 2, is
/// `2  1 string 4 Bird  2 list 1 string 1 a  0  0`.
enum RecordCoding {
  fileprivate enum Tag: UInt8 {
    case null, json, string, reference, embedded, list, openList, gap
  }

  /// Limits recursion. No response is nested more deeply.
  fileprivate static let maximumListDepth = 1024

  /// Limits the items of all lists in a row: an item takes one byte in the row and sixteen in memory, so a crafted row
  /// could otherwise need sixteen times its size.
  fileprivate static let maximumItemCount = 1 << 25

  struct CorruptionError: Error {}
}

/// An encoder for the rows of one storage.
struct RowEncoder {
  private let storage: StoredRecords
  private let bytes: ByteBuffer
  /// The file's numbers of field keys, by field id; 0 if the number has not been requested yet.
  private var numbers: ContiguousArray<UInt32>
  private let name: (String) throws -> UInt32
  private let key = ByteBuffer(capacity: 256)
  private var positions: ContiguousArray<UInt32> = []
  private var itemCount = 0
  /// Whether the current row exceeds the decoder's limits. Writing it would make a file that cannot be read.
  private var isTooLarge = false

  /// Creates an encoder. `name` returns the number of a name in the file.
  init(_ storage: StoredRecords, into bytes: ByteBuffer, name: @escaping (String) throws -> UInt32) {
    self.storage = storage
    self.bytes = bytes
    self.name = name
    numbers = ContiguousArray(repeating: 0, count: storage.fieldNames.count)
  }

  private mutating func number(_ field: FieldID) throws -> Int {
    let assigned = numbers[Int(field.number)]
    if assigned != 0 { return Int(assigned) }
    let number = try name(storage.fieldNames[field])
    numbers[Int(field.number)] = number
    return Int(number)
  }

  mutating func append(_ id: RecordID) throws {
    let fields = storage.fields(of: id)
    itemCount = 0
    isTooLarge = false
    append(number: fields.count)
    for slot in fields {
      append(number: try number(slot.field))
      append(slot, in: FieldLocation(id, slot.field))
    }
    if isTooLarge {
      throw CacheFileError(
        .unusable, "the lists of the record \(storage.keyText(id)) exceed the limits of a cache file")
    }
    guard !storage.notes.isEmpty || storage.notes.hasTakers else {
      append(number: 0)
      append(number: 0)
      return
    }
    var expiries: [(Int, UInt32)] = []
    for field in fields.map(\.field) {
      if let expires = storage.notes.expiry(id, field) { expiries.append((try number(field), expires)) }
    }
    append(number: expiries.count)
    for (field, expires) in expiries {
      append(number: field)
      append(number: Int(expires))
    }
    let notes = storage.notes.errors(of: id) + storage.notes.takers(of: id)
    append(number: notes.count)
    for note in notes {
      append(number: try number(note.field))
      append(text: note.text)
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

  private mutating func append(_ slot: StoredValue, in place: FieldLocation) {
    switch slot.kind {
    case .null: append(.null)
    case .missing: append(RecordCoding.Tag.gap)
    case .scalar:
      append(slot.isString ? .string : .json)
      let (bytes, encoder) = (bytes, self)
      storage.withText(of: slot) {
        encoder.append(number: $0.count)
        bytes.append($0)
      }
    case .reference:
      if storage.isEmbedded(slot.target, in: place.record, place.field, positions) { return append(.embedded) }
      append(.reference)
      key.cut(to: 0)
      KeyCoding.append(slot.target, of: storage, to: key)
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
        append(storage.item(at: index, of: slot), in: place)
        positions.removeLast()
      }
    }
  }
}

/// A decoder of rows into a storage.
struct RowDecoder {
  private var fields: ContiguousArray<FieldID?> = []
  private var types: ContiguousArray<TypeID?> = []
  private var values: ContiguousArray<StoredValue> = []
  private var positions: ContiguousArray<UInt32> = []
  /// Embedded keys along `positions`, as far as they have been requested.
  private var places: ContiguousArray<RecordID> = []
  /// The number of items that the row's remaining lists may have.
  private var itemsLeft = 0

  /// The columns of a row.
  struct Row {
    let key: UnsafeBufferPointer<UInt8>
    let type: UInt32
    let stamp: UInt32
    let written: UInt32
    let expires: UInt32
    let bytes: UnsafeRawBufferPointer
  }

  private mutating func field(
    _ reader: inout ByteReader, _ names: FileNames, _ storage: inout StoredRecords
  ) throws -> FieldID {
    let number = try reader.number()
    guard number > 0, number <= names.count else { throw RecordCoding.CorruptionError() }
    while fields.count <= names.count { fields.append(nil) }
    let field = fields[number] ?? storage.fieldNames.intern(names.names[number])
    fields[number] = field
    return field
  }

  private mutating func type(_ number: Int, _ names: FileNames, _ storage: inout StoredRecords) throws -> TypeID? {
    if number == 0 { return nil }
    guard number <= names.count else { throw RecordCoding.CorruptionError() }
    while types.count <= names.count { types.append(nil) }
    let type = types[number] ?? storage.typenames.intern(names.names[number])
    types[number] = type
    return type
  }

  /// Adds a record to a storage unless the storage has it.
  mutating func add(_ row: Row, _ names: FileNames, to storage: inout StoredRecords) throws {
    let record = try KeyCoding.intern(checking: row.key, in: &storage)
    guard storage.begin(record, stamp: max(1, row.stamp), time: row.written) else { return }
    storage[record].type = try type(Int(row.type), names, &storage)
    storage[record].expires = row.expires
    var reader = ByteReader(row.bytes)
    values.removeAll(keepingCapacity: true)
    positions.removeAll(keepingCapacity: true)
    itemsLeft = RecordCoding.maximumItemCount
    for _ in 0..<(try reader.number()) {
      let field = try field(&reader, names, &storage)
      places.removeAll(keepingCapacity: true)
      values.append(try value(&reader, in: FieldLocation(record, field), &storage).stored(in: field))
    }
    values.withUnsafeBufferPointer { storage.add($0, to: record) }
    for _ in 0..<(try reader.number()) {
      let field = try field(&reader, names, &storage)
      storage.notes.setExpiry(UInt32(truncatingIfNeeded: try reader.number()), record, field)
    }
    for _ in 0..<(try reader.number()) {
      let field = try field(&reader, names, &storage)
      let text = String(decoding: try reader.text(), as: UTF8.self)
      if text.utf8.first == UInt8(ascii: "{") {
        storage.notes.setTaker(text, record, field)
      } else {
        storage.notes.setError(text, record, field)
      }
    }
  }

  private mutating func value(
    _ reader: inout ByteReader, in place: FieldLocation, _ storage: inout StoredRecords
  ) throws -> StoredValue {
    guard let tag = RecordCoding.Tag(rawValue: try reader.byte()) else { throw RecordCoding.CorruptionError() }
    switch tag {
    case .null: return .null
    case .gap: return .missing
    case .json: return storage.scalar(try reader.text(), isString: false)
    case .string: return storage.scalar(try reader.text(), isString: true)
    case .reference: return .reference(try KeyCoding.intern(checking: try reader.text(), in: &storage))
    case .embedded: return .reference(embedded(in: place, &storage))
    case .list, .openList:
      let count = try reader.number()
      // Each item takes at least one byte, so a corrupt count cannot allocate more than a multiple of the row's size.
      guard count <= reader.remaining, count <= itemsLeft, positions.count < RecordCoding.maximumListDepth else {
        throw RecordCoding.CorruptionError()
      }
      itemsLeft -= count
      var items: [StoredValue] = []
      items.reserveCapacity(count)
      for index in 0..<count {
        positions.append(UInt32(index))
        items.append(try value(&reader, in: place, &storage))
        positions.removeLast()
        if places.count > positions.count + 1 { places.removeLast() }
      }
      return storage.list(items, isOpen: tag == .openList)
    }
  }

  /// Returns the record embedded at the current path. The items of a list share the beginning of the path.
  private mutating func embedded(in place: FieldLocation, _ storage: inout StoredRecords) -> RecordID {
    var last = places.last ?? storage.record(in: place.record, at: .field(place.field))
    if places.isEmpty { places.append(last) }
    while places.count <= positions.count {
      last = storage.record(in: last, at: .index(positions[places.count - 1]))
      places.append(last)
    }
    return last
  }
}

/// A reader of a row's bytes with bounds checks.
private struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var position = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var remaining: Int { bytes.count - position }

  mutating func byte() throws -> UInt8 {
    guard position < bytes.count else { throw RecordCoding.CorruptionError() }
    position += 1
    return bytes[position - 1]
  }

  mutating func number() throws -> Int {
    var value = 0
    var shift = 0
    while true {
      let byte = try byte()
      guard shift < 56 else { throw RecordCoding.CorruptionError() }
      value |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
  }

  mutating func text() throws -> UnsafeBufferPointer<UInt8> {
    let length = try number()
    guard length <= remaining else { throw RecordCoding.CorruptionError() }
    defer { position += length }
    return UnsafeBufferPointer(rebasing: bytes.bindMemory(to: UInt8.self)[position..<(position + length)])
  }
}
