import ApusClientRecords
import ApusPlatform
import ApusSQLite

/// A cache file: reads and writes rows in batches and transactions, and reports changes by other processes.
///
///     records(key, type, stamp, written, expires, fields)   one record per row; `key` is encoded by `KeyCoding`
///     names(number, name)                                   field keys and typenames
///     changes(number, keys)                                 the latest changes; NULL if a change has too many keys
///     state(count, change, bytes)                           one row: record count, number of the last change, byte count
///                                                           of all values (negative if not counted yet)
final class RecordFile {
  /// The SQLite application id of cache files ("Apus").
  static let applicationID = 0x4170_7573
  /// The format version that this type reads and writes. Files of other versions are refused and left alone.
  static let version = 4
  /// The number of changes that are kept for other processes, and the maximum number of keys per change.
  private static let keptChanges = 256
  private static let keptKeys = 2000
  /// The maximum plausible record and change counts. Each record stores its change number in 32 bits.
  private static let largestNumber = 1 << 31
  private static let largestByteCount = 1 << 48

  let path: String
  let isReadOnly: Bool
  let connection: SQLiteConnection
  private(set) var names = FileNames()
  private(set) var recordCount = 0
  /// The byte count of all values; `nil` if it has not been counted yet.
  private(set) var byteCount: Int?
  /// The number of the last change that this process has seen.
  var change = 0
  /// The last change that was reported in this process, or that this process committed.
  private var reportedChange = 0
  private var dataVersion = -1
  private var isWriting = false
  private let row = ByteBuffer(capacity: 4096)
  private let key = ByteBuffer(capacity: 256)

  private var identity: FileIdentity?

  init(path: String, isReadOnly: Bool) throws {
    self.path = path
    self.isReadOnly = isReadOnly
    connection = try Self.open(path, isReadOnly: isReadOnly)
    try readState()
    reportedChange = change
    identity = Self.identity(of: path)
  }

  private static func identity(of path: String) -> FileIdentity? {
    var status = stat()
    return stat(path, &status) == 0 ? status.place : nil
  }

  /// Whether the path still refers to this file. Another process may have found damage and created a new file.
  var isAtItsPath: Bool { Self.identity(of: path) == identity }

  /// Returns the reason why a file cannot be created in its directory, or `nil` if there is none. SQLite itself reports only
  /// that the file does not exist.
  private static func reasonAgainstCreating(_ path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard access(path, F_OK) != 0, errno == ENOENT, access(folder, F_OK) == 0, access(folder, W_OK) != 0 else {
      return nil
    }
    return "\(String(cString: strerror(errno))): the directory is not writable"
  }

  private static func open(_ path: String, isReadOnly: Bool) throws -> SQLiteConnection {
    let connection: SQLiteConnection
    do throws(SQLiteError) {
      let file = try DatabaseFile(path)
      if !isReadOnly { try file.createIfMissing(createTables) }
      if isReadOnly, file.contents == .empty {
        throw SQLiteError(path: path, kind: .refused, message: "it is empty; use another file")
      }
      connection = try SQLiteConnection(path: path, isReadOnly: isReadOnly, application: applicationID)
      if !isReadOnly { file.restrict() }
    } catch {
      throw openingError(error, path)
    }
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA cache_size = -8192")
    try checkVersion(of: connection, path)
    if isReadOnly { return connection }
    try connection.useWriteAheadLog()
    try connection.execute("PRAGMA synchronous = NORMAL")
    return connection
  }

  private static func openingError(_ error: SQLiteError, _ path: String) -> any Error {
    switch error.kind {
    case .damaged, .busy, .full: return error
    case .unrecognized: return unrecognized(path)
    case .refused: return CacheFileError(.unusable, "cannot open the cache file \(path): \(error.message)")
    case .other:
      let reason = reasonAgainstCreating(path) ?? error.message
      return CacheFileError(.unusable, "cannot open the cache file \(path): \(reason)")
    }
  }

  private static func unrecognized(_ path: String) -> CacheFileError {
    CacheFileError(.unrecognized, "\(path) is a database, but not an Apus cache; use another file")
  }

  /// Throws if the file is not a cache, or one of another version. One transaction reads everything, because another
  /// process may be writing.
  private static func checkVersion(of connection: SQLiteConnection, _ path: String) throws {
    try connection.execute("BEGIN")
    let version = try connection.number("PRAGMA user_version") ?? 0
    guard try hasTables(connection) else { throw unrecognized(path) }
    try connection.execute("COMMIT")
    guard version >= 0 else { throw connection.damage("its version is \(version)") }
    guard version == Self.version else {
      let (age, advice) = version > Self.version ? ("a newer", "update Apus, or use") : ("an older", "use")
      throw CacheFileError(
        .unsupportedVersion,
        "\(path) was written by \(age) version of Apus (format \(version)); \(advice) another file")
    }
  }

  /// Creates the tables of a new file.
  private static func createTables(_ connection: SQLiteConnection) throws(SQLiteError) {
    try connection.execute(schema)
  }

  // The records have row ids. Without row ids, keys and fields are in one B-tree, and looking up a key next to that of a
  // long list reads the whole list to compare the two: a list of a million records took more than half an hour.
  private static let schema = """
    BEGIN IMMEDIATE;
    CREATE TABLE records(
      key TEXT PRIMARY KEY NOT NULL, type INTEGER NOT NULL, stamp INTEGER NOT NULL, written INTEGER NOT NULL,
      expires INTEGER NOT NULL, fields BLOB NOT NULL);
    CREATE TABLE names(number INTEGER PRIMARY KEY, name TEXT NOT NULL);
    CREATE TABLE changes(number INTEGER PRIMARY KEY, keys BLOB);
    CREATE TABLE state(count INTEGER NOT NULL, change INTEGER NOT NULL, bytes INTEGER NOT NULL);
    INSERT INTO state VALUES(0, 0, 0);
    PRAGMA application_id = \(applicationID);
    PRAGMA user_version = \(version);
    COMMIT;
    """

  /// Returns whether the file has one of a cache's tables: another program may use the same application id. Throws if the
  /// schema has anything other than plain tables. A view or trigger named like one of the tables could run forever, and a
  /// computed column could use any amount of memory.
  ///
  /// Only the definitions are checked, because SQLite uses them and ignores the type and name columns next to them.
  private static func hasTables(_ connection: SQLiteConnection) throws -> Bool {
    let statement = try connection.statement("SELECT sql FROM sqlite_schema")
    defer { statement.reset() }
    var hasTables = false
    var isPlain = true
    while try connection.step(statement) {
      // A primary key's index has no definition.
      if statement.isNull(0) { continue }
      let sql = statement.text(0)
      // The first parenthesis opens the list of columns. A computed column would need another one.
      let openings = sql.utf8.indices.filter { sql.utf8[$0] == UInt8(ascii: "(") }
      if !sql.hasPrefix("CREATE TABLE ") || openings.count != 1 { isPlain = false }
      let name = sql[..<(openings.first ?? sql.endIndex)].dropFirst("CREATE TABLE ".count).filter { $0 != "\"" }
      if tables.contains(name) { hasTables = true }
    }
    guard isPlain || !hasTables else { throw connection.damage("it contains more than the tables of a cache") }
    return hasTables
  }

  private static let tables: Set<String> = ["records", "names", "changes", "state"]

  private func readState() throws {
    // Read the version first, so that a change by another process before the state is read is noticed next time.
    dataVersion = try connection.number("PRAGMA data_version") ?? 0
    let statement = try connection.statement("SELECT count, change, bytes FROM state")
    defer { statement.reset() }
    guard try connection.step(statement) else {
      throw connection.damage("it has no state")
    }
    // These counts are used in arithmetic later.
    guard (0...Self.largestNumber).contains(statement.int(0)), (0...Self.largestNumber).contains(statement.int(1)),
      statement.int(2) <= Self.largestByteCount
    else { throw connection.damage("its state has invalid counts") }
    recordCount = statement.int(0)
    change = statement.int(1)
    byteCount = statement.int(2) < 0 ? nil : statement.int(2)
    // A change would write all rows.
    guard try !connection.step(statement) else { throw connection.damage("it has several states") }
    try readNames()
  }

  private func readNames() throws {
    let statement = try connection.statement("SELECT number, name FROM names WHERE number > ?1 ORDER BY number")
    defer { statement.reset() }
    statement.bind(1, names.count)
    var budget = try RowBudget(connection)
    while try connection.step(statement) {
      guard statement.int(0) == names.count + 1 else { throw connection.damage("its names are not consecutive") }
      try budget.consume(statement.blob(1).count)
      names.add(statement.text(1))
    }
  }

  // MARK: Transactions

  /// Begins a read transaction: several reads see one state while other processes may write.
  func beginReading() throws { try connection.execute("BEGIN") }

  /// Begins a write transaction. No other process can write until it ends.
  func beginWriting() throws {
    guard !isReadOnly else {
      throw CacheFileError(.unusable, "cannot write to \(path): it was opened read-only")
    }
    try connection.execute("BEGIN IMMEDIATE")
    isWriting = true
  }

  func commit() throws {
    try connection.execute("COMMIT")
    if isWriting, change != reportedChange { FileChangeMonitor.announce(path) }
    isWriting = false
    reportedChange = change
  }

  func rollback() {
    try? connection.execute("ROLLBACK")
    isWriting = false
    // The names and counts of the canceled transaction are invalid.
    names = FileNames()
    try? readState()
    // Changes by other processes in the meantime have not been reported yet.
    change = reportedChange
    dataVersion = -1
  }

  /// Begins a savepoint. `endDraft` and `rollback` undo everything that is written after it.
  func beginSavepoint() throws { try connection.execute("SAVEPOINT draft") }

  /// Undoes everything since the savepoint. The transaction stays open.
  func endDraft() throws {
    try connection.execute("ROLLBACK TO draft; RELEASE draft")
    names = FileNames()
    try readState()
  }

  // MARK: Changes by other processes

  /// Returns the changes by other processes since the last call, or `nil` if there are none.
  func externalChanges() throws -> ExternalChanges? {
    let version = try connection.number("PRAGMA data_version") ?? 0
    guard version != dataVersion else { return nil }
    let lastSeenChange = change
    try readState()
    dataVersion = version
    guard change != lastSeenChange else { return nil }
    var keys: [[UInt8]] = []
    var count = 0
    let statement = try connection.statement("SELECT keys FROM changes WHERE number > ?1 ORDER BY number")
    defer { statement.reset() }
    statement.bind(1, lastSeenChange)
    var budget = try RowBudget(connection)
    while try connection.step(statement) {
      if statement.isNull(0) { return .everything }
      try budget.consume(statement.blob(0).count)
      keys += Self.keys(in: statement.blob(0))
      count += 1
    }
    return count == change - lastSeenChange ? .keys(keys) : .everything
  }

  /// Decodes a list of keys, each preceded by its length.
  private static func keys(in bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    var position = 0
    while position + 4 <= bytes.count {
      let length = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self)))
      position += 4
      guard position + length <= bytes.count else { break }
      keys.append(Array(bytes[position..<(position + length)]))
      position += length
    }
    return keys
  }

  // MARK: Reading rows

  private static let columns = "r.key, r.type, r.stamp, r.written, r.expires, r.fields"

  /// Adds the records with the given keys (encoded by `KeyCoding`) to a set, in one query. If they are a large part of the
  /// file, reads the whole file in one pass, which is faster, and returns true.
  func load(_ keys: ByteBuffer, count: Int, _ decoder: inout RowDecoder, into set: inout RecordSet) throws -> Bool {
    if count * 6 > recordCount {
      try loadAll(&decoder, into: &set)
      return true
    }
    let statement = try connection.statement(
      "SELECT \(Self.columns) FROM json_each(?1) AS wanted CROSS JOIN records AS r ON r.key = wanted.value")
    try keys.withBytes { bytes in
      statement.bind(text: bytes, 1)
      try add(rowsOf: statement, &decoder, to: &set)
    }
    return false
  }

  func loadAll(_ decoder: inout RowDecoder, into set: inout RecordSet) throws {
    try add(rowsOf: try connection.statement("SELECT \(Self.columns) FROM records AS r"), &decoder, to: &set)
  }

  private func add(rowsOf statement: SQLiteStatement, _ decoder: inout RowDecoder, to set: inout RecordSet) throws {
    defer { statement.reset() }
    var budget = try RowBudget(connection)
    while try connection.step(statement) {
      try budget.consume(statement.blob(0).count + statement.blob(5).count)
      let row = RowDecoder.Row(
        key: statement.blob(0).bindMemory(to: UInt8.self), type: UInt32(truncatingIfNeeded: statement.int(1)),
        stamp: UInt32(truncatingIfNeeded: statement.int(2)), written: UInt32(truncatingIfNeeded: statement.int(3)),
        expires: UInt32(truncatingIfNeeded: statement.int(4)), bytes: statement.blob(5))
      do {
        try decoder.add(row, names, to: &set.storage)
      } catch is RecordCoding.CorruptionError {
        throw connection.damage("a record cannot be read")
      }
    }
  }

  // MARK: Writing rows

  /// Writes the rows of the given records, and deletes the rows of those that no longer exist in `storage`. Logs the changed
  /// keys for other processes, or that everything changed.
  func save(_ ids: [RecordID], of storage: StoredRecords, isEverything: Bool = false) throws {
    change += 1
    let write = try connection.statement(
      """
      INSERT INTO records VALUES(?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT(key) DO UPDATE SET
        type = ?2, stamp = ?3, written = ?4, expires = ?5, fields = ?6
      """)
    let remove = try connection.statement("DELETE FROM records WHERE key = ?1")
    var encoder = RowEncoder(storage, into: row) { [unowned self] in try number(of: $0) }
    var types: [TypeID?: Int] = [nil: 0]
    let changedKeys = ByteBuffer(capacity: 4096)
    for id in ids {
      let info = storage[id]
      key.cut(to: 0)
      KeyCoding.append(id, of: storage, to: key)
      if ids.count <= Self.keptKeys {
        withUnsafeBytes(of: UInt32(key.count).littleEndian) { changedKeys.append($0.bindMemory(to: UInt8.self)) }
        key.withBytes { changedKeys.append($0) }
      }
      guard storage.exists(id) else {
        try key.withBytes {
          remove.bind(text: $0, 1)
          try connection.run(remove)
        }
        continue
      }
      if let type = info.type, types[type] == nil { types[type] = Int(try number(of: storage.typenames[type])) }
      row.cut(to: 0)
      try encoder.append(id)
      try key.withBytes { key in
        try row.withBytes { row in
          write.bind(text: key, 1)
          write.bind(2, types[info.type] ?? 0)
          write.bind(3, Int(info.stamp))
          write.bind(4, Int(info.written))
          write.bind(5, Int(info.expires))
          write.bind(blob: UnsafeRawBufferPointer(row), 6)
          try connection.run(write)
        }
      }
    }
    try storeKeys(changedKeys, isComplete: !isEverything && ids.count <= Self.keptKeys)
  }

  private func storeKeys(_ keys: ByteBuffer, isComplete: Bool) throws {
    let insert = try connection.statement("INSERT INTO changes VALUES(?1, ?2)")
    insert.bind(1, change)
    try keys.withBytes { bytes in
      if isComplete { insert.bind(blob: UnsafeRawBufferPointer(bytes), 2) }
      try connection.run(insert)
    }
    let forget = try connection.statement("DELETE FROM changes WHERE number <= ?1")
    forget.bind(1, change - Self.keptChanges)
    try connection.run(forget)
  }

  /// The condition makes SQLite visit the rows within the budget of a statement. Without one it would free the pages, and
  /// those of a crafted file can refer to each other any number of times.
  func removeAll() throws { try connection.execute("DELETE FROM records WHERE true") }

  /// Stores the record count, the byte count and the number of the last change.
  func saveState(recordCount: Int, byteCount: Int?) throws {
    self.recordCount = recordCount
    self.byteCount = byteCount
    let statement = try connection.statement("UPDATE state SET count = ?1, change = ?2, bytes = ?3")
    statement.bind(1, recordCount)
    statement.bind(2, change)
    statement.bind(3, byteCount ?? -1)
    try connection.run(statement)
  }

  private func number(of name: String) throws -> UInt32 {
    if let number = names.number(of: name) { return number }
    let statement = try connection.statement("INSERT INTO names VALUES(?1, ?2)")
    var text = name
    try text.withUTF8 {
      statement.bind(1, names.count + 1)
      statement.bind(text: $0, 2)
      try connection.run(statement)
    }
    names.add(name)
    return UInt32(names.count)
  }

  // MARK: Damage

  /// Renames a damaged file and returns its new path. A file that a link leads to stays, because it is in another folder.
  static func moveAside(_ path: String) throws -> String {
    func exists(_ path: String) -> Bool {
      var status = stat()
      return lstat(path, &status) == 0
    }
    if try DatabaseFile(path).isLink {
      throw CacheFileError(.corrupt, "the cache file \(path) is damaged; delete the file that this link leads to")
    }
    var number = 1
    var target = "\(path).damaged"
    while exists(target) {
      number += 1
      target = "\(path).damaged-\(number)"
    }
    // The file last: a log without its database would be refused.
    for suffix in ["-wal", "-shm"] where exists(path + suffix) { _ = rename(path + suffix, target + suffix) }
    guard rename(path, target) == 0 else {
      throw CacheFileError(
        .corrupt, "the cache file \(path) is damaged and cannot be renamed: \(String(cString: strerror(errno)))")
    }
    return target
  }
}

/// The maximum number of bytes that a query's rows may have: the size of the file. In a crafted file, the same page can be
/// reached any number of times.
private struct RowBudget {
  /// The most bytes that a transaction has in memory before it writes them to the log (`PRAGMA cache_size`).
  private static let unwritten = 8 << 20

  private let connection: SQLiteConnection
  private var bytesLeft: Int

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    let pageCount = try connection.number("PRAGMA page_count") ?? 0
    let pageSize = try connection.number("PRAGMA page_size") ?? 0
    bytesLeft = min(pageCount * pageSize, connection.byteCount + Self.unwritten)
  }

  mutating func consume(_ byteCount: Int) throws(SQLiteError) {
    bytesLeft -= byteCount + 1
    guard bytesLeft >= 0 else { throw connection.damage("its rows are larger than the file") }
  }
}

/// The changes of other processes to a file.
enum ExternalChanges {
  case keys([[UInt8]])
  case everything
}
