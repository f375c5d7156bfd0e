import Synchronization

/// A counter that starts at 1.
final class Count: Sendable {
  private let count = Mutex(0)

  func next() -> Int {
    count.withLock { count in
      count += 1
      return count
    }
  }
}
