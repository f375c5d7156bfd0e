import Synchronization

/// The file that is being written beside the one whose place it will take: what ends the program at once takes it away.
///
/// A signal's handler may ask for that, so that it reads one number, and memory that is not given back: the path of each file
/// that was ever written, once.
package final class UnfinishedFiles: Sendable {
  /// Those of this process. To be named once before a handler can ask: then it is made.
  package static let ofThisProcess = UnfinishedFiles()

  /// The address of the path; 0 for none.
  private let current = Atomic<UInt>(0)
  private let paths = Mutex<[String: UInt]>([:])
  /// The folders that something was written to.
  private let folders = Mutex<Set<String>>([])

  package init() {}

  deinit {
    paths.withLock { for address in $0.values { free(UnsafeMutableRawPointer(bitPattern: address)) } }
  }

  /// Notes a file before it is made. False where another is written at the same time: this one is not noted then.
  package func begin(_ path: String) -> Bool {
    let address = paths.withLock { paths in
      if let known = paths[path] { return known }
      let address = UInt(bitPattern: strdup(path))
      paths[path] = address
      return address
    }
    return current.compareExchange(expected: 0, desired: address, ordering: .sequentiallyConsistent).exchanged
  }

  /// Whether nothing was written to the folder before.
  package func isFirst(in folder: String) -> Bool { folders.withLock { $0.insert(folder).inserted } }

  /// The file that was noted has taken its place, or is gone.
  package func end() { current.store(0, ordering: .sequentiallyConsistent) }

  /// Removes the file that is being written. Does only what is allowed in a signal handler.
  package func takeAway() {
    guard let path = UnsafePointer<CChar>(bitPattern: current.load(ordering: .sequentiallyConsistent)) else { return }
    unlink(path)
  }
}
