import ApusPlatform

/// Runs a program to its end and reads its resource usage from the kernel.
enum ProcessMeasurement {
  /// Runs a program. A name without a path is looked up in `PATH`. Throws if the program fails.
  static func run(_ program: String, _ arguments: [String]) throws -> Cost {
    var actions = SpawnSettings.actions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }

    let start = Cost.now(CLOCK_MONOTONIC)
    var identifier: pid_t = 0
    let refusal = posix_spawnp(&identifier, program, &actions, nil, &words, environ)
    guard refusal == 0 else { throw BenchmarkError("\(program): \(String(cString: strerror(refusal)))") }
    var status: Int32 = 0
    var usage = rusage()
    while wait4(identifier, &status, 0, &usage) < 0, errno == EINTR {}
    let wall = Cost.now(CLOCK_MONOTONIC) - start

    guard status == 0 else { throw BenchmarkError("\(program) \(arguments.joined(separator: " ")) failed") }
    return Cost(
      wall: wall, processor: milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime),
      memory: Double(usage.peakResidentSize) / 1_000_000)
  }

  private static func milliseconds(_ time: timeval) -> Double {
    Double(time.tv_sec) * 1e3 + Double(time.tv_usec) / 1e3
  }
}
