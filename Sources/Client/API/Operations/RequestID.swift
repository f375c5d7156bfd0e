import Synchronization

/// The identifier of a request, unique within the process, which connects cache changes to requests.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
  private static let count = Atomic<UInt64>(0)

  private let number: UInt64

  /// Creates a new identifier.
  public init() {
    number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// The number of the request, counted from 1 in each process, for logs.
  public var description: String { "\(number)" }
}
