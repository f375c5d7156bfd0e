/// A body made of bytes in memory and of files, which are read as they are sent: a file of any size costs no memory.
public struct HTTPUpload: Sendable, Hashable {
  /// A stretch of the body.
  public enum Piece: Sendable, Hashable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, and how many bytes of it are sent: what it had when the request was made.
    case file(path: String, byteCount: Int)

    /// How many bytes the piece has.
    public var byteCount: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, let count): count
      }
    }
  }

  /// The body's pieces, in the order in which they are sent.
  public var pieces: [Piece]

  /// A body of these pieces.
  public init(pieces: [Piece]) {
    self.pieces = pieces
  }

  /// How many bytes the body has.
  public var byteCount: Int { pieces.reduce(0) { $0 + $1.byteCount } }
}

/// How much of a request's body is on its way.
public struct HTTPUploadProgress: Sendable, Hashable {
  /// How many bytes of the body are on their way.
  public var sentByteCount: Int
  /// How many bytes the body has.
  public var totalByteCount: Int
}
