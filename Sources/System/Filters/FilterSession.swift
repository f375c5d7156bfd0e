import ApusPlatform
import ApusProcesses
import Dispatch
import Synchronization

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
    /// The run that it works for.
    var run: Run?
    /// Why it was killed, where it was.
    var reason: FilterError?
  }

  /// `program` is what is started as the child; without one, the running program.
  public init(program: String? = nil, limits: FilterLimits = .init()) {
    self.program = program ?? ProgramPath.own
    self.limits = limits
  }

  deinit { child.withLock { FilterSession.end($0) } }

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

  /// One run of a filter, known by itself: what ends it ends no other that has the child after it.
  private final class Run: Sendable {
    /// For when it is cancelled before it has a child to kill.
    let isCancelled = Mutex(false)
  }

  private func runBlocking(
    _ filter: String, _ kind: FilterMessage.Kind, _ number: Int?, _ run: Run, _ input: () -> [UInt8]
  ) throws(FilterError) -> [UInt8] {
    let (socket, known) = try started(for: run)
    defer { child.withLock { $0?.run = nil } }
    // From here on the child is there, and cancelling kills it.
    guard !run.isCancelled.withLock({ $0 }) else { throw .cancelled }
    let timer = DispatchWorkItem { self.kill(run, for: .tooSlow(limit: self.limits.time)) }
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
    guard let (socket, childSocket) = Descriptor.socketPair() else {
      throw .noProcess(String(cString: strerror(errno)))
    }
    defer { close(childSocket) }
    let words = [FilterWorker.argument, String(limits.memory), String(limits.output), String(limits.processorSeconds)]
    do throws(Children.NotStarted) {
      // A group of its own: Ctrl-C in the terminal is for the program, which ends its child itself. An empty environment:
      // nothing for `$ENV` to show.
      let process = try Children.start(
        program, words, environment: [], input: .descriptor(childSocket), output: .descriptor(childSocket),
        errors: .nowhere, inOwnGroup: true)
      return Child(process: process, socket: socket)
    } catch {
      close(socket)
      throw .noProcess("\(program): \(error)")
    }
  }

  /// Kills the child; whoever waits for its answer is told why.
  private func kill(_ run: Run, for reason: FilterError) {
    child.withLock { child in
      guard var running = child, running.run === run else { return }
      running.reason = running.reason ?? reason
      child = running
      _ = ApusPlatform.kill(running.process, SIGKILL)
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
    _ = ApusPlatform.kill(child.process, SIGKILL)
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
  }
}

extension Duration {
  fileprivate var seconds: Double { self / .seconds(1) }
}
