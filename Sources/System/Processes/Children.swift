import ApusPlatform
import CApusSpawn

/// Starts other programs, in the one way in which they are to be started.
///
/// A child gets nothing of what this process has arranged for itself: no signal is blocked, as in the threads of tasks,
/// none is ignored, as SIGPIPE is, and no descriptor goes along but the three streams that are named.
package enum Children {
  /// What one of a child's three streams is.
  package enum Stream: Sendable {
    /// The one of this process.
    case ours
    case descriptor(Int32)
    /// Nothing to read, and a place where everything can be written to.
    case nowhere
  }

  /// Why a child could not be started.
  package struct NotStarted: Error, Sendable, Equatable, CustomStringConvertible {
    package let code: Int32
    package var description: String { String(cString: strerror(code)) }
  }

  /// Starts a program, which is looked for in `PATH` where its name has no slash. Other descriptors must be closed on
  /// exec, as all of this program are.
  ///
  /// - Parameters:
  ///   - environment: `NAME=VALUE` each; without it, that of this process.
  ///   - inOwnGroup: Whether the terminal's Ctrl-C is not for it.
  package static func start(
    _ program: String, _ arguments: [String], environment: [String]? = nil, input: Stream = .ours,
    output: Stream = .ours, errors: Stream = .ours, inOwnGroup: Bool = false
  ) throws(NotStarted) -> pid_t {
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
    guard code == 0 else { throw NotStarted(code: code) }
    return process
  }

  /// Starts a program that this thread waits for, as `start` does, and lets it get a signal when the thread ends before
  /// it: when this program is killed, whatever kills it. Programs that it starts in turn are its own affair.
  ///
  /// On macOS, where the system has nothing of the kind, it goes on.
  package static func start(
    _ program: String, _ arguments: [String], endingWithThreadBy signal: Int32, environment: [String]? = nil,
    input: Stream = .ours, output: Stream = .ours, errors: Stream = .ours
  ) throws(NotStarted) -> pid_t {
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
      guard code == 0 else { throw NotStarted(code: code) }
      return process
    #else
      return try start(
        program, arguments, environment: environment, input: input, output: output, errors: errors)
    #endif
  }

  /// Waits for a child's end and gives its status as a shell tells it: the exit code, or 128 and the signal's number.
  package static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      if errno != EINTR { return -1 }
    }
    return status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
  }
}
