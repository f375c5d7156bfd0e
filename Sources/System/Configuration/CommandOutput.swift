import ApusProcesses
import ApusSecrets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a shell command for what it prints.
package enum CommandOutput {
  private static let limit = 1 << 16

  /// The command's standard output without the line ends behind it, as `$(…)` gives it in a shell. Waits for the
  /// command; its standard error goes where ours goes, its standard input is empty. It ends with this program.
  package static func of(_ command: String) throws(SecretTextError) -> String {
    var pipe: [Int32] = [-1, -1]
    guard openPipe(&pipe) else { throw .commandNotStarted(command, reason: String(cString: strerror(errno))) }
    defer { close(pipe[0]) }

    let process: pid_t
    do throws(Children.NotStarted) {
      defer { close(pipe[1]) }
      process = try Children.start(
        "/bin/sh", ["-c", command], endingWithThreadBy: SIGTERM, input: .nowhere, output: .descriptor(pipe[1]))
    } catch {
      throw .commandNotStarted(command, reason: "\(error)")
    }

    let output = readAll(pipe[0])
    if output == nil { kill(process, SIGTERM) }
    let exit = Children.wait(for: process)
    guard let output else { throw .outputTooLong(command) }
    guard exit == 0 else { throw .commandFailed(command, status: exit) }
    return String(decoding: output, as: UTF8.self)
  }

  /// Neither end may leak into another child that starts at the same time.
  private static func openPipe(_ ends: inout [Int32]) -> Bool {
    guard pipe(&ends) == 0 else { return false }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return true
  }

  /// Nil if there is more than the limit.
  private static func readAll(_ descriptor: Int32) -> ArraySlice<UInt8>? {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      bytes += chunk[..<count]
      if bytes.count > limit { return nil }
    }
    return bytes[..<((bytes.lastIndex { $0 != 0x0A && $0 != 0x0D } ?? -1) + 1)]
  }
}
