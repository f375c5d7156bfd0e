import CApusSQLite

/// The reason why SQLite could not use a file.
package struct SQLiteError: Error, Equatable, Sendable, CustomStringConvertible {
  package enum Kind: Sendable {
    /// The file is damaged, or another kind of file than a database.
    case damaged
    /// Another connection had the file locked for too long.
    case busy
    /// The disk is full.
    case full
    case other
  }

  package let path: String
  package let kind: Kind
  package let message: String

  package init(path: String, kind: Kind = .other, message: String) {
    (self.path, self.kind, self.message) = (path, kind, message)
  }

  package var description: String { "\(path): \(message)" }
}

extension SQLiteError.Kind {
  init(code: Int32) {
    self =
      switch code & 0xFF {
      case SQLITE_CORRUPT, SQLITE_NOTADB: .damaged
      case SQLITE_BUSY, SQLITE_LOCKED: .busy
      case SQLITE_FULL: .full
      default: .other
      }
  }
}
