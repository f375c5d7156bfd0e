import ApusPlatform

/// The resources used by one run of a work item.
struct Cost: Sendable {
  /// The elapsed time in milliseconds.
  var wall: Double
  /// The processor time of all threads in milliseconds.
  var processor: Double
  /// The peak resident size in megabytes, if the work was a process.
  var memory: Double?

  /// Measures work in this process.
  static func measure(_ work: () async throws -> Void) async rethrows -> Cost {
    let processor = now(CLOCK_PROCESS_CPUTIME_ID)
    let wall = now(CLOCK_MONOTONIC)
    try await work()
    return Cost(wall: now(CLOCK_MONOTONIC) - wall, processor: now(CLOCK_PROCESS_CPUTIME_ID) - processor)
  }

  /// Returns this process's peak resident size in megabytes.
  static func peakMemory() throws -> Double {
    #if os(Linux)
      // The figure of getrusage includes the parent's size at the start.
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
      throw BenchmarkError("/proc/self/status has no peak")
    #else
      var usage = rusage()
      getrusage(RUSAGE_SELF, &usage)
      return Double(usage.peakResidentSize) / 1_000_000
    #endif
  }

  /// Returns the time of a clock in milliseconds.
  static func now(_ clock: clockid_t) -> Double {
    var time = timespec()
    clock_gettime(clock, &time)
    return Double(time.tv_sec) * 1e3 + Double(time.tv_nsec) / 1e6
  }
}

extension Array where Element == Double {
  var median: Double { percentile(50) }

  /// Returns the smallest element that at least `percent` percent of all elements do not exceed; NaN if the array is
  /// empty.
  func percentile(_ percent: Double) -> Double {
    guard !isEmpty else { return .nan }
    let rank = Int((percent / 100 * Double(count)).rounded(.up))
    return sorted()[Swift.max(rank - 1, 0)]
  }
}
