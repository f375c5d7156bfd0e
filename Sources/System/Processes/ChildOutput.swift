import ApusPlatform

/// What another program prints, as far as there is room for it.
package enum ChildOutput {
  package enum Failure: Error, Sendable, Equatable {
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
  ///   - running: Called with the process while it runs, and with `nil` before it is let go of.
  package static func read(
    _ program: String, _ arguments: [String], environment: [String]? = nil, errors: Children.Stream = .ours,
    limit: Int, running: (pid_t?) -> Void = { _ in }
  ) throws(Failure) -> [UInt8] {
    guard let pipe = Descriptor.pipe() else { throw .notStarted(reason: String(cString: strerror(errno))) }
    defer { close(pipe.read) }

    let process: pid_t
    do throws(Children.NotStarted) {
      defer { close(pipe.write) }
      process = try Children.start(
        program, arguments, endingWithThreadBy: SIGTERM, environment: environment, input: .nowhere,
        output: .descriptor(pipe.write), errors: errors)
    } catch {
      throw .notStarted(reason: "\(error)")
    }

    running(process)
    let output = try? Descriptor.readAll(pipe.read, limit: limit)
    if output == nil { kill(process, SIGTERM) }
    running(nil)
    let exit = Children.wait(for: process)
    guard let output else { throw .tooLong }
    guard exit == 0 else { throw .failed(status: exit) }
    return output
  }
}
