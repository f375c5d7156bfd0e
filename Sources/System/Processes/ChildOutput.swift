import ApusPlatform

/// Reads the output of another program, up to a size limit.
package enum ChildOutput {
  package enum ReadError: Error, Sendable, Equatable {
    case notStarted(reason: String)
    /// The program printed more than the limit and was killed.
    case tooLong
    /// The exit code, or 128 plus the number of the signal that ended it.
    case failed(status: Int32)
  }

  /// Runs a program and returns its standard output. Its input is empty, and it is killed when the calling thread ends.
  ///
  /// - Parameters:
  /// - environment: Entries of the form `NAME=VALUE`; by default the environment of this process.
  /// - errors: The destination of its standard error.
  /// - limit: The maximum number of bytes.
  /// - running: Called with the process when it starts, and with `nil` before it is reaped.
  package static func read(
    _ program: String, _ arguments: [String], environment: [String]? = nil, errors: ChildProcess.Stream = .ours,
    limit: Int, running: (pid_t?) -> Void = { _ in }
  ) throws(ReadError) -> [UInt8] {
    guard let pipe = FileDescriptor.pipe() else { throw .notStarted(reason: String(cString: strerror(errno))) }
    defer { close(pipe.read) }

    let process: pid_t
    do throws(ChildProcess.LaunchError) {
      defer { close(pipe.write) }
      process = try ChildProcess.start(
        program, arguments, endingWithThreadBy: SIGTERM, environment: environment, input: .nowhere,
        output: .descriptor(pipe.write), errors: errors)
    } catch {
      throw .notStarted(reason: "\(error)")
    }

    running(process)
    let output = try? FileDescriptor.readAll(pipe.read, limit: limit)
    if output == nil { kill(process, SIGTERM) }
    running(nil)
    let exit = ChildProcess.wait(for: process)
    guard let output else { throw .tooLong }
    guard exit == 0 else { throw .failed(status: exit) }
    return output
  }
}
