#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// How many files and connections may be open at once. With too few the runtime ends the program by a signal and without
/// a word, where it cannot make what it waits with; so that is said before anything begins.
enum DescriptorLimit {
  /// What the explorer has open, with some to spare.
  private static let fewest: rlim_t = 48

  /// Raises the limit where that is allowed.
  static var isEnough: Bool {
    guard var limit, limit.rlim_cur < fewest else { return true }
    limit.rlim_cur = min(limit.rlim_max, fewest)
    return setrlimit(resource, &limit) == 0 && limit.rlim_cur >= fewest
  }

  static func refuse() -> ExitCode {
    let count = limit.map { "\($0.rlim_cur)" } ?? "so few"
    StandardStreams.narrate(
      "apus: \(count) file descriptors are too few; allow \(fewest) or more (ulimit -n \(fewest))")
    return .localFileFailed
  }

  private static var limit: rlimit? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? limit : nil
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
