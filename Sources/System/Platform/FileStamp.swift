/// The size, identity and time of a file's content. They differ after a change, unless it follows another one within a tick of
/// the file system's clock.
package struct FileStamp: Equatable, Sendable {
  private let size: Int
  private let identity: FileIdentity
  private let seconds: Int
  private let nanoseconds: Int

  /// Creates the stamp of a file; `nil` if there is none.
  package init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    size = Int(status.st_size)
    identity = status.place
    let time = modificationTime(of: status)
    seconds = Int(time.tv_sec)
    nanoseconds = Int(time.tv_nsec)
  }

  /// Whether the stamp may stay the same after another change: some file systems count in seconds.
  package var isRecent: Bool { Int(time(nil)) - seconds < 3 }
}
