import ApusPlatform

/// What one run of a piece of work took.
struct Cost: Sendable {
  /// Milliseconds that passed.
  var wall: Double
  /// Milliseconds of processor time, of all threads.
  var processor: Double
  /// Peak of the resident size in megabytes, where the work was a whole process.
  var memory: Double?

  /// Measures work in this process.
  static func measure(_ work: () async throws -> Void) async rethrows -> Cost {
    let processor = now(CLOCK_PROCESS_CPUTIME_ID)
    let wall = now(CLOCK_MONOTONIC)
    try await work()
    return Cost(wall: now(CLOCK_MONOTONIC) - wall, processor: now(CLOCK_PROCESS_CPUTIME_ID) - processor)
  }

  /// The largest resident size that this process has had so far, in megabytes.
  static func peakMemory() throws -> Double {
    #if os(Linux)
      // What getrusage tells has the parent's size at the start in it.
      guard let file = fopen("/proc/self/status", "r") else { throw BenchmarkError("no /proc/self/status") }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        var kilobytes = 0
        if withUnsafeMutablePointer(
          to: &kilobytes,
          { number in
            withVaList([number]) { vsscanf(line, "VmHWM: %ld", $0) }
          }) == 1
        {
          return Double(kilobytes) * 1024 / 1_000_000
        }
      }
      throw BenchmarkError("/proc/self/status tells no peak")
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.peakResidentSize) / 1_000_000
    #endif
  }

  /// A clock's time in milliseconds.
  static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

extension Array where Element == Double {
  var median: Double { percentile(50) }

  /// The smallest element that so many percent of all are not above; not a number for none.
  func percentile(_ percent: Double) -> Double {
    guard !isEmpty else { return .nan }
    let rank = Int((percent / 100 * Double(count)).rounded(.up))
    return sorted()[Swift.max(rank - 1, 0)]
  }
}
