import ApusClientRecords
import ApusSQLite

/// A normalized cache in an SQLite file, which several processes can open at the same time.
///
/// - Each change is one transaction, so the file is consistent after a crash at any time.
/// - A read executes one query per level of the operation, not one per record.
/// - With a `memoryLimit`, up to that many bytes of used records stay in memory. Writes by other processes are detected
///   and discard them.
/// - A damaged file is renamed and replaced by a new one. `notices` reports this.
public actor SQLiteNormalizedCache: NormalizedCache {
  /// The path of the file.
  public nonisolated let path: String
  private let isReadOnly: Bool
  private let memoryLimit: Int
  private var file: RecordFile
  private var image = LoadedRecords()
  private var uses = RecordUsageLog()
  /// Changes by other processes that have not been returned by `externalChanges()` yet.
  private var unreportedChanges: [ChangedKeys] = []
  /// Messages about damaged files that were replaced, one line each.
  public private(set) var notices: [String] = []

  /// Opens a cache file, or creates it if it does not exist.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - memoryLimit: The maximum size in bytes of the records that stay in memory between calls; 0 keeps none.
  ///   - isReadOnly: Whether the file is opened for reading only. It must exist then.
  /// - Throws: `CacheFileError` if the file is not a cache (`unrecognized`), has another format version
  ///   (`unsupportedVersion`), is locked (`busy`), or cannot be opened (`unusable`); `corrupt` if the file is damaged
  ///   and is read-only or cannot be replaced. A pipe, a link to a missing or empty file, and a file with a rollback
  ///   journal beside it are `unusable`.
  public init(path: String, memoryLimit: Int = 0, isReadOnly: Bool = false) throws {
    self.path = path
    self.memoryLimit = memoryLimit
    self.isReadOnly = isReadOnly
    do {
      file = try RecordFile(path: path, isReadOnly: isReadOnly)
    } catch let error as SQLiteError where error.kind == .damaged && !isReadOnly {
      notices.append(Self.notice(path, try RecordFile.moveAside(path)))
      file = try Self.naming(path) { try RecordFile(path: path, isReadOnly: false) }
    } catch {
      throw Self.named(error, path)
    }
  }

  /// Whether other processes can write to the file. Always true.
  public nonisolated var isShared: Bool { true }

  /// A stream with an element after each write to the file by any process. Elements can be spurious.
  public nonisolated var writes: AsyncStream<Void> {
    // SQLite writes beside the target of a link.
    FileChangeMonitor.stream(of: (try? DatabaseFile(path))?.path ?? path)
  }

  /// Returns a set with at least the records that a request can reach, using one query per level of the operation.
  ///
  /// - Throws: `CacheFileError`: `busy` if other processes keep the file locked, `corrupt` if a read-only file cannot
  ///   be read, `unusable` if the system reports another error.
  public func records(for request: RecordRequest) throws -> RecordSet {
    try use { file, image in
      try image.load(request, from: file)
      return image.set
    }
  }

  /// Returns a snapshot of all records, which loads them into memory.
  ///
  /// - Throws: `CacheFileError`; see `records(for:)`.
  public func snapshot() throws -> CacheSnapshot {
    try use { file, image in
      try image.loadAll(from: file)
      return CacheSnapshot(image.set, number: file.change)
    }
  }

  /// Applies mutations in one transaction.
  ///
  /// - Throws: `CacheFileError`; see `records(for:)`. The kind is `unusable` if the disk is full. No mutation is
  ///   applied then.
  public func apply(_ mutations: [CacheMutation], at time: UInt32) throws -> ChangedKeys {
    try use(isWriting: true) { file, image in try Self.make(mutations, at: time, in: file, &image) }
  }

  /// Applies mutations that depend on the records of the file, in one transaction. Other processes wait until it ends.
  ///
  /// - Throws: The error of `body`, or `CacheFileError`; see `apply(_:at:)`. Nothing is changed then.
  public func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) throws -> ChangedKeys {
    try use(isWriting: true) { file, image in
      let mutations = try Self.steps(of: body, at: time, in: file, &image)
      return mutations.isEmpty ? ChangedKeys() : try Self.make(mutations, at: time, in: file, &image)
    }
  }

  /// Applies the steps in a savepoint while `body` reads, so that it does not see removed records, and then rolls them
  /// back.
  private static func steps(
    of body: (_ records: RecordLookup) throws -> [CacheMutation], at time: UInt32,
    in file: RecordFile, _ image: inout LoadedRecords
  ) throws -> [CacheMutation] {
    var draft: LoadedRecords?
    var made = 0
    let mutations = try body { request, steps in
      guard !steps.isEmpty else {
        try image.load(request, from: file)
        return image.set
      }
      if draft == nil { try file.beginSavepoint() }
      var records = draft ?? image
      draft = nil
      if steps.count > made { _ = try make(Array(steps[made...]), at: time, in: file, &records) }
      made = steps.count
      try records.load(request, from: file)
      draft = records
      return records.set
    }
    if draft != nil { try file.endDraft() }
    return mutations
  }

  private static func make(
    _ mutations: [CacheMutation], at time: UInt32, in file: RecordFile, _ image: inout LoadedRecords
  ) throws -> ChangedKeys {
    try image.prepare(mutations, from: file)
    let before = image.size
    let changeStamp = ChangeStamp(stamp: UInt32(truncatingIfNeeded: file.change + 1), time: time)
    let changed = image.apply(mutations, changeStamp)
    if changed.isEverything {
      try file.removeAll()
      try file.save(image.set.storage.existing, of: image.set.storage, isEverything: true)
      try file.saveState(recordCount: image.set.count, byteCount: image.set.byteCount)
    } else if let names = changed.names, !changed.staleRows.isEmpty {
      try file.save(changed.staleRows, of: names)
      try file.saveState(grown: image.size, from: before)
    }
    return changed
  }

  /// Returns the byte count of all values, without keys and indexes.
  ///
  /// - Throws: `CacheFileError`; see `records(for:)`.
  public func byteCount() throws -> Int {
    try use { file, image in
      if let count = file.byteCount { return count }
      try image.loadAll(from: file)
      return image.set.byteCount
    }
  }

  public func recordUse(_ use: RecordUse) { uses.record(use, after: UInt32(truncatingIfNeeded: file.change)) }

  /// Removes the least recently used records until the values have at most `limit` bytes.
  ///
  /// - Throws: `CacheFileError`; see `apply(_:at:)`.
  public func trim(to limit: Int, keeping requests: [RecordRequest]) throws -> ChangedKeys {
    try use(isWriting: true) { file, image in
      try image.loadAll(from: file)
      let before = image.size
      let (changed, used) = image.trim(to: limit, keeping: requests, uses)
      guard let names = changed.names, !changed.staleRows.isEmpty else { return changed }
      try file.save(changed.staleRows + used, of: names)
      try file.saveState(grown: image.size, from: before)
      uses.keepOnly(image.set)
      return changed
    }
  }

  /// Returns the changes by other processes since the last call. After a damaged file was replaced, the change covers
  /// everything.
  ///
  /// - Throws: `CacheFileError`; see `records(for:)`.
  public func externalChanges() throws -> [ChangedKeys] {
    try use { _, _ in }
    defer { unreportedChanges = [] }
    return unreportedChanges
  }

  /// Runs `body` in one transaction on the current file. If it fails, its changes are undone in the file and in memory.
  /// If the file is damaged, it is replaced and `body` runs again.
  private func use<Result>(
    isWriting: Bool = false, _ body: (RecordFile, inout LoadedRecords) throws -> Result
  ) throws -> Result {
    defer { if image.set.byteCount > memoryLimit || memoryLimit == 0 { image = LoadedRecords() } }
    do {
      return try work(isWriting, body)
    } catch let error as SQLiteError where error.kind == .damaged && !isReadOnly {
      file.rollback()
      image = LoadedRecords()
      if file.isAtItsPath { notices.append(Self.notice(path, try RecordFile.moveAside(path))) }
      return try Self.naming(path) {
        file = try RecordFile(path: path, isReadOnly: false)
        unreportedChanges.append(.everything(of: StoredRecords(keepsReferrers: true)))
        return try work(isWriting, body)
      }
    } catch {
      file.rollback()
      image = LoadedRecords()
      throw Self.named(error, path)
    }
  }

  private func work<Result>(
    _ isWriting: Bool, _ body: (RecordFile, inout LoadedRecords) throws -> Result
  ) throws -> Result {
    try isWriting ? file.beginWriting() : file.beginReading()
    switch try file.externalChanges() {
    case nil: break
    case .keys(let keys):
      image = LoadedRecords()
      unreportedChanges.append(ChangedKeys(externalKeys: keys))
    case .everything:
      image = LoadedRecords()
      unreportedChanges.append(.everything(of: StoredRecords(keepsReferrers: true)))
    }
    let result = try body(file, &image)
    try file.commit()
    return result
  }

  private static func notice(_ path: String, _ target: String) -> String {
    "the cache file \(path) was damaged; it was renamed to \(target) and replaced"
  }

  private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw named(error, path) }
  }

  private static func named(_ error: any Error, _ path: String) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    switch error.kind {
    case .busy: return CacheFileError(.busy, "the cache file \(path) is locked by another program; try again")
    case .full: return CacheFileError(.unusable, "the disk is too full to write the cache file \(path)")
    case .damaged: return CacheFileError(.corrupt, "the cache file \(path) is damaged: \(error.message)")
    case .refused, .unrecognized, .other:
      return CacheFileError(.unusable, "the cache file \(path) cannot be used: \(error.message)")
    }
  }
}
