/// A resource of the process that the system can limit.
package enum ResourceLimit: Sendable {
  /// Address space: memory in use or only reserved.
  case addresses
  /// Open files and connections.
  case descriptors
  /// Processor time, in seconds.
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

  /// The current limits; nil if the system does not report them.
  package var current: rlimit? {
    var limit = rlimit()
    return getrlimit(number, &limit) == 0 ? limit : nil
  }

  /// Sets the limits; returns whether the system accepted them.
  @discardableResult
  package func set(_ limit: rlimit) -> Bool {
    var limit = limit
    return setrlimit(number, &limit) == 0
  }
}
