#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A thread for work that blocks: the threads of tasks must stay free.
enum ServerThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// False when the system has no threads left.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let work = Unmanaged.passRetained(Work(body))
    #if canImport(Glibc)
      var thread = pthread_t()
      let code = pthread_create(
        &thread, nil,
        { argument in
          if let argument { Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body() }
          return nil
        }, work.toOpaque())
      if code == 0 { pthread_detach(thread) }
    #else
      var thread: pthread_t?
      let code = pthread_create(
        &thread, nil,
        { argument in
          Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
          return nil
        }, work.toOpaque())
      if code == 0, let thread { pthread_detach(thread) }
    #endif
    if code != 0 { work.release() }
    return code == 0
  }
}
