import ApusPlatform

/// Starts programs in new sessions.
enum Spawn {
  /// Starts a program. Its standard streams are three descriptors or one terminal.
  static func start(
    _ words: [String], environment: [String: String], folder: String, streams: [Int32] = [], terminal: String? = nil
  ) throws(ProgramRun.LaunchError) -> pid_t {
    var actions = SpawnSettings.actions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // The first terminal opened by a session leader becomes the session's controlling terminal.
    if let terminal { posix_spawn_file_actions_addopen(&actions, 0, terminal, O_RDWR, 0) }
    for place in 0..<Int32(3) {
      let source = terminal == nil ? streams[Int(place)] : 0
      if terminal == nil || place > 0 { posix_spawn_file_actions_adddup2(&actions, source, place) }
    }
    var attributes = SpawnSettings.attributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    // Background processes of a shell ignore Ctrl-C, which a child would inherit.
    var defaults = sigset_t()
    sigemptyset(&defaults)
    for number in [SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGPIPE] { sigaddset(&defaults, number) }
    posix_spawnattr_setsigdefault(&attributes, &defaults)
    #if os(Linux)
      // From <spawn.h>; Swift does not import it here.
      let newSession: Int32 = 0x80
    #else
      let newSession = POSIX_SPAWN_SETSID
    #endif
    posix_spawnattr_setflags(
      &attributes, Int16(Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF) | newSession))
    // The shell changes to the folder and then executes the program in the same process.
    let shell = ["/bin/sh", "-c", "cd \"$0\" && exec \"$@\"", folder]
    var arguments = (shell + words).map { strdup($0) } + [nil]
    var settings = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + settings { free(text) } }
    var process: pid_t = 0
    let status = programStart.withLock { _ in
      posix_spawn(&process, shell[0], &actions, &attributes, &arguments, &settings)
    }
    guard status == 0 else {
      throw .init(description: "\(words[0]): \(String(cString: strerror(status)))")
    }
    return process
  }
}
