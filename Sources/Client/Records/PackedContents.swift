/// The contents of packed records. Keys, fields, text and references are in a few paged stores instead of one object each.
///
/// `Sendable` although it is mutable: only `PackedRecords` changes contents, and it first copies contents that another
/// storage refers to (`isKnownUniquelyReferenced`). Contents that another thread can reach are therefore only read.
@usableFromInline
final class PackedContents: @unchecked Sendable {
  @usableFromInline @exclusivity(unchecked) var headers = PagedArray<RecordHeader>()
  @exclusivity(unchecked) private var index = KeyIndex()
  @exclusivity(unchecked) private var freeHeaders: [RecordID] = []
  @usableFromInline @exclusivity(unchecked)
  var values = RunArena<PackedValue>(smallestRun: 2, largestPage: 4096, filler: .null)
  @usableFromInline @exclusivity(unchecked)
  var texts = RunArena<UInt8>(smallestRun: 8, largestPage: 1 << 16, filler: 0)
  @usableFromInline @exclusivity(unchecked) var fieldNames = InternedNames<FieldID>()
  @usableFromInline @exclusivity(unchecked) var typenames = InternedNames<TypeID>()
  @usableFromInline @exclusivity(unchecked) var recordCount = 0
  @usableFromInline @exclusivity(unchecked) var byteCount = 0
  @usableFromInline @exclusivity(unchecked) var notes = FieldNotes()

  // References, used only if the storage keeps referrers.
  @usableFromInline @exclusivity(unchecked) var keepsReferrers: Bool
  @exclusivity(unchecked) var edges = PagedArray<ReferenceEdge>()
  @exclusivity(unchecked) var freeEdges: [UInt32] = []
  @usableFromInline @exclusivity(unchecked) var unreferenced: [RecordID] = []

  init(copying other: PackedContents) {
    (headers, index, freeHeaders) = (other.headers, other.index, other.freeHeaders)
    (values, texts, fieldNames, typenames) = (other.values, other.texts, other.fieldNames, other.typenames)
    (recordCount, byteCount, notes) = (other.recordCount, other.byteCount, other.notes)
    (keepsReferrers, edges, freeEdges) = (other.keepsReferrers, other.edges, other.freeEdges)
    unreferenced = other.unreferenced
  }

  init(keepsReferrers: Bool) { self.keepsReferrers = keepsReferrers }

  // MARK: Keys

  @inlinable
  var keys: RecordIDs { RecordIDs(count: headers.count) }

  func reserve(keys: Int) { index.reserve(min(keys, 1 << 16)) }

  func find(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID? {
    index.find(hash: hash) { number in
      let header = headers[number]
      guard header.hash == hash, !header.isPath, header.textLength == key.count else { return false }
      return bytesAreEqual(texts.run(header.text, count: header.textLength), key)
    }.map(RecordID.init(number:))
  }

  func find(in parent: RecordID, at component: KeyComponent) -> RecordID? {
    find(in: parent, at: component, hash: hash(in: parent, at: component))
  }

  private func find(in parent: RecordID, at component: KeyComponent, hash: UInt64) -> RecordID? {
    index.find(hash: hash) { number in headers[number].hash == hash && headers[number].isPath(parent, component) }
      .map(RecordID.init(number:))
  }

  private func hash(in parent: RecordID, at component: KeyComponent) -> UInt64 {
    KeyHash.combine(hash(of: parent), component.hash(in: fieldNames))
  }

  func record(_ key: UnsafeBufferPointer<UInt8>, hash: UInt64) -> RecordID {
    find(key, hash: hash) ?? add(RecordHeader(hash: hash, text: texts.store(key), length: key.count))
  }

  func record(in parent: RecordID, at component: KeyComponent) -> RecordID {
    let hash = hash(in: parent, at: component)
    if let record = find(in: parent, at: component, hash: hash) { return record }
    headers[parent].uses += 1
    return add(RecordHeader(hash: hash, parent: parent, component: component))
  }

  private func add(_ header: RecordHeader) -> RecordID {
    let record: RecordID
    if let free = freeHeaders.popLast() {
      record = free
      headers[record] = header
    } else {
      record = RecordID(number: UInt32(headers.count))
      headers.append(header)
    }
    index.insert(hash: header.hash, number: record.number)
    return record
  }

  @inlinable
  func path(of record: RecordID) -> RecordPath? {
    let header = headers[record]
    return header.isPath ? header.path : nil
  }

  @inlinable
  func withKey<Result>(of record: RecordID, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    let header = headers[record]
    return body(texts.run(header.text, count: header.isPath ? 0 : header.textLength))
  }

  @inlinable
  func hash(of record: RecordID) -> UInt64 { headers[record].hash }

  func removeUnusedKeys() {
    var candidates = unreferenced
    unreferenced = []
    // If many keys are unused, rebuilding the index once is faster than removing each of them.
    let areMany = candidates.count > headers.count / 16
    var removed = areMany ? RecordMarks(for: keys) : nil
    while let record = candidates.popLast() {
      let header = headers[record]
      guard header.uses == 0, header.hash != 0 else { continue }
      if removed == nil { index.remove(hash: header.hash, number: record.number) } else { removed?.insert(record) }
      if header.isPath {
        headers[header.path.parent].uses -= 1
        candidates.append(header.path.parent)
      } else {
        texts.release(header.text, count: header.textLength)
      }
      headers[record] = .free
      freeHeaders.append(record)
    }
    if let removed { index.removeAll { removed.contains(RecordID(number: $0)) } }
  }

  // MARK: Records

  @inlinable
  func exists(_ record: RecordID) -> Bool { headers[record].exists }

  @usableFromInline
  subscript(record: RecordID) -> RecordInfo {
    @inlinable get { headers[record].info }
    set { headers[record].info = newValue }
  }

  @inlinable
  func byteCount(of record: RecordID) -> Int { Int(headers[record].size) }

  func begin(_ record: RecordID, stamp: UInt32, time: UInt32) -> Bool {
    guard !headers[record].exists else { return false }
    headers[record].begin(stamp: stamp, time: time)
    recordCount += 1
    return true
  }

  func remove(_ record: RecordID) {
    let header = headers[record]
    let count = Int(header.fieldCount)
    for index in 0..<count {
      let value = values.element(header.fields, index)
      if !notes.isEmpty { notes.drop(record, value.field) }
      release(value)
    }
    notes.dropErrors(of: record)
    if count > 0 { values.release(header.fields, count: count) }
    headers[record].forgetRecord()
    byteCount -= Int(header.size)
    recordCount -= 1
    unreferenced.append(record)
  }

  // MARK: Fields

  @inlinable
  func fieldCount(of record: RecordID) -> Int { Int(headers[record].fieldCount) }

  @inlinable
  func field(at index: Int, of record: RecordID) -> PackedValue {
    values.element(headers[record].fields, index)
  }

  @inlinable
  func index(of field: FieldID, in record: RecordID, near hint: Int) -> Int? {
    let header = headers[record]
    let count = Int(header.fieldCount)
    if count == 0 { return nil }
    let fields = values.run(header.fields, count: count)
    if hint < count, fields[hint].field == field { return hint }
    for index in 0..<count where fields[index].field == field { return index }
    return nil
  }

  func add(_ fields: UnsafeBufferPointer<PackedValue>, to record: RecordID) {
    guard !fields.isEmpty else { return }
    let first = makeRoom(for: fields.count, in: record)
    guard let source = fields.baseAddress else { return }
    let places = values.writable(headers[record].fields) + first
    places.update(from: source, count: fields.count)
    if keepsReferrers { resize(record, by: insertReferences(places, count: fields.count, of: record, field: nil)) }
  }

  /// Allocates memory for more fields of a record, and returns the previous number of fields.
  private func makeRoom(for added: Int, in record: RecordID) -> Int {
    var header = headers[record]
    let count = Int(header.fieldCount)
    if count == 0 {
      header.fields = values.allocate(added)
    } else if values.capacity(for: count) < count + added {
      moveFields(of: &header, count, to: values.allocate(count + added))
    }
    header.fieldCount += UInt32(added)
    headers[record] = header
    return count
  }

  private func moveFields(of header: inout RecordHeader, _ count: Int, to run: ArenaRun) {
    for index in 0..<count { values.set(run, index, values.element(header.fields, index)) }
    values.release(header.fields, count: Int(header.fieldCount))
    header.fields = run
  }

  func replaceField(at index: Int, of record: RecordID, by value: PackedValue) {
    let old = values.element(headers[record].fields, index)
    let place = values.writable(headers[record].fields) + index
    place.pointee = value
    // Link the new value before the old one is released: a record that both refer to must not lose its last reference.
    if keepsReferrers {
      resize(record, by: insertReferences(place, count: 1, of: record, field: nil) - byteCount(of: old))
    }
    release(old)
  }

  func removeField(at index: Int, of record: RecordID) {
    var header = headers[record]
    let count = Int(header.fieldCount)
    let old = values.element(header.fields, index)
    for index in index..<(count - 1) { values.set(header.fields, index, values.element(header.fields, index + 1)) }
    if count == 1 {
      values.release(header.fields, count: 1)
    } else if values.capacity(for: count) != values.capacity(for: count - 1) {
      moveFields(of: &header, count - 1, to: values.allocate(count - 1))
    }
    header.fieldCount -= 1
    headers[record] = header
    if keepsReferrers { resize(record, by: -byteCount(of: old)) }
    release(old)
    notes.drop(record, old.field)
  }

  private func resize(_ record: RecordID, by bytes: Int) {
    headers[record].size = UInt32(clamping: Int(headers[record].size) + bytes)
    byteCount += bytes
  }
}

extension KeyComponent {
  package func hash(in names: InternedNames<FieldID>) -> UInt64 {
    switch self {
    case .field(let field): names.hash(of: field)
    case .index(let index): KeyHash.ofIndex(index)
    }
  }
}
