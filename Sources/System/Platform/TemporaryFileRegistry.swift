import Synchronization

/// The temporary file that is currently being written, so that a signal handler can remove it before the program ends.
///
/// The handler may only read one number and memory that is never freed, so the path of every temporary file is kept.
package final class TemporaryFileRegistry: Sendable {
  /// The registry of this process. Access it once before installing the signal handler, so that it is initialized.
  package static let ofThisProcess = TemporaryFileRegistry()

  /// The address of the current path; 0 for none.
  private let current = Atomic<UInt>(0)
  private let paths = Mutex<[String: UInt]>([:])
  /// The folders that have been written to.
  private let folders = Mutex<Set<String>>([])

  package init() {}

  deinit {
    paths.withLock { for address in $0.values { free(UnsafeMutableRawPointer(bitPattern: address)) } }
  }

  /// Registers a file before it is created. Returns false if another file is registered; then this one is not.
  package func begin(_ path: String) -> Bool {
    let address = paths.withLock { paths in
      if let address = paths[path] { return address }
      let address = UInt(bitPattern: strdup(path))
      paths[path] = address
      return address
    }
    return current.compareExchange(expected: 0, desired: address, ordering: .sequentiallyConsistent).exchanged
  }

  /// Whether this is the first call for the folder.
  package func isFirst(in folder: String) -> Bool { folders.withLock { $0.insert(folder).inserted } }

  /// Unregisters the current file after it was renamed or removed.
  package func end() { current.store(0, ordering: .sequentiallyConsistent) }

  /// Removes the current file. Safe to call in a signal handler.
  package func removeCurrent() {
    guard let path = UnsafePointer<CChar>(bitPattern: current.load(ordering: .sequentiallyConsistent)) else { return }
    unlink(path)
  }
}
