import ApusPlatform
@preconcurrency import Dispatch

/// Tells that the file of a cache was written to: by the kernel's word where there is one (inotify), so that nothing wakes
/// while nothing happens; else it is supposed five times a second.
enum FileWrites {
  static func stream(of path: String) -> AsyncStream<Void> {
    #if os(Linux)
      if let stream = watched(path) { return stream }
    #endif
    return supposed
  }

  /// Says that what was written can be read now.
  ///
  /// SQLite writes to the log first and only then, in memory that processes share, how far it may be read: the kernel
  /// tells of the log alone, and who looks at once finds nothing new. The time of the file, set after that, is told too.
  /// Nothing is opened and closed for it, which would take away the locks of other connections to the file (fcntl(2)).
  static func announce(_ path: String) {
    // One that may not be set belongs to somebody else; the log was told of at least.
    _ = utimensat(AT_FDCWD, path, nil, 0)
  }

  private static var supposed: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      while !Task.isCancelled {
        // No kernel's word to wait for: the file is looked at again after a while.
        try? await Task.sleep(for: .milliseconds(200))
        continuation.yield()
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  #if os(Linux)
    /// The folder is watched: the log beside the file comes and goes.
    private static func watched(_ path: String) -> AsyncStream<Void>? {
      let slash = path.lastIndex(of: "/")
      let folder = slash.map { String(path[...$0]) } ?? "."
      let name = slash.map { String(path[path.index(after: $0)...]) } ?? path
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else { return nil }
      let events = UInt32(IN_MODIFY) | UInt32(IN_ATTRIB) | UInt32(IN_CREATE) | UInt32(IN_MOVED_TO)
      guard inotify_add_watch(descriptor, folder, events) >= 0 else {
        close(descriptor)
        return nil
      }
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor, queue: DispatchQueue(label: "apus.cache-file"))
      source.setEventHandler { if isAbout(name, descriptor) { continuation.yield() } }
      source.setCancelHandler { close(descriptor) }
      source.resume()
      // Safe: a source may be cancelled by any thread.
      nonisolated(unsafe) let cancelled = source
      continuation.onTermination = { _ in cancelled.cancel() }
      return stream
    }

    /// Reads what happened in the folder; whether the file or its log is meant. When more happened than the kernel
    /// remembers, it may have been.
    private static func isAbout(_ name: String, _ descriptor: Int32) -> Bool {
      let header = MemoryLayout<inotify_event>.size
      var isMeant = false
      withUnsafeTemporaryAllocation(byteCount: 16384, alignment: 16) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          guard count > 0 else { return }
          var position = 0
          while position + header <= count {
            let event = buffer.loadUnaligned(fromByteOffset: position, as: inotify_event.self)
            let start = position + header
            let end = min(start + Int(event.len), count)
            let text = buffer[start..<end].prefix { $0 != 0 }
            let found = String(decoding: text, as: UTF8.self)
            if event.len == 0 || found == name || found == name + "-wal" { isMeant = true }
            position += header + Int(event.len)
          }
        }
      }
      return isMeant
    }
  #endif
}
