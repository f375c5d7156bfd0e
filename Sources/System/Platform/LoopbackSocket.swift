/// A socket that listens on 127.0.0.1, for programs of this machine only. Accepting from it does not wait.
package enum LoopbackSocket {
  package enum Failure: Error {
    /// No socket can be opened, with the reason of the system.
    case socket(String)
    /// The port cannot be used, usually because another program uses it, with the reason of the system.
    case port(String)
  }

  /// Opens a listening socket, which the caller closes.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for a free one.
  ///   - backlog: The number of connections that wait to be accepted.
  /// - Returns: The descriptor and the port.
  package static func open(port: in_port_t, backlog: Int32) throws(Failure) -> (descriptor: Int32, port: in_port_t) {
    let descriptor = socket(AF_INET, FileDescriptor.streamSocket, 0)
    guard descriptor >= 0 else { throw .socket(String(cString: strerror(errno))) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isOpen = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, length) == 0 && listen(descriptor, backlog) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isOpen else {
      let reason = String(cString: strerror(errno))
      close(descriptor)
      throw .port(reason)
    }
    return (descriptor, in_port_t(bigEndian: address.sin_port))
  }
}
