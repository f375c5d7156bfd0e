import CApusSQLite

/// A connection to a database as another program has one: it creates files, and none of the limits of Apus apply.
package final class RawDatabase {
  package struct Failure: Error { package let message: String }

  private var handle: OpaquePointer?

  package init(_ path: String) throws {
    guard sqlite3_open(path, &handle) == SQLITE_OK else { throw Failure(message: "\(path) cannot be opened") }
    sqlite3_busy_timeout(handle, 10_000)
  }

  deinit { sqlite3_close_v2(handle) }

  package func execute(_ text: String) throws {
    guard sqlite3_exec(handle, text, nil, nil, nil) == SQLITE_OK else {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
  }
}
