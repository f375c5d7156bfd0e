import ApusPlatform

/// The highest descriptors of the process, which no connection keeps, so that another one can always be accepted and answered.
///
/// The system assigns the lowest free descriptor (POSIX, `open`), so one in the reserve shows that all below it are in use.
///
/// | situation | effect |
/// |---|---|
/// | a connection of an application, if the descriptors below the reserve do not suffice for another one | it is answered with status 503 and closed |
/// | a connection of an application in the reserve, since other parts of the program use many | the same |
/// | a connection to the server in the reserve, or a file that is opened before it | the request is answered with status 503 |
/// | a wake signal in the reserve | the request is answered with status 503, or its response is broken off |
struct DescriptorReserve: Sendable {
  static let reason = "the limit of open files is reached; raise it (ulimit -n), or close connections"
  /// The number of descriptors, unless the limit is very low. Name lookups and files that are written use some for a short time.
  private static let size = 16

  /// The descriptors of a connection: the sockets of both sides, two of libcurl, and two of a wake signal.
  private static let sizeOfConnection: Int32 = 6

  private let first: Int32

  /// - Parameter limit: The number of descriptors that the process can have; `nil` if it is not known.
  init(limit: Int? = ResourceLimit.descriptors.current.map { Int(clamping: $0.rlim_cur) }) {
    first = Int32(clamping: limit.map { $0 - min(Self.size, $0 / 4) } ?? .max)
  }

  /// Returns the number of connections for which the descriptors below the reserve suffice, from the first free one on.
  func connectionLimit(from free: Int32) -> Int { max(1, Int((first - free) / Self.sizeOfConnection)) }

  func contains(_ descriptor: Int32) -> Bool { descriptor >= first }

  /// Whether all descriptors below the reserve are in use.
  var isReached: Bool {
    let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == EMFILE || errno == ENFILE }
    close(descriptor)
    return contains(descriptor)
  }
}
