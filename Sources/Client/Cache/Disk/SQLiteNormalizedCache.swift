import ApusClientRecords
import ApusSQLite

/// The cache that keeps its records in an SQLite file, which several processes may have open at once.
///
/// - A change is one transaction of the file: after a kill at any moment the file holds a whole number of them.
/// - Nothing is asked for a record at a time: a read takes one query for each level of the operation.
/// - With a `memoryLimit` the records that were used stay in memory, up to that many bytes, in front of the file: the
///   chain of memory over disk. What others write to the file is noticed and drops them.
/// - A damaged file is moved aside and a new one begun; `notices` tells of it.
public actor SQLiteNormalizedCache: NormalizedCache {
  /// Where the file is.
  public nonisolated let path: String
  private let isReadOnly: Bool
  private let memoryLimit: Int
  private var file: RecordFile
  private var image = FileImage()
  private var uses = RecordUses()
  /// What others changed and nobody has been told yet.
  private var foreign: [ChangedKeys] = []
  /// What was done about a damaged file, a line each time.
  public private(set) var notices: [String] = []

  /// Opens the file, or begins a new one.
  ///
  /// - Parameter memoryLimit: how many bytes of records stay in memory between calls; 0 keeps none.
  /// - Throws: `CacheFileError` when the file is no cache, is newer than this program, or cannot be opened.
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

  /// Whether others may write to what this cache reads.
  public nonisolated var isShared: Bool { true }

  /// A word whenever any process has written to the file, or may have.
  public nonisolated var writes: AsyncStream<Void> { FileWrites.stream(of: path) }

  /// A set with at least the records that a request leads to: one query of the file for each level of the operation.
  ///
  /// - Throws: `CacheFileError`: `busy` where others keep the file locked, `damaged` where a file that is opened for
  ///   reading only cannot be read, `unusable` where the system refuses.
  public func records(for request: RecordRequest) throws -> RecordSet {
    try use { file, image in
      try image.load(request, from: file)
      return image.set
    }
  }

  /// All records, read into memory.
  ///
  /// - Throws: `CacheFileError`, as `records(for:)` does.
  public func snapshot() throws -> CacheSnapshot {
    try use { file, image in
      try image.loadAll(from: file)
      return CacheSnapshot(image.set, number: file.change)
    }
  }

  /// Makes a change of several steps in one transaction of the file.
  ///
  /// - Throws: `CacheFileError`, as `records(for:)` does; `unusable` also where the disk is full. None of the steps is
  ///   made then.
  public func apply(_ mutations: [CacheMutation], at time: UInt32) throws -> ChangedKeys {
    try use(isWriting: true) { file, image in try Self.make(mutations, at: time, in: file, &image) }
  }

  /// Makes a change that depends on what the file holds, in one transaction of it: other processes wait.
  ///
  /// - Throws: What `body` throws, and `CacheFileError` as `apply(_:at:)` does. Nothing is changed then.
  public func update(
    at time: UInt32, _ body: @Sendable (_ records: RecordLookup) throws -> [CacheMutation]
  ) throws -> ChangedKeys {
    try use(isWriting: true) { file, image in
      let mutations = try Self.steps(of: body, at: time, in: file, &image)
      return mutations.isEmpty ? ChangedKeys() : try Self.make(mutations, at: time, in: file, &image)
    }
  }

  /// What the records will be is tried in the file itself, and taken back: what a step removed must not be read again.
  private static func steps(
    of body: (_ records: RecordLookup) throws -> [CacheMutation], at time: UInt32,
    in file: RecordFile, _ image: inout FileImage
  ) throws -> [CacheMutation] {
    var draft: FileImage?
    var made = 0
    let mutations = try body { request, steps in
      guard !steps.isEmpty else {
        try image.load(request, from: file)
        return image.set
      }
      if draft == nil { try file.beginDraft() }
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
    _ mutations: [CacheMutation], at time: UInt32, in file: RecordFile, _ image: inout FileImage
  ) throws -> ChangedKeys {
    try image.prepare(mutations, from: file)
    let before = image.size
    let moment = ChangeMoment(stamp: UInt32(truncatingIfNeeded: file.change + 1), time: time)
    let changed = image.apply(mutations, moment)
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

  /// The bytes of all values, without keys and indices.
  ///
  /// - Throws: `CacheFileError`, as `records(for:)` does.
  public func byteCount() throws -> Int {
    try use { file, image in
      if let count = file.byteCount { return count }
      try image.loadAll(from: file)
      return image.set.byteCount
    }
  }

  public func note(_ use: RecordUse) { uses.note(use, after: UInt32(truncatingIfNeeded: file.change)) }

  /// Removes the records that were used the longest ago, until at most `limit` bytes of values are left.
  ///
  /// - Throws: `CacheFileError`, as `apply(_:at:)` does.
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

  /// What other processes changed in the file since this was asked last; once, everything, after a damaged file was
  /// replaced.
  ///
  /// - Throws: `CacheFileError`, as `records(for:)` does.
  public func foreignChanges() throws -> [ChangedKeys] {
    try use { _, _ in }
    defer { foreign = [] }
    return foreign
  }

  /// Works in one transaction on the file as it is now. When something fails, neither file nor memory keeps any of it;
  /// when the file turns out to be damaged, the work is done again on a new one.
  private func use<Result>(
    isWriting: Bool = false, _ body: (RecordFile, inout FileImage) throws -> Result
  ) throws -> Result {
    defer { if image.set.byteCount > memoryLimit || memoryLimit == 0 { image = FileImage() } }
    do {
      return try work(isWriting, body)
    } catch let error as SQLiteError where error.kind == .damaged && !isReadOnly {
      file.rollback()
      image = FileImage()
      if file.isAtItsPath { notices.append(Self.notice(path, try RecordFile.moveAside(path))) }
      return try Self.naming(path) {
        file = try RecordFile(path: path, isReadOnly: false)
        foreign.append(.everything(of: StoredRecords(keepsReferrers: true)))
        return try work(isWriting, body)
      }
    } catch {
      file.rollback()
      image = FileImage()
      throw Self.named(error, path)
    }
  }

  private func work<Result>(
    _ isWriting: Bool, _ body: (RecordFile, inout FileImage) throws -> Result
  ) throws -> Result {
    try isWriting ? file.beginWriting() : file.beginReading()
    switch try file.foreignChanges() {
    case nil: break
    case .keys(let keys):
      image = FileImage()
      foreign.append(ChangedKeys(foreign: keys))
    case .everything:
      image = FileImage()
      foreign.append(.everything(of: StoredRecords(keepsReferrers: true)))
    }
    let result = try body(file, &image)
    try file.commit()
    return result
  }

  private static func notice(_ path: String, _ target: String) -> String {
    "the cache file \(path) was damaged: it was moved to \(target) and a new one begun"
  }

  private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw named(error, path) }
  }

  private static func named(_ error: any Error, _ path: String) -> any Error {
    guard let error = error as? SQLiteError else { return error }
    switch error.kind {
    case .busy: return CacheFileError(.busy, "the cache file \(path) is locked by another program; try again")
    case .full: return CacheFileError(.unusable, "the disk is too full to write the cache file \(path)")
    case .damaged: return CacheFileError(.damaged, "the cache file \(path) is damaged: \(error.message)")
    case .other: return CacheFileError(.unusable, "the cache file \(path) cannot be used: \(error.message)")
    }
  }
}
