import ApusPlatform
import Synchronization

/// The termination signals (SIGINT, SIGTERM, SIGHUP, SIGQUIT), reported through a pipe.
enum TerminationSignals {
  /// The message that the work has ended. No signal has this number.
  static let workIsDone: UInt8 = 0

  private static let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
  private static let firstNumber = Atomic<Int32>(0)
  private static let pipe = Atomic<Int32>(-1)
  /// The number of threads that wait for local input. Only the end of the process can interrupt them.
  private static let waiting = Atomic<Int32>(0)

  static func beginWaitingForInput() { waiting.add(1, ordering: .sequentiallyConsistent) }

  static func endWaitingForInput() { waiting.subtract(1, ordering: .sequentiallyConsistent) }

  static var isWaitingForInput: Bool { waiting.load(ordering: .sequentiallyConsistent) > 0 }

  /// Ends the program immediately with the first signal's exit code.
  static func endProgram() -> Never {
    let number = first ?? SIGINT
    TemporaryFileRegistry.ofThisProcess.removeCurrent()
    StandardStreams.narrate("apus: \(name(of: number))")
    _exit(128 + number)
  }

  /// The number of the first received signal; `nil` if there was none.
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
    // Create the registry here, because a signal handler must not.
    _ = TemporaryFileRegistry.ofThisProcess
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

  /// Calls only async-signal-safe functions. A closed terminal sends SIGHUP several times; the repetitions are ignored.
  private static let handle: @convention(c) (Int32) -> Void = { number in
    let isFirst = firstNumber.compareExchange(expected: 0, desired: number, ordering: .relaxed).exchanged
    guard isFirst || number == SIGHUP else {
      TemporaryFileRegistry.ofThisProcess.removeCurrent()
      _exit(128 + number)
    }
    let saved = errno
    send(UInt8(truncatingIfNeeded: number), to: pipe.load(ordering: .sequentiallyConsistent))
    errno = saved
  }
}
