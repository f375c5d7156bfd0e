import ApusClientRecords
import ApusPlatform
import ApusSQLite

/// The file of a cache: rows in and out, in batches and transactions, and what other processes changed in it.
///
///     records(key, type, stamp, written, expires, fields)   a record a row; `key` as `KeyCoding` writes it
///     names(number, name)                                   field keys and typenames
///     changes(number, keys)                                 the newest changes; NULL stands for very many keys
///     state(count, change, bytes)                           one row: how many records, the last change's number, how many
///                                                           bytes of values (negative when nobody has counted them yet)
final class RecordFile {
  /// Marks the file as one of this cache ("Apus").
  static let applicationID = 0x4170_7573
  static let version = 4
  /// How many changes are kept for other processes to catch up with, and how many keys of one.
  private static let keptChanges = 256
  private static let keptKeys = 2000
  /// Counts of records and changes up to here are believed; the numbers of changes are kept in 32 bits with each record.
  private static let largestNumber = 1 << 31
  private static let largestByteCount = 1 << 48

  let path: String
  let isReadOnly: Bool
  let connection: SQLiteConnection
  private(set) var names = FileNames()
  private(set) var recordCount = 0
  /// The bytes of all values; `nil` in a file of an older version that was not written to since.
  private(set) var byteCount: Int?
  /// The number of the last change that is known here.
  var change = 0
  /// The last change of which everybody here was told, or which was made here and stayed.
  private var toldChange = 0
  private var dataVersion = -1
  private var isWriting = false
  /// One that is read only stays of the version it has.
  private let formatVersion: Int
  private let row = ByteBuffer(capacity: 4096)
  private let key = ByteBuffer(capacity: 256)

  private var place: FilePlace?

  init(path: String, isReadOnly: Bool) throws {
    self.path = path
    self.isReadOnly = isReadOnly
    connection = try Self.open(path, isReadOnly: isReadOnly)
    formatVersion = try connection.number("PRAGMA user_version") ?? 0
    try readState()
    toldChange = change
    if !isReadOnly, formatVersion < Self.version { try removeForgottenRoots() }
    place = Self.place(of: path)
  }

  private static func place(of path: String) -> FilePlace? {
    var status = stat()
    return stat(path, &status) == 0 ? status.place : nil
  }

  /// Whether the file is the one that stands under its name: another process that met the damage first has begun a new one.
  var isAtItsPath: Bool { Self.place(of: path) == place }

  /// Why a file that does not exist cannot be created in its folder; nil where that is not the reason. SQLite reports only
  /// that there is no file.
  private static func reasonAgainstCreating(_ path: String) -> String? {
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard access(path, F_OK) != 0, errno == ENOENT, access(folder, F_OK) == 0, access(folder, W_OK) != 0 else {
      return nil
    }
    return "\(String(cString: strerror(errno))): the folder cannot be written to"
  }

  private static func open(_ path: String, isReadOnly: Bool) throws -> SQLiteConnection {
    let connection: SQLiteConnection
    do {
      if !isReadOnly { CacheFilePermissions.create(path) }
      connection = try SQLiteConnection(path: path, isReadOnly: isReadOnly)
    } catch {
      if error.kind == .damaged { throw error }
      let reason = reasonAgainstCreating(path) ?? error.message
      throw CacheFileError(.unusable, "cannot open the cache file \(path): \(reason)")
    }
    // Nothing that the file itself defines may do more than SQLite's own arithmetic.
    try connection.execute("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON")
    try connection.execute("PRAGMA foreign_keys = OFF; PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY")
    let version = try checkedVersion(of: connection, path, isReadOnly: isReadOnly)
    if isReadOnly { return connection }
    CacheFilePermissions.restrict(path)
    try connection.useWriteAheadLog()
    try connection.execute("PRAGMA synchronous = NORMAL")
    try migrate(connection, from: version)
    return connection
  }

  /// The version of a cache's file; 0 for a new file. Throws for a file that is not a cache or cannot be used.
  ///
  /// One transaction reads all of it: another process may create the tables at the same time.
  private static func checkedVersion(
    of connection: SQLiteConnection, _ path: String, isReadOnly: Bool
  ) throws -> Int {
    try connection.execute("BEGIN")
    let version = try connection.number("PRAGMA user_version") ?? 0
    let application = try connection.number("PRAGMA application_id") ?? 0
    let tables = try connection.number("SELECT count(*) FROM sqlite_schema") ?? 0
    if application == applicationID { try checkSchema(of: connection) }
    try connection.execute("COMMIT")
    guard application == applicationID || tables == 0 else {
      throw CacheFileError(.foreign, "\(path) is a database, but no cache of Apus; name another file")
    }
    guard version >= 0 else { throw connection.damage("its version is \(version)") }
    guard version <= Self.version else {
      throw CacheFileError(
        .newer, "\(path) was written by a newer version of Apus (format \(version)); update, or name another file")
    }
    guard application == applicationID || !isReadOnly else {
      throw CacheFileError(.unusable, "\(path) is empty: there is no cache in it")
    }
    return version
  }

  /// Throws unless the file has nothing but plain tables: a view or a trigger with a name of ours could run for ever, and
  /// a column that is computed could take any amount of memory.
  ///
  /// SQLite reads the definitions and not the kinds and names beside them, so that only the definitions count here.
  private static func checkSchema(of connection: SQLiteConnection) throws {
    let statement = try connection.statement("SELECT sql FROM sqlite_schema")
    defer { statement.reset() }
    while try connection.step(statement) {
      // The index of a primary key has no definition.
      if statement.isNull(0) { continue }
      let sql = statement.text(0)
      // In the parentheses behind a name are the columns; whatever is computed has parentheses of its own.
      guard sql.hasPrefix("CREATE TABLE "), sql.utf8.filter({ $0 == UInt8(ascii: "(") }).count == 1 else {
        throw connection.damage("it holds more than the tables of a cache")
      }
    }
  }

  private func readState() throws {
    // First: a change that another process makes before the state is read is noticed the next time.
    dataVersion = try connection.number("PRAGMA data_version") ?? 0
    let statement = try connection.statement(
      formatVersion < 2 ? "SELECT count, change, -1 FROM state" : "SELECT count, change, bytes FROM state")
    defer { statement.reset() }
    guard try connection.step(statement) else {
      throw connection.damage("its state is missing")
    }
    // What is counted up and set off against each other further on.
    guard (0...Self.largestNumber).contains(statement.int(0)), (0...Self.largestNumber).contains(statement.int(1)),
      statement.int(2) <= Self.largestByteCount
    else { throw connection.damage("its state cannot be") }
    recordCount = statement.int(0)
    change = statement.int(1)
    byteCount = statement.int(2) < 0 ? nil : statement.int(2)
    try readNames()
  }

  /// Reads the names again that may have become others.
  func readNamesAnew() throws {
    names = FileNames()
    try readNames()
  }

  private func readNames() throws {
    let statement = try connection.statement("SELECT number, name FROM names WHERE number > ?1 ORDER BY number")
    defer { statement.reset() }
    statement.bind(1, names.count)
    var budget = try RowBudget(connection)
    while try connection.step(statement) {
      guard statement.int(0) == names.count + 1 else { throw connection.damage("its names have gaps") }
      try budget.take(statement.blob(1).count)
      names.add(statement.text(1))
    }
  }

  // MARK: Transactions

  /// One state of the file for several reads; others may write meanwhile.
  func beginReading() throws { try connection.execute("BEGIN") }

  /// From here on nobody else writes.
  func beginWriting() throws {
    guard !isReadOnly else {
      throw CacheFileError(.unusable, "\(path) was opened to be read only")
    }
    try connection.execute("BEGIN IMMEDIATE")
    isWriting = true
  }

  func commit() throws {
    try connection.execute("COMMIT")
    if isWriting, change != toldChange { FileWrites.announce(path) }
    isWriting = false
    toldChange = change
  }

  func rollback() {
    try? connection.execute("ROLLBACK")
    isWriting = false
    // Names and counts of the transaction are gone with it.
    names = FileNames()
    try? readState()
    // What others have written meanwhile is still to be told.
    change = toldChange
    dataVersion = -1
  }

  /// From here on all that is written is only tried, until `endDraft` or `rollback`.
  func beginDraft() throws { try connection.execute("SAVEPOINT draft") }

  /// Takes back what was tried; the transaction goes on.
  func endDraft() throws {
    try connection.execute("ROLLBACK TO draft; RELEASE draft")
    names = FileNames()
    try readState()
  }

  // MARK: Changes by others

  /// What other processes changed since this was asked last; `nil` when nothing.
  func foreignChanges() throws -> ForeignChanges? {
    let version = try connection.number("PRAGMA data_version") ?? 0
    guard version != dataVersion else { return nil }
    let known = change
    try readState()
    dataVersion = version
    guard change != known else { return nil }
    var keys: [[UInt8]] = []
    var count = 0
    let statement = try connection.statement("SELECT keys FROM changes WHERE number > ?1 ORDER BY number")
    defer { statement.reset() }
    statement.bind(1, known)
    var budget = try RowBudget(connection)
    while try connection.step(statement) {
      if statement.isNull(0) { return .everything }
      try budget.take(statement.blob(0).count)
      keys += Self.keys(in: statement.blob(0))
      count += 1
    }
    return count == change - known ? .keys(keys) : .everything
  }

  /// Keys, each with its length before it.
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

  /// Adds the records under these keys to a set, in one query; keys are as `KeyCoding` writes them. Of a good part of
  /// the file all is read in one pass, which is quicker than to search it: then true is returned.
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
      try budget.take(statement.blob(0).count + statement.blob(5).count)
      let row = RowDecoder.Row(
        key: statement.blob(0).bindMemory(to: UInt8.self), type: UInt32(truncatingIfNeeded: statement.int(1)),
        stamp: UInt32(truncatingIfNeeded: statement.int(2)), written: UInt32(truncatingIfNeeded: statement.int(3)),
        expires: UInt32(truncatingIfNeeded: statement.int(4)), bytes: statement.blob(5))
      do {
        try decoder.add(row, names, to: &set.storage)
      } catch is RecordCoding.Damaged {
        throw connection.damage("a record cannot be read")
      }
    }
  }

  // MARK: Writing rows

  /// Writes the rows of these records as they are in `storage`; those that are not there any more lose theirs. Others are
  /// told of these records, or that everything changed.
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
    try note(changedKeys, isComplete: !isEverything && ids.count <= Self.keptKeys)
  }

  private func note(_ keys: ByteBuffer, isComplete: Bool) throws {
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

  func removeAll() throws { try connection.execute("DELETE FROM records") }

  /// Notes how many records there are, how many bytes their values have and which change was the last.
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
    if let known = names.number(of: name) { return known }
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

  /// Moves a damaged file out of the way and tells where to.
  static func moveAside(_ path: String) throws -> String {
    var number = 1
    var target = "\(path).damaged"
    while access(target, F_OK) == 0 {
      number += 1
      target = "\(path).damaged-\(number)"
    }
    guard rename(path, target) == 0 else {
      throw CacheFileError(
        .damaged, "the cache file \(path) is damaged and cannot be moved aside: \(String(cString: strerror(errno)))")
    }
    for suffix in ["-wal", "-shm"] where access(path + suffix, F_OK) == 0 { _ = rename(path + suffix, target + suffix) }
    return target
  }
}

/// How much the rows of one query may give: no more than the file is long. A crafted file can lead to the same page again
/// and again.
private struct RowBudget {
  private let connection: SQLiteConnection
  private var bytesLeft: Int

  init(_ connection: SQLiteConnection) throws(SQLiteError) {
    self.connection = connection
    let pageCount = try connection.number("PRAGMA page_count") ?? 0
    bytesLeft = pageCount * (try connection.number("PRAGMA page_size") ?? 0)
  }

  mutating func take(_ byteCount: Int) throws(SQLiteError) {
    bytesLeft -= byteCount + 1
    guard bytesLeft >= 0 else { throw connection.damage("its rows are longer than the file") }
  }
}

/// What other processes did to a file.
enum ForeignChanges {
  case keys([[UInt8]])
  case everything
}
