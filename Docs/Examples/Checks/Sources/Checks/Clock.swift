import Synchronization

/// A clock that moves only on request.
final class Clock: Sendable {
  private let now = Mutex<UInt32>(1000)
  var seconds: UInt32 { now.withLock { $0 } }
  func pass(_ seconds: UInt32) { now.withLock { $0 += seconds } }
}
