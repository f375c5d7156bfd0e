import ApusPlatform
import Synchronization

/// Runs a command's asynchronous work from the synchronous main thread.
///
/// 1. The main thread reads from a pipe, which tells it what happens.
/// 2. The first signal that asks for the end cancels the work, which ends in good order with the signal's exit code.
/// 3. A second one ends the program at once, whatever the work waits for; so does the first while a local file is read,
///    which may be a pipe that nobody closes.
/// 4. The work's own end is the last message in the pipe.
enum Running {
  private final class Outcome: Sendable {
    let result = Mutex<Result<ExitCode, CommandFailure>?>(nil)
  }

  static func toEnd(
    _ work: @escaping @Sendable () async throws(CommandFailure) -> ExitCode
  ) throws(CommandFailure) -> ExitCode {
    guard let (reader, writer) = Descriptor.pipe() else {
      throw .file("no pipe can be opened: \(String(cString: strerror(errno)))")
    }
    defer { for end in [reader, writer] { close(end) } }
    EndSignals.listen(writer)
    defer { EndSignals.stopListening() }
    let outcome = Outcome()
    let task = Task.detached {
      let result: Result<ExitCode, CommandFailure>
      do throws(CommandFailure) {
        result = .success(try await work())
      } catch {
        result = .failure(error)
      }
      outcome.result.withLock { $0 = result }
      EndSignals.send(EndSignals.workIsDone, to: writer)
    }
    while let message = receive(from: reader), message != EndSignals.workIsDone { task.cancel() }
    let result = outcome.result.withLock { $0 } ?? .success(.success)
    guard let number = EndSignals.first, case .failure(let failure) = result, failure.exitCode == .interrupted else {
      return try result.get()
    }
    throw CommandFailure(exitCode: ExitCode(endSignal: number), message: EndSignals.name(of: number))
  }

  /// The next message; nil when none can come any more.
  private static func receive(from reader: Int32) -> UInt8? {
    var message: [UInt8] = [0]
    return Descriptor.read(reader, into: &message) == 1 ? message[0] : nil
  }
}

/// The signals that ask the program to end, told through a pipe.
enum EndSignals {
  /// No signal has this number: the message that the work has ended.
  static let workIsDone: UInt8 = 0

  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let firstNumber = Atomic<Int32>(0)
  private static let pipe = Atomic<Int32>(-1)
  /// How many threads wait for local input, which nothing but the end of the process can interrupt.
  private static let waiting = Atomic<Int32>(0)

  static func beginWaitingForInput() {
    waiting.add(1, ordering: .sequentiallyConsistent)
    // One that came just before is as good.
    if let number = first { _exit(128 + number) }
  }

  static func endWaitingForInput() { waiting.subtract(1, ordering: .sequentiallyConsistent) }

  /// The number of the first signal that came, if one did.
  static var first: Int32? {
    let number = firstNumber.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  static func name(of number: Int32) -> String {
    switch number {
    case SIGTERM: "terminated"
    case SIGHUP: "hung up"
    case SIGQUIT: "quit"
    default: "interrupted"
    }
  }

  static func listen(_ writer: Int32) {
    // All are made here, before a handler can ask for them.
    _ = UnfinishedFiles.ofThisProcess
    firstNumber.store(0, ordering: .relaxed)
    pipe.store(writer, ordering: .sequentiallyConsistent)
    for number in numbers { signal(number, handle) }
  }

  static func stopListening() {
    for number in numbers { signal(number, SIG_DFL) }
    pipe.store(-1, ordering: .sequentiallyConsistent)
  }

  static func send(_ message: UInt8, to writer: Int32) {
    var message = message
    while write(writer, &message, 1) < 0, errno == EINTR {}
  }

  /// Does only what is allowed in a signal handler. A terminal that went away is told by several hangups, which are one.
  private static let handle: @convention(c) (Int32) -> Void = { number in
    let isFirst = firstNumber.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
    guard waiting.load(ordering: .sequentiallyConsistent) == 0, isFirst || number == SIGHUP else {
      UnfinishedFiles.ofThisProcess.takeAway()
      _exit(128 + number)
    }
    let saved = errno
    send(UInt8(truncatingIfNeeded: number), to: pipe.load(ordering: .sequentiallyConsistent))
    errno = saved
  }
}
