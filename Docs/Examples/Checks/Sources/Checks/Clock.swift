import Synchronization

/// A clock that advances only when a check advances it.
final class Clock: Sendable {
  private let now = Mutex<UInt32>(1000)
  var seconds: UInt32 { now.withLock { $0 } }
  func pass(_ seconds: UInt32) { now.withLock { $0 += seconds } }
}
