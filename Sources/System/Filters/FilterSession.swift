import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Runs jq filters over JSON in a child process with limits on time and memory: a filter that never ends, or takes all
/// memory, costs that process and nothing else.
///
/// The child is this program itself, started with `FilterWorker.argument`. It keeps its input, so that a filter that is
/// changed letter by letter runs over values that are read already.
public final class FilterSession: Sendable {
  private let program: String
  private let limits: FilterLimits
  /// Blocking reads and writes happen here, one filter at a time.
  private let queue = DispatchQueue(label: "filter")
  private let child = Mutex<Child?>(nil)

  private struct Child {
    let process: pid_t
    let socket: Int32
    /// Which input it holds.
    var input: Int?
    /// Why it was killed, where it was.
    var reason: FilterError?
  }

  /// `program` is what is started as the child; without one, the running program.
  public init(program: String? = nil, limits: FilterLimits = .init()) {
    self.program = program ?? FilterSession.ownProgram
    self.limits = limits
  }

  deinit { child.withLock { FilterSession.end($0) } }

  static var ownProgram: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }

  /// Reads a filter without running it.
  public func check(_ filter: String) async throws(FilterError) {
    _ = try await run(filter, as: .check, number: nil) { [] }
  }

  /// Runs a filter and gives its results, one line of compact JSON for each.
  ///
  /// `number` tells one input from another: an input that the child has already is not sent again. `input` makes the
  /// JSON text when it is needed.
  public func run(
    _ filter: String, number: Int, input: @escaping @Sendable () -> [UInt8]
  ) async throws(FilterError) -> [UInt8] {
    try await run(filter, as: .filter, number: number, input: input)
  }

  private func run(
    _ filter: String, as kind: FilterMessage.Kind, number: Int?, input: @escaping @Sendable () -> [UInt8]
  ) async throws(FilterError) -> [UInt8] {
    let cancellation = Cancellation()
    let result: Result<[UInt8], FilterError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          do throws(FilterError) {
            continuation.resume(returning: .success(try self.runBlocking(filter, kind, number, cancellation, input)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      cancellation.isCancelled.withLock { $0 = true }
      kill(for: .cancelled)
    }
    return try result.get()
  }

  /// Whether a run was cancelled, for when that is before it has a child to kill.
  private final class Cancellation: Sendable {
    let isCancelled = Mutex(false)
  }

  private func runBlocking(
    _ filter: String, _ kind: FilterMessage.Kind, _ number: Int?, _ cancellation: Cancellation, _ input: () -> [UInt8]
  ) throws(FilterError) -> [UInt8] {
    let (process, socket, known) = try started()
    // From here on the child is there, and cancelling kills it.
    guard !cancellation.isCancelled.withLock({ $0 }) else { throw .cancelled }
    let timer = DispatchWorkItem { self.kill(for: .tooSlow(limit: self.limits.time), process) }
    defer { timer.cancel() }
    if let number, known != number {
      let bytes = input()
      guard bytes.count <= limits.input else { throw .inputTooLarge(bytes: bytes.count, limit: limits.input) }
      DispatchQueue.global().asyncAfter(deadline: .now() + limits.time.seconds, execute: timer)
      guard FilterMessage.send(.input, bytes, to: socket) else { throw ended() }
      child.withLock { $0?.input = number }
    } else {
      DispatchQueue.global().asyncAfter(deadline: .now() + limits.time.seconds, execute: timer)
    }
    guard FilterMessage.send(kind, Array(filter.utf8), to: socket), let answer = FilterMessage.receive(from: socket)
    else { throw ended() }
    let text = { String(decoding: answer.bytes, as: UTF8.self) }
    switch answer.kind {
    case .results: return answer.bytes
    case .syntax: throw .syntax(text())
    case .failed: throw .failed(text())
    case .outputTooLarge: throw .outputTooLarge(limit: limits.output)
    case .input, .filter, .check: throw .noProcess("its child answered something else")
    }
  }

  // MARK: The child

  private func started() throws(FilterError) -> (pid_t, Int32, Int?) {
    if let running = child.withLock({ $0 }) { return (running.process, running.socket, running.input) }
    let started = try spawn()
    child.withLock { $0 = started }
    return (started.process, started.socket, nil)
  }

  private func spawn() throws(FilterError) -> Child {
    var sockets: [Int32] = [-1, -1]
    #if canImport(Glibc)
      let type = Int32(SOCK_STREAM.rawValue)
    #else
      let type = SOCK_STREAM
    #endif
    guard socketpair(AF_UNIX, type, 0, &sockets) == 0 else { throw .noProcess(String(cString: strerror(errno))) }
    for socket in sockets { _ = fcntl(socket, F_SETFD, FD_CLOEXEC) }
    #if !canImport(Glibc)
      var one: Int32 = 1
      setsockopt(sockets[0], SOL_SOCKET, SO_NOSIGPIPE, &one, socklen_t(MemoryLayout<Int32>.size))
    #endif
    defer { close(sockets[1]) }
    #if canImport(Glibc)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, sockets[1], STDOUT_FILENO)
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
    // A group of its own: Ctrl-C in the terminal is for the program, which ends its child itself.
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETPGROUP))
    let words = [program, FilterWorker.argument, String(limits.memory), String(limits.output)]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for word in arguments { free(word) } }
    // An empty environment: nothing for `$ENV` to show.
    var environment: [UnsafeMutablePointer<CChar>?] = [nil]
    var process: pid_t = 0
    let code = posix_spawn(&process, program, &actions, &attributes, &arguments, &environment)
    guard code == 0 else {
      close(sockets[0])
      throw .noProcess("\(program): \(String(cString: strerror(code)))")
    }
    return Child(process: process, socket: sockets[0])
  }

  /// Kills the child; whoever waits for its answer is told why.
  private func kill(for reason: FilterError, _ process: pid_t? = nil) {
    child.withLock { child in
      guard var running = child, process == nil || process == running.process else { return }
      running.reason = running.reason ?? reason
      child = running
      _ = systemKill(running.process, SIGKILL)
    }
  }

  /// Why the child is gone, which is forgotten then: the next filter starts another.
  private func ended() -> FilterError {
    let gone = child.withLock { child in
      defer { child = nil }
      return child
    }
    guard let gone else { return .noProcess("its child is gone") }
    close(gone.socket)
    var status: Int32 = 0
    while waitpid(gone.process, &status, 0) < 0, errno == EINTR {}
    if let reason = gone.reason { return reason }
    let signal = status & 0x7F
    let exitCode = (status >> 8) & 0xFF
    // libjq, and Swift, end the process when they get no memory.
    if [SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP].contains(signal) { return .outOfMemory(limit: limits.memory) }
    return .noProcess("its child ended with \(signal != 0 ? "signal \(signal)" : "code \(exitCode)")")
  }

  private static func end(_ child: Child?) {
    guard let child else { return }
    close(child.socket)
    _ = systemKill(child.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
  }
}

private func systemKill(_ process: pid_t, _ signal: Int32) -> Int32 { kill(process, signal) }

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
