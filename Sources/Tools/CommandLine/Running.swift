import ApusPlatform
import Synchronization

/// Runs a command's asynchronous work from the synchronous main thread.
///
/// 1. The main thread reads messages from a pipe: signals, and the end of the work.
/// 2. The first signal cancels the work, which ends in good order with the signal's exit code.
/// 3. Work that has not ended a second later is computing, or waits for something that cannot be canceled. The program ends
///    without it; files that are half written are removed. While local input is read, which may be a pipe that is never
///    closed, it ends immediately.
/// 4. A second signal ends the program immediately.
enum Running {
  /// The time that canceled work has to end in good order, in milliseconds.
  private static let grace: Int32 = 1_000

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
    while true {
      guard let message = receive(from: reader) else { EndSignals.endProgram() }
      if message == EndSignals.workIsDone { break }
      task.cancel()
    }
    let result = outcome.result.withLock { $0 } ?? .success(.success)
    guard let number = EndSignals.first, case .failure(let failure) = result, failure.exitCode == .interrupted else {
      return try result.get()
    }
    throw CommandFailure(exitCode: ExitCode(endSignal: number), message: EndSignals.name(of: number))
  }

  /// Returns the next message; nil when a signal came and nothing followed in time.
  private static func receive(from reader: Int32) -> UInt8? {
    let isEnding = EndSignals.first != nil
    if isEnding, EndSignals.isWaitingForInput { return nil }
    guard Descriptor.waitToRead(reader, milliseconds: isEnding ? grace : -1) else { return nil }
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

  static func beginWaitingForInput() { waiting.add(1, ordering: .sequentiallyConsistent) }

  static func endWaitingForInput() { waiting.subtract(1, ordering: .sequentiallyConsistent) }

  static var isWaitingForInput: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }

  /// Ends the program without its work, with the first signal's exit code.
  static func endProgram() -> Never {
    let number = first ?? SIGINT
    UnfinishedFiles.ofThisProcess.takeAway()
    StandardStreams.narrate("apus: \(name(of: number))")
    _exit(128 + number)
  }

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
    guard isFirst || number == SIGHUP else {
      UnfinishedFiles.ofThisProcess.takeAway()
      _exit(128 + number)
    }
    let saved = errno
    send(UInt8(truncatingIfNeeded: number), to: pipe.load(ordering: .sequentiallyConsistent))
    errno = saved
  }
}
