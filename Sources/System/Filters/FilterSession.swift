import ApusPlatform
import ApusProcesses
import Dispatch
import Synchronization

/// Runs jq filters on JSON in a child process with limits on time and memory, so that a runaway filter can harm only
/// the child.
///
/// The child is this program, started with `FilterWorker.argument`. It keeps its input, so that changes of a filter do
/// not require reading the input again.
public final class FilterSession: Sendable {
  private let program: String
  private let limits: FilterLimits
  /// The queue for blocking reads and writes, one filter at a time.
  private let queue = DispatchQueue(label: "filter")
  private let child = Mutex<Child?>(nil)

  private struct Child {
    let process: pid_t
    let socket: Int32
    /// The number of the input that the child has.
    var input: Int?
    /// The run that the child is working on.
    var run: Run?
    /// The reason why the child was killed, if it was.
    var reason: FilterError?
  }

  /// Creates a session. `program` is the executable of the child, by default the running program.
  public init(program: String? = nil, limits: FilterLimits = .init()) {
    self.program = program ?? ProgramPath.current
    self.limits = limits
  }

  deinit { child.withLock { FilterSession.end($0) } }

  /// Checks the syntax of a filter without running it.
  public func check(_ filter: String) async throws(FilterError) {
    _ = try await run(filter, as: .check, number: nil) { [] }
  }

  /// Runs a filter and returns its results, one line of compact JSON each.
  ///
  /// `number` identifies the input; an input that the child already has is not sent again. `input` creates the JSON
  /// text when it is needed.
  public func run(
    _ filter: String, number: Int, input: @escaping @Sendable () -> [UInt8]
  ) async throws(FilterError) -> [UInt8] {
    try await run(filter, as: .filter, number: number, input: input)
  }

  private func run(
    _ filter: String, as kind: FilterMessage.Kind, number: Int?, input: @escaping @Sendable () -> [UInt8]
  ) async throws(FilterError) -> [UInt8] {
    let run = Run()
    let result: Result<[UInt8], FilterError> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        queue.async {
          do throws(FilterError) {
            continuation.resume(returning: .success(try self.runBlocking(filter, kind, number, run, input)))
          } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      }
    } onCancel: {
      run.isCancelled.withLock { $0 = true }
      kill(run, for: .cancelled)
    }
    return try result.get()
  }

  /// One run of a filter. Its identity ensures that a late cancellation does not kill the child of the next run.
  private final class Run: Sendable {
    /// Whether the run was canceled before it had a child.
    let isCancelled = Mutex(false)
  }

  private func runBlocking(
    _ filter: String, _ kind: FilterMessage.Kind, _ number: Int?, _ run: Run, _ input: () -> [UInt8]
  ) throws(FilterError) -> [UInt8] {
    let (socket, existing) = try started(for: run)
    defer { child.withLock { $0?.run = nil } }
    // From here on, cancellation kills the child.
    guard !run.isCancelled.withLock({ $0 }) else { throw .cancelled }
    let timer = DispatchWorkItem { self.kill(run, for: .tooSlow(limit: self.limits.time)) }
    defer { timer.cancel() }
    if let number, existing != number {
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
    case .input, .filter, .check: throw .noProcess("its child process sent an unexpected message")
    }
  }

  // MARK: The child

  private func started(for run: Run) throws(FilterError) -> (socket: Int32, input: Int?) {
    if child.withLock({ $0 }) == nil {
      let started = try spawn()
      child.withLock { $0 = started }
    }
    return child.withLock { child in
      child?.run = run
      return (child?.socket ?? -1, child?.input)
    }
  }

  private func spawn() throws(FilterError) -> Child {
    guard let (socket, childSocket) = FileDescriptor.socketPair() else {
      throw .noProcess(String(cString: strerror(errno)))
    }
    defer { close(childSocket) }
    let words = [FilterWorker.argument, String(limits.memory), String(limits.output), String(limits.processorSeconds)]
    do throws(ChildProcess.LaunchError) {
      // Its own process group, so that Ctrl-C in the terminal does not reach the child. An empty environment, so that
      // `$ENV` exposes nothing.
      let process = try ChildProcess.start(
        program, words, environment: [], input: .descriptor(childSocket), output: .descriptor(childSocket),
        errors: .nowhere, inOwnGroup: true)
      return Child(process: process, socket: socket)
    } catch {
      close(socket)
      throw .noProcess("\(program): \(error)")
    }
  }

  /// Kills the child. The waiting call throws `reason`.
  private func kill(_ run: Run, for reason: FilterError) {
    child.withLock { child in
      guard var running = child, running.run === run else { return }
      running.reason = running.reason ?? reason
      child = running
      _ = ApusPlatform.kill(running.process, SIGKILL)
    }
  }

  /// Returns the reason why the child ended, and forgets the child, so that the next filter starts another.
  private func ended() -> FilterError {
    let gone = child.withLock { child in
      defer { child = nil }
      return child
    }
    guard let gone else { return .noProcess("its child process ended") }
    close(gone.socket)
    var status: Int32 = 0
    while waitpid(gone.process, &status, 0) < 0, errno == EINTR {}
    return gone.reason ?? Self.reason(ofStatus: status, limits)
  }

  /// Returns the reason for the end of a child that was not killed by this process.
  static func reason(ofStatus status: Int32, _ limits: FilterLimits) -> FilterError {
    let signal = status & 0x7F
    let exitCode = (status >> 8) & 0xFF
    switch signal {
    // The limit of processor time, which the child can reach first if this process waits for a processor.
    case SIGXCPU: return .tooSlow(limit: limits.time)
    // libjq and Swift abort the process when an allocation fails.
    case SIGABRT, SIGSEGV, SIGBUS, SIGILL, SIGTRAP: return .outOfMemory(limit: limits.memory)
    default: return .noProcess("its child process ended with \(signal != 0 ? "signal \(signal)" : "code \(exitCode)")")
    }
  }

  private static func end(_ child: Child?) {
    guard let child else { return }
    close(child.socket)
    _ = ApusPlatform.kill(child.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
