import ApusPlatform

/// The resource limits that the program needs. If they are too low, the runtime crashes without a message, so they are
/// checked at startup.
enum SystemLimit: CaseIterable {
  /// The number of open files and connections.
  case descriptors
  /// The address space in bytes: memory in use and reserved, for example for threads.
  case addresses

  /// The required limit: the need of the most demanding command, plus a reserve.
  private var fewest: rlim_t {
    switch self {
    case .descriptors: 48
    case .addresses: 512 << 20
    }
  }

  /// The first limit that is too low and cannot be raised.
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
        "apus: \(current >> 20) MB of address space is too little; allow \(fewest >> 20) MB or more "
          + "(ulimit -v \(fewest >> 10))")
    }
    return .fileError
  }

  private var limit: rlimit? { resource.current }

  private var resource: ResourceLimit {
    switch self {
    case .descriptors: .descriptors
    case .addresses: .addresses
    }
  }
}
