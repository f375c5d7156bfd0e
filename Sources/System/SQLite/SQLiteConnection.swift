import ApusPlatform
import CApusSQLite

/// One connection to an SQLite file: statements by their text, prepared once, and its errors.
///
/// Only its owner, an actor, calls it: two calls never overlap.
package final class SQLiteConnection {
  /// The most bytes that a row may have.
  private static let longestRow: Int32 = 256 << 20

  /// The longest wait for a lock of another connection, in milliseconds.
  package static let longestWait: Int32 = 10_000

  private let path: String
  private var handle: OpaquePointer?
  private var statements: [String: SQLiteStatement] = [:]

  /// Opens a file, or creates it.
  package init(path: String, isReadOnly: Bool = false) throws(SQLiteError) {
    self.path = path
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let error = error(code)
      sqlite3_close_v2(handle)
      handle = nil
      throw error
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestRow)
    waitForOthers()
  }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  /// Sets the longest wait for other connections, in milliseconds, from now on.
  package func waitForOthers(milliseconds: Int32 = longestWait) { sqlite3_busy_timeout(handle, milliseconds) }

  private func error(_ code: Int32) -> SQLiteError {
    // The system's reason for an unreachable file says more than SQLite's.
    let reason = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF) ? sqlite3_system_errno(handle) : 0
    let message =
      reason != 0 ? String(cString: strerror(reason)) : String(cString: sqlite3_errmsg(handle) ?? sqlite3_errstr(code))
    return SQLiteError(path: path, kind: .init(code: code), message: message)
  }

  /// Returns an error for damaged contents.
  package func damage(_ message: String) -> SQLiteError { SQLiteError(path: path, kind: .damaged, message: message) }

  /// Changes the file to write-ahead logging, and waits for other connections that do the same.
  package func useWriteAheadLog() throws(SQLiteError) {
    let code = apus_sqlite_use_write_ahead_log(handle, Self.longestWait)
    guard code == SQLITE_OK else { throw error(code) }
  }

  /// Runs statements that have no parameters and return no rows.
  package func execute(_ text: String) throws(SQLiteError) {
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
    if let existing = statements[text] { return existing }
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
    while try step(statement) {}
    statement.reset()
  }
}
