import ApusClientRecords

/// Records by their keys: the result of normalizing a response, and the contents of a cache.
///
/// A copy is cheap (the two share their storage until one is written to) and stays as it was.
public struct RecordSet: Sendable {
  var storage: StoredRecords
  /// Fields whose value joins the one that is there.
  var merges: [FieldPlace: PendingMerge] = [:]
  /// The embedded record that the writer named: the same object, whatever it is written with.
  var named: RecordID?
  /// Whether a record has several values for one field, pages of one list that the stored list is joined with.
  private(set) var repeatsFields = false

  /// An empty set.
  public init() { self.init(keepsReferrers: false) }

  /// An empty set. With `keepsReferrers` it knows for each record who refers to it: `CacheSnapshot.referrers` returns that.
  public init(keepsReferrers: Bool) { storage = StoredRecords(keepsReferrers: keepsReferrers) }

  /// The number of records.
  public var count: Int { storage.recordCount }
  /// Whether there is no record.
  public var isEmpty: Bool { count == 0 }
  /// Whether there is not even a key.
  var isUntouched: Bool { storage.keys.isEmpty }
  /// The bytes of all values, without keys and indices.
  public var byteCount: Int { storage.byteCount }

  // MARK: Finding

  /// The id of a key, of an object with a key or of an embedded one.
  ///
  /// A text may be both a key and a path, where ids have dots in them; the one with a record comes first.
  func find(_ key: CacheKey) -> RecordID? {
    let own = storage.find(key.text)
    if let own, storage.exists(own) { return own }
    return findPath(Substring(key.text)) ?? own
  }

  private func findPath(_ text: Substring) -> RecordID? {
    // The last component of a path may itself have dots, in the arguments of a field.
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

  /// The id of the record under a key; `nil` when there is none.
  func findRecord(_ key: CacheKey) -> RecordID? { find(key).flatMap { storage.exists($0) ? $0 : nil } }

  /// The record under a key; `nil` when there is none.
  public subscript(key: CacheKey) -> Record? { findRecord(key).map { storage.record($0) } }

  /// Whether there is a record under a key.
  public func contains(_ key: CacheKey) -> Bool { findRecord(key) != nil }

  /// All records, in the order in which their keys were first met.
  public var records: [Record] { storage.existing.map { storage.record($0) } }

  // MARK: Keys

  mutating func intern(_ key: CacheKey) -> RecordID { storage.record(key.text) }

  /// Interns a key as a cache knows it: the same text may be a key, or the path of an embedded record.
  mutating func intern(_ key: CacheKey, knownTo cache: RecordSet?) -> RecordID {
    guard let cache, let known = cache.findRecord(key) else { return intern(key) }
    return storage.record(known, of: cache.storage)
  }

  // MARK: A field more than once

  /// The field for another page of a list, where the record has one already: its key ends in a NUL and a number, as no other
  /// key does.
  mutating func internRepeated(_ field: FieldID, _ count: Int) -> FieldID {
    repeatsFields = true
    return storage.fieldNames.intern("\(storage.fieldNames[field])\0\(count)")
  }

  /// The key of the field for a name.
  static func fieldKey(ofRepeated name: String) -> String {
    name.utf8.firstIndex(of: 0).map { String(name[..<$0]) } ?? name
  }
}
