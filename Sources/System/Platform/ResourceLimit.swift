/// What the system gives a process no more of than a limit.
package enum ResourceLimit: Sendable {
  /// Addresses: memory in use, and what is only set aside.
  case addresses
  /// Open files and connections.
  case descriptors
  /// Seconds of processor time.
  case processorTime

  #if canImport(Glibc)
    private var number: __rlimit_resource_t {
      switch self {
      case .addresses: __rlimit_resource_t(RLIMIT_AS.rawValue)
      case .descriptors: __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      case .processorTime: __rlimit_resource_t(RLIMIT_CPU.rawValue)
      }
    }
  #else
    private var number: Int32 {
      switch self {
      case .addresses: RLIMIT_AS
      case .descriptors: RLIMIT_NOFILE
      case .processorTime: RLIMIT_CPU
      }
    }
  #endif

  /// Nil where the system does not tell.
  package var current: rlimit? {
    var limit = rlimit()
    return getrlimit(number, &limit) == 0 ? limit : nil
  }

  /// Whether the system took it.
  @discardableResult
  package func set(_ limit: rlimit) -> Bool {
    var limit = limit
    return setrlimit(number, &limit) == 0
  }
}
