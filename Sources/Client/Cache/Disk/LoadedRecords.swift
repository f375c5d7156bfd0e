import ApusClientOperation
import ApusClientRecords

/// The records of a file that are in memory. They are never ahead of the file, so they can be discarded at any time.
///
/// A key in memory has a record, is known to be absent from the file, or has not been loaded. Before a read or change, the
/// records that it needs are loaded level by level, with one query per level.
struct LoadedRecords {
  private(set) var set = RecordSet(keepsReferrers: true)
  /// Whether all records of the file are loaded.
  private(set) var isWhole = false
  private var decoder = RowDecoder()
  private let wantedBytes = ByteBuffer(capacity: 4096)

  /// Applies a change to the loaded records.
  mutating func apply(_ mutations: [CacheMutation], _ changeStamp: ChangeStamp) -> ChangedKeys {
    set.apply(mutations, changeStamp)
  }

  /// Removes the least recently used records. Also returns the records whose rows have an outdated time of last use.
  /// Requires all records to be loaded.
  mutating func trim(
    to limit: Int, keeping requests: [RecordRequest], _ uses: RecordUsageLog
  ) -> (changed: ChangedKeys, used: [RecordID]) {
    guard set.byteCount > limit else { return (ChangedKeys(), []) }
    var used: [RecordID] = []
    for id in set.storage.existing {
      let change = uses.change(of: id, in: set.storage)
      guard change > set.storage[id].stamp else { continue }
      set.storage[id].stamp = change
      used.append(id)
    }
    let changed = set.trim(to: limit, keeping: requests, uses)
    guard let names = changed.names else { return (changed, []) }
    return (changed, used.filter { names.exists($0) })
  }

  /// The number of loaded records and the byte count of their values.
  var size: ImageSize { ImageSize(records: set.count, bytes: set.byteCount) }

  private func isKnown(_ id: RecordID) -> Bool {
    isWhole || set.storage.exists(id) || set.storage[id].isKnownAbsent
  }

  // MARK: Loading

  mutating func loadAll(from file: RecordFile) throws {
    guard !isWhole else { return }
    if file.recordCount > 0 { try file.loadAll(&decoder, into: &set) }
    isWhole = true
  }

  private mutating func load(_ ids: [RecordID], from file: RecordFile) throws {
    guard !isWhole, !ids.isEmpty else { return }
    if file.recordCount == 0 {
      isWhole = true
      return
    }
    var seen: Set<RecordID> = []
    let unknown = ids.filter { !isKnown($0) && seen.insert($0).inserted }
    guard !unknown.isEmpty else { return }
    wantedBytes.cut(to: 0)
    wantedBytes.append(UInt8(ascii: "["))
    let key = ByteBuffer(capacity: 256)
    for id in unknown {
      if wantedBytes.count > 1 { wantedBytes.append(UInt8(ascii: ",")) }
      key.cut(to: 0)
      KeyCoding.append(id, of: set.storage, to: key)
      key.withBytes { wantedBytes.appendJSONString($0) }
    }
    wantedBytes.append(UInt8(ascii: "]"))
    isWhole = try file.load(wantedBytes, count: unknown.count, &decoder, into: &set)
    for id in unknown where !set.storage.exists(id) { set.storage[id].isKnownAbsent = true }
  }

  /// Loads all records that a request can reach.
  mutating func load(_ request: RecordRequest, from file: RecordFile) throws {
    // The key may be the text of an embedded record's path.
    if request.isFragment, !isWhole { try prepare(request.root, from: file) }
    var walk = RecordWalk(request, in: &set)
    while !isWhole, !walk.frontier.isEmpty {
      try load(walk.frontier.map(\.record), from: file)
      walk.advance(in: &set)
    }
  }

  // MARK: Preparing changes

  /// Loads the records that a change needs: those that it changes, and those embedded in values that it removes.
  mutating func prepare(_ mutations: [CacheMutation], from file: RecordFile) throws {
    for mutation in mutations {
      if isWhole { return }
      switch mutation {
      case .merge(let records): try prepare(records, from: file)
      case .modify(let key, _), .removeField(let key, _): try prepare(key, from: file)
      case .removeRecord(let key, cascading: false): try prepare(key, from: file)
      // Finding referrers and pattern matches requires the whole file.
      case .removeRecord, .removeRecords, .collect, .removeAll: try loadAll(from: file)
      }
    }
  }

  private mutating func prepare(_ records: RecordSet, from file: RecordFile) throws {
    let merge = RecordMerge(records, into: &set, changeStamp: ChangeStamp(stamp: 0, time: 0))
    try load(Array(merge.records.all), from: file)
    var taken: [RecordID] = []
    // Keyed records that an object without a key takes the place of.
    var replaced: [RecordID] = []
    for number in records.storage.keys {
      let id = merge.records[number]
      guard records.storage.exists(number), set.storage.exists(id) else { continue }
      let values = records.storage.fields(of: number)
      for value in values where records.storage.isEmbedded(inFirstItemOf: value) {
        guard let old = set.storage.value(of: merge.fields[value.field], in: id) else { continue }
        set.storage.forEachTarget(of: old) { if !set.storage.isEmbedded($0) { replaced.append($0) } }
      }
      // An embedded record can be replaced completely by another object.
      if records.storage.isEmbedded(number) {
        taken += set.storage.targets(of: id)
        continue
      }
      for field in values.map(\.field) + records.storage.notes.errors(of: number).map(\.field) {
        guard let value = set.storage.value(of: merge.fields[field], in: id) else { continue }
        set.storage.forEachTarget(of: value) { taken.append($0) }
      }
      for page in merge.pages(of: number, in: set.storage) { set.storage.forEachTarget(of: page) { taken.append($0) } }
    }
    try load(replaced, from: file)
    try loadEmbedded(taken, from: file)
  }

  private mutating func prepare(_ key: CacheKey, from file: RecordFile) throws {
    var ids: [RecordID] = []
    for candidate in KeyCoding.candidates(key.text) {
      ids.append(candidate.withUnsafeBufferPointer { KeyCoding.intern($0, in: &set.storage) })
    }
    try load(ids, from: file)
    // Remove the keys of candidates that do not exist.
    set.storage.unreferenced += ids.filter { !set.storage.exists($0) }
    ids.removeAll { !set.storage.exists($0) }
    set.storage.removeUnusedKeys()
    try loadEmbedded(ids.flatMap { set.storage.targets(of: $0) }, from: file)
  }

  /// Loads the embedded records among `ids`, and recursively those embedded in them.
  private mutating func loadEmbedded(_ ids: [RecordID], from file: RecordFile) throws {
    var ids = ids.filter { set.storage.isEmbedded($0) }
    var seen = Set(ids)
    while !ids.isEmpty, !isWhole {
      try load(ids, from: file)
      ids = ids.flatMap { set.storage.targets(of: $0) }.filter {
        set.storage.isEmbedded($0) && seen.insert($0).inserted
      }
    }
  }
}

struct ImageSize {
  let records: Int
  let bytes: Int
}

extension RecordFile {
  /// Updates the file's record and byte counts by the change of the loaded part.
  func saveState(grown now: ImageSize, from before: ImageSize) throws {
    try saveState(
      recordCount: recordCount + now.records - before.records,
      byteCount: byteCount.map { $0 + now.bytes - before.bytes })
  }
}

extension ByteBuffer {
  /// Appends bytes as a JSON string. Of the characters that need escapes, keys can contain only quotes, backslashes and
  /// control characters.
  fileprivate func appendJSONString(_ bytes: UnsafeBufferPointer<UInt8>) {
    append(UInt8(ascii: "\""))
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"):
        append(UInt8(ascii: "\\"))
        append(byte)
      case 0..<0x20:
        for digit in "\\u00".utf8 { append(digit) }
        append(byte < 0x10 ? 0x30 : 0x31)
        append(Array("0123456789abcdef".utf8)[Int(byte & 0xF)])
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
