#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What another program prints, as far as there is room for it.
package enum ChildOutput {
  package enum Failure: Error, Sendable, Hashable {
    case notStarted(reason: String)
    /// It was ended: it printed more than was asked for.
    case tooLong
    /// Its exit code, or 128 and the number of the signal that ended it.
    case failed(status: Int32)
  }

  /// The standard output of a program, which is waited for. It has nothing to read, and ends with the thread that started
  /// it.
  ///
  /// - Parameters:
  ///   - environment: `NAME=VALUE` each; without it, that of this process.
  ///   - errors: Where its standard error goes.
  ///   - limit: The most bytes.
  package static func read(
    _ program: String, _ arguments: [String], environment: [String]? = nil, errors: Children.Stream = .ours, limit: Int
  ) throws(Failure) -> [UInt8] {
    var pipe: [Int32] = [-1, -1]
    guard Children.openPipe(&pipe) else { throw .notStarted(reason: String(cString: strerror(errno))) }
    defer { close(pipe[0]) }

    let process: pid_t
    do throws(Children.NotStarted) {
      defer { close(pipe[1]) }
      process = try Children.start(
        program, arguments, endingWithThreadBy: SIGTERM, environment: environment, input: .nowhere,
        output: .descriptor(pipe[1]), errors: errors)
    } catch {
      throw .notStarted(reason: "\(error)")
    }

    let output = readAll(pipe[0], limit: limit)
    if output == nil { kill(process, SIGTERM) }
    let exit = Children.wait(for: process)
    guard let output else { throw .tooLong }
    guard exit == 0 else { throw .failed(status: exit) }
    return output
  }

  /// Nil if there is more than the limit.
  private static func readAll(_ descriptor: Int32, limit: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { systemRead(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { return nil }
    }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
  read(descriptor, bytes, count)
}
