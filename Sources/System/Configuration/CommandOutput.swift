import Secrets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs a shell command for what it prints.
package enum CommandOutput {
  private static let limit = 1 << 16

  /// The command's standard output without the line ends behind it, as `$(…)` gives it in a shell. Waits for the
  /// command; its standard error goes where ours goes, its standard input is empty.
  package static func of(_ command: String) throws(SecretTextError) -> String {
    var pipe: [Int32] = [-1, -1]
    guard openPipe(&pipe) else { throw .commandNotStarted(command, reason: String(cString: strerror(errno))) }
    defer { close(pipe[0]) }

    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
    #else
      var actions: posix_spawn_file_actions_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO)

    var arguments: [UnsafeMutablePointer<CChar>?] = []
    for argument in ["/bin/sh", "-c", command] { arguments.append(strdup(argument)) }
    arguments.append(nil)
    defer { for argument in arguments { free(argument) } }
    var process = pid_t()
    let status = posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ)
    close(pipe[1])
    guard status == 0 else { throw .commandNotStarted(command, reason: String(cString: strerror(status))) }

    let output = readAll(pipe[0])
    if output == nil { kill(process, SIGTERM) }
    let exit = wait(for: process)
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

  private static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }
}
