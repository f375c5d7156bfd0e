#if canImport(ApusPlatform)
  import ApusPlatform
#endif

/// Blocks scripted connections until a test opens it. It stays open.
package final class Gate: Sendable {
  /// Readable when the gate is open, so that a connection can wait for the gate and for its client with one `poll`.
  let descriptor: Int32
  private let writeEnd: Int32

  package init() {
    (descriptor, writeEnd) = makePipe()
  }

  deinit {
    close(descriptor)
    close(writeEnd)
  }

  package func open() {
    var byte: UInt8 = 1
    _ = write(writeEnd, &byte, 1)
  }
}

private func makePipe() -> (read: Int32, write: Int32) {
  var ends: [Int32] = [-1, -1]
  guard makeClosingPipe(&ends) else { fatalError("pipe failed: no file descriptors left") }
  // A program started by a test must not keep the connection open.
  return (ends[0], ends[1])
}
