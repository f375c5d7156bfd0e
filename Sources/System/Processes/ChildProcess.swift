import ApusPlatform
import CApusSpawn

/// Starts other programs. All child processes are started here.
///
/// A child inherits none of this process's arrangements: no blocked signals (as on the threads of tasks), no ignored
/// signals (as SIGPIPE), and no descriptors except the three standard streams.
package enum ChildProcess {
  /// The source or destination of a standard stream.
  package enum Stream: Sendable {
    /// The stream of this process.
    case ours
    case descriptor(Int32)
    /// Empty input; discarded output.
    case nowhere
  }

  /// The error if a child cannot be started.
  package struct LaunchError: Error, Sendable, Equatable, CustomStringConvertible {
    package let code: Int32
    package var description: String { String(cString: strerror(code)) }
  }

  /// Starts a program, searched in `PATH` if its name has no slash. All other descriptors must be close-on-exec, as
  /// those of this program are.
  ///
  /// - Parameters:
  /// - environment: Entries of the form `NAME=VALUE`; by default the environment of this process.
  /// - inOwnGroup: Whether the child gets its own process group, so that Ctrl-C in the terminal does not reach it.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String]? = nil, input: Stream = .ours,
    output: Stream = .ours, errors: Stream = .ours, inOwnGroup: Bool = false
  ) throws(LaunchError) -> pid_t {
    var actions = SpawnSettings.actions
    var attributes = SpawnSettings.attributes
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    for (target, stream) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      switch stream {
      case .ours: break
      case .descriptor(let descriptor): posix_spawn_file_actions_adddup2(&actions, descriptor, target)
      case .nowhere:
        posix_spawn_file_actions_addopen(
          &actions, target, "/dev/null", target == STDIN_FILENO ? O_RDONLY : O_WRONLY, 0)
      }
    }
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | (inOwnGroup ? POSIX_SPAWN_SETPGROUP : 0)
    posix_spawnattr_setflags(&attributes, Int16(flags))

    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var process = pid_t()
    let code: Int32
    if let environment {
      var settings = environment.map { strdup($0) } + [nil]
      defer { for setting in settings { free(setting) } }
      code = posix_spawnp(&process, program, &actions, &attributes, &words, &settings)
    } else {
      code = posix_spawnp(&process, program, &actions, &attributes, &words, environ)
    }
    guard code == 0 else { throw LaunchError(code: code) }
    return process
  }

  /// Starts a program, as above, that receives a signal when the calling thread ends first, even if this program is
  /// killed. Children of the child are not affected.
  ///
  /// On macOS, which has no such mechanism, the child continues.
  package static func start(
    _ program: String, _ arguments: [String], endingWithThreadBy signal: Int32, environment: [String]? = nil,
    input: Stream = .ours, output: Stream = .ours, errors: Stream = .ours
  ) throws(LaunchError) -> pid_t {
    #if os(Linux)
      var words = ([program] + arguments).map { strdup($0) } + [nil]
      var settings = (environment ?? []).map { strdup($0) } + [nil]
      defer { for text in words + settings { free(text) } }
      let streams = [input, output, errors].map { (stream: Stream) -> Int32 in
        switch stream {
        case .ours: Int32(APUS_STREAM_OURS)
        case .descriptor(let descriptor): descriptor
        case .nowhere: Int32(APUS_STREAM_NOWHERE)
        }
      }
      var process = pid_t()
      let code =
        environment == nil
        ? apus_spawn_with_thread(&process, program, &words, environ, streams, signal)
        : apus_spawn_with_thread(&process, program, &words, &settings, streams, signal)
      guard code == 0 else { throw LaunchError(code: code) }
      return process
    #else
      return try start(
        program, arguments, environment: environment, input: input, output: output, errors: errors)
    #endif
  }

  /// Waits for a child and returns its status as a shell does: the exit code, or 128 plus the signal number.
  package static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }
}
