/// A body made of bytes in memory and of files, which are read as they are sent: a file of any size costs no memory.
public struct HTTPUpload: Sendable, Hashable {
  public enum Piece: Sendable, Hashable {
    case bytes([UInt8])
    /// A file, and how many bytes of it are sent: what it had when the request was made.
    case file(path: String, byteCount: Int)

    public var byteCount: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, let count): count
      }
    }
  }

  public var pieces: [Piece]

  public init(pieces: [Piece]) {
    self.pieces = pieces
  }

  public var byteCount: Int { pieces.reduce(0) { $0 + $1.byteCount } }
}

/// How much of a request's body is on its way.
public struct HTTPUploadProgress: Sendable, Hashable {
  public var sentByteCount: Int
  public var totalByteCount: Int
}
