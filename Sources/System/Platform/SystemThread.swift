/// A system thread for blocking work, so that the threads of Swift tasks stay free.
package enum SystemThread {
  /// Runs a body on a new detached thread; returns false if the system cannot create one.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    // An integer with glibc, a pointer elsewhere.
    #if canImport(Glibc)
      var thread = pthread_t()
    #else
      var thread: pthread_t?
    #endif
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    // The default of glibc on most systems. The defaults are 512 KB on macOS and 128 KB with musl.
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
