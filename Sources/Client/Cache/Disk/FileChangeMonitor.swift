import ApusPlatform
@preconcurrency import Dispatch

/// Notifications of writes to a cache file: from the kernel if possible (inotify), so that nothing wakes up while the file
/// does not change; otherwise a timer that fires five times per second.
enum FileChangeMonitor {
  static func stream(of path: String) -> AsyncStream<Void> {
    #if os(Linux)
      if let stream = watched(path) { return stream }
    #endif
    return supposed
  }

  /// Notifies other processes that a write can be read.
  ///
  /// SQLite first writes to its log and then updates, in shared memory, how far the log may be read. The kernel reports only
  /// the write to the log, and a process that reads immediately may find nothing new. Changing the file's modification time
  /// afterwards causes another notification. The file is not opened for this, because closing it would release the locks of
  /// other connections in this process (fcntl(2)).
  static func announce(_ path: String) {
    // This fails if another user owns the file; the write to the log was reported anyway.
    _ = utimensat(AT_FDCWD, path, nil, 0)
  }

  private static var supposed: AsyncStream<Void> {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let task = Task {
      while !Task.isCancelled {
        // Without notifications from the kernel, check the file again after an interval.
        try? await Task.sleep(for: .milliseconds(200))
        continuation.yield()
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }

  #if os(Linux)
    /// Watches the directory, because SQLite creates and removes the log next to the file.
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
      // Safe: any thread may cancel a dispatch source.
      nonisolated(unsafe) let cancelled = source
      continuation.onTermination = { _ in cancelled.cancel() }
      return stream
    }

    /// Reads the pending events and returns whether one concerns the file or its log. An overflow of the event queue counts
    /// as such an event.
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
