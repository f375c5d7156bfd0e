import ApusClientRecords

/// Records by cache key: a normalized response, or the contents of a cache.
///
/// Copies are cheap, because they share their storage until one of them is changed.
public struct RecordSet: Sendable {
  var storage: StoredRecords
  /// Fields whose values must be merged with existing values.
  var merges: [FieldLocation: PendingMerge] = [:]
  /// The kind of write that the records are for.
  var origin = RecordOrigin.response
  /// The write that the records are for; `nil` for records of no operation.
  var writer: CacheWriter?
  /// The embedded record that the caller identified by its key. It is the same object whatever its fields are.
  var named: RecordID?
  /// Whether a record has several values of a field: pages of one list that will be merged.
  private(set) var repeatsFields = false

  /// Creates an empty set.
  public init() { self.init(keepsReferrers: false) }

  /// Creates an empty set. With `keepsReferrers`, it records the referrers of each record, for `CacheSnapshot.referrers`.
  public init(keepsReferrers: Bool) { storage = StoredRecords(keepsReferrers: keepsReferrers) }

  /// The number of records.
  public var count: Int { storage.recordCount }
  /// Whether the set has no records.
  public var isEmpty: Bool { count == 0 }
  /// Whether the set does not even have keys.
  var isUntouched: Bool { storage.keys.isEmpty }
  /// The byte count of all values, without keys and indexes.
  public var byteCount: Int { storage.byteCount }

  // MARK: Finding

  /// Returns the id of a cache key or of an embedded record's path.
  ///
  /// A string can be both a key and a path if ids contain dots. The one with a record takes precedence.
  func find(_ key: CacheKey) -> RecordID? {
    let stored = storage.find(key.text)
    if let stored, storage.exists(stored) { return stored }
    return findPath(Substring(key.text)) ?? stored
  }

  private func findPath(_ text: Substring) -> RecordID? {
    // The last component can itself contain dots, in the arguments of a field.
    var end = text.endIndex
    while let dot = text[..<end].lastIndex(of: ".") {
      let last = text[text.index(after: dot)...]
      var components: [KeyComponent] = []
      if let field = storage.fieldNames.find(String(last)) { components.append(.field(field)) }
      if let index = UInt32(last), String(index) == last { components.append(.index(index)) }
      if !components.isEmpty, let parent = storage.find(String(text[..<dot])) ?? findPath(text[..<dot]) {
        for component in components {
          if let record = storage.find(in: parent, at: component) { return record }
        }
      }
      end = dot
    }
    return nil
  }

  /// Returns the id of the record with a key, or `nil` if there is none.
  func findRecord(_ key: CacheKey) -> RecordID? { find(key).flatMap { storage.exists($0) ? $0 : nil } }

  /// Returns the record with a key, or `nil` if there is none.
  public subscript(key: CacheKey) -> Record? { findRecord(key).map { storage.record($0) } }

  /// Returns whether there is a record with a key.
  public func contains(_ key: CacheKey) -> Bool { findRecord(key) != nil }

  /// All records, in the order in which their keys were first used.
  public var records: [Record] { storage.existing.map { storage.record($0) } }

  // MARK: Keys

  mutating func intern(_ key: CacheKey) -> RecordID { storage.record(key.text) }

  /// Interns a key with its meaning in a cache, where it may be the path of an embedded record.
  mutating func intern(_ key: CacheKey, knownTo cache: RecordSet?) -> RecordID {
    guard let cache, let findings = cache.findRecord(key) else { return intern(key) }
    return storage.record(findings, of: cache.storage)
  }

  // MARK: Repeated fields

  /// Returns the field for another page of a list that the record already has a page of. Its key ends in a NUL character and
  /// a number, which no other key contains.
  mutating func internRepeated(_ field: FieldID, _ count: Int) -> FieldID {
    repeatsFields = true
    return storage.fieldNames.intern("\(storage.fieldNames[field])\0\(count)")
  }

  /// Returns the original key of a field that may be repeated.
  static func fieldKey(ofRepeated name: String) -> String {
    name.utf8.firstIndex(of: 0).map { String(name[..<$0]) } ?? name
  }
}
