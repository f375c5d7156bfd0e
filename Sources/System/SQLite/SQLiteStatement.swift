import CApusSQLite

/// A value of a row.
package enum SQLiteValue {
  case null
  case integer(Int)
  case text(String)
  case blob([UInt8])
}

/// A prepared statement: values in by position from 1, columns out by position from 0.
package final class SQLiteStatement {
  let handle: OpaquePointer

  init(_ handle: OpaquePointer) { self.handle = handle }

  deinit { sqlite3_finalize(handle) }

  package func reset() {
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
  }

  // MARK: Values

  package func bind(_ position: Int32, _ value: Int) { sqlite3_bind_int64(handle, position, Int64(value)) }

  /// Binds a copy of a value.
  func bind(_ position: Int32, _ value: SQLiteValue) {
    // With this mark in place of a destructor SQLite copies the value.
    let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    switch value {
    case .null: sqlite3_bind_null(handle, position)
    case .integer(let number): bind(position, number)
    case .text(let text): sqlite3_bind_text(handle, position, text, Int32(text.utf8.count), transient)
    case .blob(let bytes): sqlite3_bind_blob(handle, position, bytes, Int32(bytes.count), transient)
    }
  }

  /// Binds text that is not copied: it must stay in place until the statement has run.
  package func bind(text: UnsafeBufferPointer<UInt8>, _ position: Int32) {
    text.withMemoryRebound(to: CChar.self) {
      _ = sqlite3_bind_text(handle, position, $0.baseAddress, Int32(text.count), nil)
    }
  }

  /// Binds bytes that are not copied: they must stay in place until the statement has run.
  package func bind(blob: UnsafeRawBufferPointer, _ position: Int32) {
    // An empty blob would be bound as NULL.
    if blob.isEmpty {
      sqlite3_bind_zeroblob(handle, position, 0)
    } else {
      sqlite3_bind_blob(handle, position, blob.baseAddress, Int32(blob.count), nil)
    }
  }

  // MARK: Columns

  package func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

  package func text(_ column: Int32) -> String { String(decoding: blob(column), as: UTF8.self) }

  /// Returns the bytes of a column. They are valid until the statement is stepped or reset.
  package func blob(_ column: Int32) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, column)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, column)))
  }
}
