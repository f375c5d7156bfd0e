import ApusPlatform

/// A lock that one program at a time holds while it renews a token. The file is empty.
struct SignInLock: Sendable {
  private let descriptor: Int32?

  /// Waits until no other program renews the token. A program that ends releases its lock.
  ///
  /// - Parameter path: The path of the lock's file; nil if no other program uses the token.
  static func acquire(_ path: String?) async throws(SignInError) -> SignInLock {
    guard let path else { return SignInLock(descriptor: nil) }
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
    // Without a lock, two programs may both renew a token, which most servers allow.
    guard descriptor >= 0 else { return SignInLock(descriptor: nil) }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { break }
      // flock(2) has no time limit, and waiting for it would block a thread of Swift's task pool.
      guard (try? await Task.sleep(for: .milliseconds(20))) != nil else {
        close(descriptor)
        throw .cancelled
      }
    }
    return SignInLock(descriptor: descriptor)
  }

  private init(descriptor: Int32?) { self.descriptor = descriptor }

  func release() { if let descriptor { close(descriptor) } }
}
