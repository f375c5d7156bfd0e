import ApusPlatform
import Foundation
import Synchronization

/// Ignores SIGPIPE. A program may end before it reads its input, which must not end the tests.
private func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

/// A program under test. Its output can be read line by line, and it ends with the test.
///
/// It is not started with Foundation's `Process`, which waits not only for the program but also for its background
/// processes, such as a tmux server.
package final class ChildProcess: Sendable {
  package struct Outcome: Sendable {
    /// The exit code; 128 plus the signal's number after a signal, as in a shell.
    package let exitCode: Int32
    package let output: String
    package let errors: String
  }

  package struct LaunchError: Error, CustomStringConvertible {
    package let description: String

    package init(description: String) { self.description = description }
  }

  package let processIdentifier: pid_t
  private let input: Mutex<Int32>
  private let output: LineReader
  private let errors: LineReader
  private let ending = Ending()

  package init(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    ignoreBrokenPipes()
    let input = try Self.pipe()
    let output = try Self.pipe()
    let errors = try Self.pipe()
    var actions = SpawnSettings.actions
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    // Task threads block signals, and one is ignored. A child process would inherit both.
    var attributes = SpawnSettings.attributes
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var noSignals = sigset_t()
    sigemptyset(&noSignals)
    posix_spawnattr_setsigmask(&attributes, &noSignals)
    var brokenPipe = sigset_t()
    sigemptyset(&brokenPipe)
    sigaddset(&brokenPipe, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &brokenPipe)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var settings = variables.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in words + settings { free(text) } }
    var identifier: pid_t = 0
    let status = programStart.withLock { _ in
      posix_spawn(&identifier, program, &actions, &attributes, &words, &settings)
    }
    for end in [input.read, output.write, errors.write] { close(end) }
    self.input = Mutex(input.write)
    self.output = LineReader(output.read)
    self.errors = LineReader(errors.read)
    processIdentifier = identifier
    guard status == 0 else { throw LaunchError(description: "\(program): \(String(cString: strerror(status)))") }
    ending.wait(for: identifier)
  }

  deinit {
    closeInput()
    // A process that did not start has no ID, and 0 would mean this process group.
    if processIdentifier > 0, !ending.isOver { kill(processIdentifier, SIGTERM) }
  }

  /// Waits for the next line of standard output and returns it, or nil at the end.
  package func nextLine() async -> String? { await output.next() }

  /// Waits for the next line of standard error and returns it, or nil at the end.
  package func nextErrorLine() async -> String? { await errors.next() }

  #if os(Linux)
    /// Waits until the program has used some processor time or has ended.
    package func hasComputed(forSeconds seconds: Double) async {
      var clock = clockid_t()
      guard clock_getcpuclockid(processIdentifier, &clock) == 0 else { return }
      var time = timespec()
      while !ending.isOver, !Task.isCancelled, clock_gettime(clock, &time) == 0,
        Double(time.tv_sec) + Double(time.tv_nsec) / 1e9 < seconds
      {
        await Task.yield()
      }
    }
  #endif

  package func closeInput() {
    input.withLock { descriptor in
      if descriptor >= 0 { close(descriptor) }
      descriptor = -1
    }
  }

  package func write(_ text: String) {
    input.withLock { _ = FileDescriptor.writeAll(Array(text.utf8), to: $0) }
  }

  package func signal(_ number: Int32) { kill(processIdentifier, number) }

  /// Blocks until the program has ended, for code that cannot await.
  package func waitBlocking() { ending.block() }

  /// Waits for the end. The outcome contains the output that was not read by lines. If the task is canceled, as a test's
  /// time limit does, the program is killed.
  package func outcome() async -> Outcome {
    closeInput()
    return await withTaskCancellationHandler {
      let output = await self.output.rest()
      let errors = await self.errors.rest()
      return Outcome(exitCode: await ending.code(), output: output, errors: errors)
    } onCancel: {
      if !ending.isOver { kill(processIdentifier, SIGKILL) }
    }
  }

  /// Runs a program and waits for its end.
  package static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Outcome {
    try await ChildProcess(program, arguments, environment: environment).outcome()
  }

  /// Runs this checkout's `apus` and waits for its end.
  package static func apus(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
    try await run(Checkout.apus, arguments, environment: environment)
  }

  /// Creates a pipe whose ends are closed in child processes, except as their standard input or output.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [-1, -1]
    guard makeClosingPipe(&ends) else {
      throw LaunchError(description: "no pipe: \(String(cString: strerror(errno)))")
    }
    return (ends[0], ends[1])
  }
}

/// The exit status of a child process, awaited on a separate thread so that no task is blocked.
private final class Ending: Sendable {
  private struct State {
    var code: Int32?
    var waiting: [CheckedContinuation<Int32, Never>] = []
  }
  private let state = Mutex(State())
  private let end = DispatchSemaphore(value: 0)

  func block() {
    end.wait()
    end.signal()
  }

  var isOver: Bool { state.withLock { $0.code != nil } }

  func wait(for identifier: pid_t) {
    Thread.detachNewThread { [self] in
      var status: Int32 = 0
      while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
      let signal = status & 0x7F
      let code = signal == 0 ? status >> 8 & 0xFF : 128 + signal
      let waiting = state.withLock { state in
        state.code = code
        return state.waiting
      }
      for continuation in waiting { continuation.resume(returning: code) }
      end.signal()
    }
  }

  func code() async -> Int32 {
    await withCheckedContinuation { continuation in
      let code = state.withLock { state in
        if state.code == nil { state.waiting.append(continuation) }
        return state.code
      }
      if let code { continuation.resume(returning: code) }
    }
  }
}

/// The lines of a pipe, read on a separate thread so that no task is blocked.
private final class LineReader: Sendable {
  private let stream: AsyncStream<String>

  /// Creates a reader that closes the descriptor at the end.
  init(_ descriptor: Int32) {
    let (stream, continuation) = AsyncStream.makeStream(of: String.self)
    self.stream = stream
    Thread.detachNewThread {
      guard let file = fdopen(descriptor, "r") else { return continuation.finish() }
      var line: UnsafeMutablePointer<CChar>?
      var capacity = 0
      while true {
        let count = getline(&line, &capacity, file)
        guard count > 0, let line else { break }
        let bytes = UnsafeRawBufferPointer(start: line, count: count)
        continuation.yield(String(decoding: bytes, as: UTF8.self))
      }
      free(line)
      fclose(file)
      continuation.finish()
    }
  }

  func next() async -> String? {
    // Iterators of a stream share its buffer: each returns the next line.
    var iterator = stream.makeAsyncIterator()
    guard let line = await iterator.next() else { return nil }
    return line.hasSuffix("\n") ? String(line.dropLast()) : line
  }

  func rest() async -> String {
    var text = ""
    for await line in stream { text += line }
    return text
  }
}
