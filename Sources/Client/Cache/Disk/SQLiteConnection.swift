import ApusPlatform
import CApusSQLite

/// One connection to an SQLite file: statements by their text, prepared once, and its errors.
///
/// It belongs to the actor that made it, which is what keeps its calls apart.
final class SQLiteConnection {
  /// What SQLite answered, with its own words.
  struct Failure: Error {
    let code: Int32
    let message: String

    /// Whether the file's content is at fault.
    var isDamage: Bool { [SQLITE_CORRUPT, SQLITE_NOTADB].contains(code & 0xFF) }
  }

  /// The most bytes that a row may have.
  private static let longestRow: Int32 = 256 << 20
  /// The longest wait for a lock of another connection, in milliseconds.
  private static let longestWait: Int32 = 10_000

  private var handle: OpaquePointer?
  private var statements: [String: SQLiteStatement] = [:]

  init(path: String, isReadOnly: Bool) throws {
    let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      let failure = failure(code)
      sqlite3_close_v2(handle)
      handle = nil
      throw failure
    }
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longestRow)
    waitForOthers()
  }

  /// How long to wait, from now on, where another connection is in the way.
  func waitForOthers(milliseconds: Int32 = longestWait) { sqlite3_busy_timeout(handle, milliseconds) }

  deinit {
    statements = [:]
    sqlite3_close_v2(handle)
  }

  private func failure(_ code: Int32) -> Failure {
    // Why a file could not be reached the system says better.
    let reason = [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF) ? sqlite3_system_errno(handle) : 0
    if reason != 0 { return Failure(code: code, message: String(cString: strerror(reason))) }
    let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    return Failure(code: code, message: message.map { String(cString: $0) } ?? "error \(code)")
  }

  /// Runs statements that have no parameters and whose rows nobody wants.
  func execute(_ text: String) throws {
    let code = sqlite3_exec(handle, text, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Changes the file to write-ahead logging, and waits for other connections that do the same.
  func useWriteAheadLog() throws {
    let code = apus_sqlite_use_write_ahead_log(handle, Self.longestWait)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The statement of a text, ready to be bound.
  func statement(_ text: String) throws -> SQLiteStatement {
    if let known = statements[text] { return known }
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, text, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    let statement = SQLiteStatement(prepared)
    statements[text] = statement
    return statement
  }

  /// Steps a statement; false at its end.
  func step(_ statement: SQLiteStatement) throws -> Bool {
    switch sqlite3_step(statement.handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code:
      let failure = failure(code)
      statement.reset()
      throw failure
    }
  }

  /// Runs a statement to its end.
  func run(_ statement: SQLiteStatement) throws {
    while try step(statement) {}
    statement.reset()
  }

  /// The first column of the first row as a number; `nil` without a row.
  func number(_ text: String) throws -> Int? {
    let statement = try statement(text)
    defer { statement.reset() }
    return try step(statement) ? statement.int(0) : nil
  }
}

/// A prepared statement: values in by position from 1, columns out by position from 0.
///
/// What is bound is not copied: it must stay where it is until the statement has run.
final class SQLiteStatement {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  func bind(_ position: Int32, _ value: Int) { sqlite3_bind_int64(handle, position, Int64(value)) }

  func bind(text: UnsafeBufferPointer<UInt8>, _ position: Int32) {
    text.withMemoryRebound(to: CChar.self) {
      _ = sqlite3_bind_text(handle, position, $0.baseAddress, Int32(text.count), nil)
    }
  }

  func bind(blob: UnsafeRawBufferPointer, _ position: Int32) {
    // An empty blob is no NULL.
    if blob.isEmpty {
      sqlite3_bind_zeroblob(handle, position, 0)
    } else {
      sqlite3_bind_blob(handle, position, blob.baseAddress, Int32(blob.count), nil)
    }
  }

  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  func text(_ column: Int32) -> String {
    String(decoding: blob(column), as: UTF8.self)
  }

  /// Valid until the statement is stepped or reset.
  func blob(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}
