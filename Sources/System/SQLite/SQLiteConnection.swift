import ApusPlatform
import CApusSQLite

/// One connection to an SQLite file: statements by their text, prepared once, and its errors.
///
/// Only its owner, an actor, calls it: two calls never overlap.
///
/// The contents of the file are not trusted. SQLite neither plays back a journal, nor follows a link, nor maps the file
/// into memory, and each statement has a budget of steps.
package final class SQLiteConnection {
  /// The most bytes that a row may have.
  private static let longestRow: Int32 = 256 << 20
  /// The most bytes that a row of the schema may have.
  private static let longestDefinition: Int32 = 16 << 10

  /// The longest wait for a lock of another connection, in milliseconds.
  package static let longestWait: Int32 = 10_000

  /// The name of the file functions without rollback journals; nil for those of the system.
  private static let files = apus_sqlite_register_files().map { String(cString: $0) }

  private let path: String
  private let budget: WorkBudget
  private var handle: OpaquePointer?
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens an existing file.
  ///
  /// - Parameters:
  ///   - application: The application id that the file must have. It is checked before anything else is read.
  ///   - trustsSchema: Whether triggers of the file run. Only for files that no other user can write to.
  package init(
    path: String, isReadOnly: Bool = false, application: Int? = nil, trustsSchema: Bool = false
  ) throws(SQLiteError) {
    self.path = path
    let file = try DatabaseFile(path)
    budget = WorkBudget(path: file.path)
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let code = sqlite3_open_v2(
      file.path, &handle, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_NOFOLLOW, Self.files)
    do throws(SQLiteError) {
      guard code == SQLITE_OK else { throw error(code) }
      sqlite3_extended_result_codes(handle, 1)
      waitForOthers()
      restrict(trustsSchema: trustsSchema)
      if let application { try check(application) }
      try readSchema()
    } catch {
      statements = [:]
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Sets the longest wait for other connections, in milliseconds, from now on.
  package func waitForOthers(milliseconds: Int32 = longestWait) { sqlite3_busy_timeout(handle, milliseconds) }

  /// Disables the features of SQLite that a file could use against the user, and sets limits.
  private func restrict(trustsSchema: Bool) {
    let properties = [
      (SQLITE_DBCONFIG_DEFENSIVE, true), (SQLITE_DBCONFIG_TRUSTED_SCHEMA, trustsSchema),
      (SQLITE_DBCONFIG_ENABLE_TRIGGER, trustsSchema), (SQLITE_DBCONFIG_ENABLE_VIEW, false),
      (SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, false),
    ]
    for (property, isOn) in properties { apus_sqlite_configure(handle, Int32(property), isOn ? 1 : 0) }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestDefinition)
    sqlite3_progress_handler(
      handle, WorkBudget.interval,
      { budget in
        guard let budget else { return 0 }
        return Unmanaged<WorkBudget>.fromOpaque(budget).takeUnretainedValue().consume() ? 0 : 1
      }, Unmanaged.passUnretained(budget).toOpaque())
    // A file that another program truncates would end this one while it is mapped into memory.
    try? execute("PRAGMA mmap_size = 0; PRAGMA cell_size_check = ON; PRAGMA temp_store = MEMORY")
  }

  private func check(_ application: Int) throws(SQLiteError) {
    guard try number("PRAGMA application_id") == application else {
      throw SQLiteError(path: path, kind: .unrecognized, message: "it is a database of another program")
    }
  }

  /// Reads the schema within its own limits.
  private func readSchema() throws(SQLiteError) {
    do throws(SQLiteError) {
      _ = try number("SELECT 1 FROM sqlite_schema LIMIT 1")
    } catch {
      throw error.code == SQLITE_TOOBIG ? damage("its schema is too large") : error
    }
    budget.isForSchema = false
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestRow)
  }

  private func error(_ code: Int32) -> SQLiteError {
    if budget.isExceeded { return damage("reading it takes more steps than its size allows") }
    // The system's reason for an unreachable file says more than SQLite's.
    let reason = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF) ? sqlite3_system_errno(handle) : 0
    let message =
      reason != 0 ? String(cString: strerror(reason)) : String(cString: sqlite3_errmsg(handle) ?? sqlite3_errstr(code))
    return SQLiteError(path: path, kind: .init(code: code), message: message, code: code & 0xFF)
  }

  /// The size of the file and its log, whatever the file says about itself.
  package var byteCount: Int { budget.byteCount }

  /// Returns an error for damaged contents.
  package func damage(_ message: String) -> SQLiteError { SQLiteError(path: path, kind: .damaged, message: message) }

  /// Changes the file to write-ahead logging, and waits for other connections that do the same.
  package func useWriteAheadLog() throws(SQLiteError) {
    if try hasWriteAheadLog() { return }
    // The change writes one page, for which no journal is needed.
    try execute("PRAGMA journal_mode = MEMORY")
    let code = apus_sqlite_use_write_ahead_log(handle, Self.longestWait)
    guard code == SQLITE_OK else { throw error(code) }
    guard try hasWriteAheadLog() else {
      throw SQLiteError(path: path, message: "the file system cannot share memory between programs; use another folder")
    }
  }

  private func hasWriteAheadLog() throws(SQLiteError) -> Bool {
    let mode = try statement("PRAGMA journal_mode")
    defer { mode.reset() }
    return try step(mode) && mode.text(0) == "wal"
  }

  /// Runs statements that have no parameters and return no rows.
  package func execute(_ text: String) throws(SQLiteError) {
    budget.restart()
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Runs a statement with its values, and calls `body` with the statement at each row.
  package func run(
    _ text: String, _ values: [SQLiteValue] = [], row body: (SQLiteStatement) -> Void = { _ in }
  ) throws(SQLiteError) {
    let statement = try statement(text)
    defer { statement.reset() }
    for (index, value) in values.enumerated() { statement.bind(Int32(index + 1), value) }
    while try step(statement) { body(statement) }
  }

  /// Returns the first column of the first row as a number; `nil` without a row.
  package func number(_ text: String) throws(SQLiteError) -> Int? {
    let statement = try statement(text)
    defer { statement.reset() }
    return try step(statement) ? statement.int(0) : nil
  }

  // MARK: Prepared statements

  /// Returns the statement for a text, ready for its values.
  package func statement(_ text: String) throws(SQLiteError) -> SQLiteStatement {
    budget.restart()
    if let statement = statements[text] { return statement }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw error(code) }
    let statement = SQLiteStatement(prepared)
    statements[text] = statement
    return statement
  }

  /// Moves a statement to its next row. Returns false after the last one.
  package func step(_ statement: SQLiteStatement) throws(SQLiteError) -> Bool {
    switch sqlite3_step(statement.handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let error = error(code)
      statement.reset()
      throw error
    }
  }

  /// Runs a statement that returns no rows.
  package func run(_ statement: SQLiteStatement) throws(SQLiteError) {
    budget.restart()
    while try step(statement) {}
    statement.reset()
  }
}
