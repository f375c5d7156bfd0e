/// A body of bytes and files. Files are read while they are sent, so their size does not affect memory use.
public struct HTTPUpload: Sendable, Hashable {
  /// A part of the body.
  public enum Piece: Sendable, Hashable {
    /// Bytes in memory.
    case bytes([UInt8])
    /// A file, with the number of bytes that it had when the request was created.
    case file(path: String, byteCount: Int)

    /// The number of bytes.
    public var byteCount: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(_, let count): count
      }
    }
  }

  /// Pieces in the order of the body.
  public var pieces: [Piece]

  /// Creates a body from pieces.
  public init(pieces: [Piece]) {
    self.pieces = pieces
  }

  /// The number of bytes of the body.
  public var byteCount: Int { pieces.reduce(0) { $0 + $1.byteCount } }
}

/// The progress of sending a request's body.
public struct HTTPUploadProgress: Sendable, Hashable {
  /// The number of bytes sent.
  public var sentByteCount: Int
  /// The number of bytes of the body.
  public var totalByteCount: Int
}
