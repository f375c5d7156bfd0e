import CApusSQLite

/// A database error, described on one line.
package struct DatabaseError: Error, Equatable, Sendable, CustomStringConvertible {
  package let file: String
  package let message: String
  package var description: String { "\(file): \(message)" }
}

/// A connection to a SQLite file. Its owner, an actor, prevents concurrent use.
final class SQLiteDatabase {
  enum Value {
    case integer(Int)
    case text(String)
    case blob([UInt8])
    case null
  }

  /// A row of a result.
  struct Row {
    fileprivate let statement: OpaquePointer

    func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    func text(_ column: Int32) -> String {
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }

    func blob(_ column: Int32) -> [UInt8]? {
      guard let bytes = sqlite3_column_blob(statement, column) else { return nil }
      return Array(UnsafeRawBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
    }
  }

  /// The maximum wait for another connection's lock, in milliseconds.
  private static let longestWait: Int32 = 2000

  private let handle: OpaquePointer
  private let file: String

  init(_ file: String) throws(DatabaseError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let status = sqlite3_open_v2(file, &opened, flags, nil)
    guard status == SQLITE_OK, let opened else {
      let message = opened.map { String(cString: sqlite3_errmsg($0)) } ?? String(cString: sqlite3_errstr(status))
      sqlite3_close_v2(opened)
      throw DatabaseError(file: file, message: message)
    }
    handle = opened
    self.file = file
    sqlite3_busy_timeout(handle, Self.longestWait)
  }

  deinit { sqlite3_close_v2(handle) }

  private func failure() -> DatabaseError {
    DatabaseError(file: file, message: String(cString: sqlite3_errmsg(handle)))
  }

  /// Enables write-ahead logging, and waits for other connections that do the same.
  func useWriteAheadLog() throws(DatabaseError) {
    guard apus_sqlite_use_write_ahead_log(handle, Self.longestWait) == SQLITE_OK else { throw failure() }
  }

  func execute(_ sql: String) throws(DatabaseError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure() }
  }

  /// Runs one statement with values and calls `row` for each row.
  func run(_ sql: String, _ values: [Value] = [], row: (Row) -> Void = { _ in }) throws(DatabaseError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw failure()
    }
    defer { sqlite3_finalize(statement) }
    // SQLite copies the bound values.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    for (index, value) in values.enumerated() {
      let place = Int32(index + 1)
      switch value {
      case .integer(let number): sqlite3_bind_int64(statement, place, Int64(number))
      case .text(let text): sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), transient)
      case .blob(let bytes): sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), transient)
      case .null: sqlite3_bind_null(statement, place)
      }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: row(Row(statement: statement))
      case SQLITE_DONE: return
      default: throw failure()
      }
    }
  }
}
