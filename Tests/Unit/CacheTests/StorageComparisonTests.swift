import ApusClientRecords
import ApusDictionaryRecords
import ApusTestSupport
import Testing

/// The packed storage and the storage of dictionaries have equal records after the same operations.
struct StorageComparisonTests {
  @Test(arguments: 1...12) func `both storages have equal records after the same operations`(seed: UInt64) {
    let keepsReferrers = seed % 3 != 0
    var packed = StorageScript<PackedRecords>(seed: seed, keepsReferrers: keepsReferrers)
    var plain = StorageScript<DictionaryRecords>(seed: seed, keepsReferrers: keepsReferrers)
    for step in 1...30 {
      packed.run(operations: 40)
      plain.run(operations: 40)
      #expect(packed.description == plain.description, "after \(step * 40) operations")
      if packed.description != plain.description { return }
    }
  }
}

/// Random operations on a storage, which are the same for each kind of storage.
private struct StorageScript<Storage: RecordStorage>: CustomStringConvertible {
  private var random: SplitMix
  private var storage: Storage
  /// A copy of the storage, and its description at the time of the copy.
  private var copy: (storage: Storage, description: String)?

  init(seed: UInt64, keepsReferrers: Bool) {
    random = SplitMix(seed: seed)
    storage = Storage(keepsReferrers: keepsReferrers)
  }

  mutating func run(operations: Int) {
    for _ in 0..<operations { runOne() }
    if storage.keepsReferrers { storage.removeUnusedKeys() } else { storage.keepReferrers(stamp: 9, time: 9) }
  }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }

  private mutating func runOne() {
    let record = randomRecord()
    let (operation, name) = (number(12), number(6))
    let field = storage.fieldNames.intern("field\(name)")
    guard storage.exists(record) else {
      storage[record].type = storage.typenames.intern("Type\(name)")
      _ = storage.begin(record, stamp: 1, time: 2)
      return
    }
    let index = storage.index(of: field, in: record, near: operation)
    switch operation {
    case 0: storage.remove(record)
    case 1: copy = (storage, Self.describe(storage))
    case 2: if index != nil { storage.notes.setExpiry(UInt32(name), record, field) }
    case 3: if let index { storage.removeField(at: index, of: record) }
    case 4:
      let other = randomRecord()
      guard let index, storage.exists(other) else { return }
      let value = storage.copy(storage.field(at: index, of: record))
      set(value.stored(in: field), in: other)
    case 5:
      let value = randomValue(depth: 2)
      storage.discard(value)
    default:
      let value = randomValue(depth: 0)
      set(value.stored(in: field), in: record)
    }
  }

  private mutating func set(_ value: Storage.Value, in record: RecordID) {
    if let index = storage.index(of: value.field, in: record, near: 0) {
      storage.replaceField(at: index, of: record, by: value)
    } else {
      withUnsafePointer(to: value) { storage.add(UnsafeBufferPointer(start: $0, count: 1), to: record) }
    }
  }

  private mutating func randomRecord() -> RecordID {
    let key = Array("Key:\(number(12))".utf8)
    var record = key.withUnsafeBufferPointer { storage.record($0, hash: KeyHash.of(UnsafeRawBufferPointer($0))) }
    for _ in 0..<number(3) {
      let position = UInt32(number(2))
      let component: KeyComponent =
        number(2) == 0 ? .index(position) : .field(storage.fieldNames.intern("field\(position)"))
      record = storage.record(in: record, at: component)
    }
    // A key without uses is removed at the end.
    storage.unreferenced.append(record)
    return record
  }

  private mutating func randomValue(depth: Int) -> Storage.Value {
    switch number(depth > 2 ? 5 : 6) {
    case 0: return .null
    case 1: return .missing
    case 2, 3:
      let length = [0, 7, 8, 9, 40, 300, 20_000, 70_000][number(8)]
      let text = (0..<length).map { UInt8(ascii: "a") &+ UInt8(truncatingIfNeeded: $0 % 26) }
      let isString = number(2) == 0
      return text.withUnsafeBufferPointer { storage.scalar($0, isString: isString) }
    case 4: return .reference(randomRecord())
    default:
      let items = (0..<number(5)).map { _ in randomValue(depth: depth + 1) }
      let isOpen = number(2) == 0
      return items.withUnsafeBufferPointer { storage.list($0, isOpen: isOpen) }
    }
  }

  // MARK: Description

  var description: String {
    let isUnchanged = copy.map { Self.describe($0.storage) == $0.description } ?? true
    return Self.describe(storage) + (isUnchanged ? "" : "\nThe copy has changed.")
  }

  private static func describe(_ storage: Storage) -> String {
    let records = storage.keys.filter { storage.exists($0) }.map { record in
      let fields = (0..<storage.fieldCount(of: record)).map { index in
        let value = storage.field(at: index, of: record)
        let expiry = storage.notes.expiry(record, value.field).map { " until \($0)" } ?? ""
        return "\(storage.fieldNames[value.field]): \(describe(value, storage))\(expiry)"
      }
      var referrers: [String] = []
      storage.forEachReferrer(of: record) { place in
        referrers.append("\(key(place.record, storage)).\(storage.fieldNames[place.field])")
        return true
      }
      let info = storage[record]
      let type = info.type.map { storage.typenames[$0] } ?? "no type"
      return """
        \(key(record, storage)) \(type) \(info.stamp) \(info.written) \(storage.byteCount(of: record)) bytes
          fields: \(fields.joined(separator: ", "))
          referrers \(storage.referrerCount(of: record)): \(referrers.joined(separator: ", "))
        """
    }
    return "\(storage.recordCount) records, \(storage.byteCount) bytes\n" + records.sorted().joined(separator: "\n")
  }

  private static func describe(_ value: Storage.Value, _ storage: Storage) -> String {
    switch value.kind {
    case .null: "null"
    case .missing: "missing"
    case .reference: "-> \(key(value.target, storage))"
    case .scalar:
      storage.withText(of: value) { text in
        "\(value.isString) \(text.count) \(String(decoding: text.prefix(9), as: UTF8.self))"
      }
    case .list:
      "[\(value.isOpen) "
        + (0..<value.count).map { describe(storage.item(at: $0, of: value), storage) }.joined(separator: ", ") + "]"
    }
  }

  private static func key(_ record: RecordID, _ storage: Storage) -> String {
    guard let path = storage.path(of: record) else {
      return storage.withKey(of: record) { String(decoding: $0, as: UTF8.self) }
    }
    let component =
      switch path.component {
      case .field(let field): storage.fieldNames[field]
      case .index(let index): String(index)
      }
    return "\(key(path.parent, storage)).\(component)"
  }
}
