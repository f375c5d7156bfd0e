/// A thread of the system's own, for work that blocks: the threads of tasks must stay free.
package enum SystemThread {
  /// Runs a body on a new thread, which nobody waits for; false when the system has no threads left.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    // A number with glibc, else a pointer.
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // As glibc has it where nothing else is said; else it is 512 KB on macOS and 128 KB with musl.
    pthread_attr_setstacksize(&attributes, 8 << 20)
    let code = pthread_create(&thread, &attributes, { runWork($0) }, work.toOpaque())
    guard code == 0 else {
      work.release()
      return false
    }
    #if canImport(Glibc)
      pthread_detach(thread)
    #else
      if let thread { pthread_detach(thread) }
    #endif
    return true
  }
}

private final class Work: Sendable {
  let body: @Sendable () -> Void
  init(_ body: @escaping @Sendable () -> Void) { self.body = body }
}

private func runWork(_ work: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
  return nil
}
