import ApusPlatform

/// What the system gives a process at most. With less than this the runtime ends the program by a signal and without a
/// word, where it cannot make what it waits with or gets no memory; so that is said before anything begins.
enum SystemLimit: CaseIterable {
  /// How many files and connections may be open at once.
  case descriptors
  /// Addresses: memory in use, and what is only set aside, as each thread does.
  case addresses

  /// What the largest command uses, with some to spare.
  private var fewest: rlim_t {
    switch self {
    case .descriptors: 48
    case .addresses: 512 << 20
    }
  }

  /// The first limit that is too low; raised where that is allowed.
  static var tooLow: SystemLimit? { allCases.first { !$0.isEnough } }

  private var isEnough: Bool {
    guard var limit, limit.rlim_cur < fewest else { return true }
    limit.rlim_cur = min(limit.rlim_max, fewest)
    return resource.set(limit) && limit.rlim_cur >= fewest
  }

  func refuse() -> ExitCode {
    let current = limit?.rlim_cur ?? 0
    switch self {
    case .descriptors:
      StandardStreams.narrate(
        "apus: \(current) file descriptors are too few; allow \(fewest) or more (ulimit -n \(fewest))")
    case .addresses:
      StandardStreams.narrate(
        "apus: \(current >> 20) MB of address space are too few; allow \(fewest >> 20) MB or more "
          + "(ulimit -v \(fewest >> 10))")
    }
    return .localFileFailed
  }

  private var limit: rlimit? { resource.current }

  private var resource: ResourceLimit {
    switch self {
    case .descriptors: .descriptors
    case .addresses: .addresses
    }
  }
}
