import ApusPlatform

/// Accepts connections on a port of the loopback interface chosen by the system, each on a separate thread.
final class LoopbackListener: Sendable {
  let port: Int
  private let listener: Int32

  /// Creates a listener. `serve` must close the connection.
  init(_ serve: @escaping @Sendable (Int32) -> Void) throws {
    listener = socket(AF_INET, FileDescriptor.streamSocket, 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        bind(descriptor, generic, length) == 0 && listen(descriptor, 16) == 0
          && getsockname(descriptor, generic, &length) == 0
      }
    }
    guard isListening else { throw BenchmarkError("cannot listen on loopback") }
    port = Int(UInt16(bigEndian: address.sin_port))
    let isAccepting = SystemThread.start {
      while true {
        let connection = accept(descriptor, nil, nil)
        guard connection >= 0 else { return }
        if !SystemThread.start({ serve(connection) }) { close(connection) }
      }
    }
    guard isAccepting else { throw BenchmarkError("no thread for a server") }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }
}
