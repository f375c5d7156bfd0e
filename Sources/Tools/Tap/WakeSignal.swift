import ApusPlatform

/// Wakes a thread that polls its descriptor.
final class WakeSignal: Sendable {
  /// Readable after `signal`, until `clear`.
  let descriptor: Int32
  private let write: Int32

  /// Creates a signal; `nil` if no descriptors below the reserve are available.
  init?(_ reserve: DescriptorReserve) {
    guard let pipe = FileDescriptor.pipe() else { return nil }
    guard !reserve.contains(pipe.read), !reserve.contains(pipe.write) else {
      for end in [pipe.read, pipe.write] { close(end) }
      return nil
    }
    (descriptor, write) = pipe
    // A full pipe is readable already.
    for end in [descriptor, write] { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
  }

  deinit {
    close(descriptor)
    close(write)
  }

  func signal() { _ = FileDescriptor.writeAll([0], to: write) }

  func clear() {
    var buffer = [UInt8](repeating: 0, count: 64)
    _ = FileDescriptor.read(descriptor, into: &buffer)
  }
}
