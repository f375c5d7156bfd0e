import Synchronization

/// Names one request among all of this process, so that what a cache tells of its changes can be tied to who asked.
public struct RequestID: Sendable, Hashable, CustomStringConvertible {
  private static let count = Atomic<UInt64>(0)

  private let number: UInt64

  /// One that no other request has.
  public init() {
    number = Self.count.wrappingAdd(1, ordering: .relaxed).newValue
  }

  /// A number, for logs: requests count up from 1 in each process.
  public var description: String { "\(number)" }
}
