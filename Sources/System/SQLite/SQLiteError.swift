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
    /// The file is a database of another program.
    case unrecognized
    /// The file, or one beside it, is not opened.
    case refused
    case other
  }

  package let path: String
  package let kind: Kind
  package let message: String
  /// SQLite's result code, without its details; 0 for other errors.
  let code: Int32

  package init(path: String, kind: Kind = .other, message: String) {
    self.init(path: path, kind: kind, message: message, code: 0)
  }

  init(path: String, kind: Kind, message: String, code: Int32) {
    (self.path, self.kind, self.message, self.code) = (path, kind, message, code)
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
