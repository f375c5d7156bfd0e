import ApusPlatform

/// Reads the pieces of an upload in order, on the network thread.
struct UploadReader: ~Copyable {
  private let upload: HTTPUpload
  private var piece = 0
  private var offset = 0
  private var descriptor: Int32 = -1
  private(set) var sentByteCount = 0

  init(_ upload: HTTPUpload) { self.upload = upload }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Starts over, because a redirect resends the body.
  mutating func rewind() {
    closeFile()
    (piece, offset, sentByteCount) = (0, 0, 0)
  }

  /// Reads the next bytes; returns 0 at the end. Throws if a file cannot be read or has become shorter.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) throws(NetworkError) -> Int {
    while piece < upload.pieces.count {
      let left = upload.pieces[piece].byteCount - offset
      guard left > 0 else {
        try checkEnd(of: upload.pieces[piece])
        closeFile()
        (piece, offset) = (piece + 1, 0)
        continue
      }
      let count = try read(upload.pieces[piece], into: .init(rebasing: buffer[..<min(left, buffer.count)]))
      offset += count
      sentByteCount += count
      return count
    }
    return 0
  }

  private mutating func read(
    _ piece: HTTPUpload.Piece, into buffer: UnsafeMutableRawBufferPointer
  ) throws(NetworkError) -> Int {
    switch piece {
    case .bytes(let bytes):
      buffer.copyBytes(from: bytes[offset..<offset + buffer.count])
      return buffer.count
    case .file(let path, _):
      if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
      if descriptor < 0, errno == EMFILE || errno == ENFILE { throw .tooManyOpenFiles(place: path) }
      let count = FileDescriptor.read(descriptor, into: buffer)
      guard count > 0 else { throw .unreadableUpload(path: path) }
      return count
    }
  }

  /// Throws if a file has grown, because the end of it would be missing.
  private func checkEnd(of piece: HTTPUpload.Piece) throws(NetworkError) {
    guard case .file(let path, _) = piece, descriptor >= 0 else { return }
    var next: [UInt8] = [0]
    if FileDescriptor.read(descriptor, into: &next) > 0 { throw .unreadableUpload(path: path) }
  }

  private mutating func closeFile() {
    if descriptor >= 0 { close(descriptor) }
    descriptor = -1
  }
}
