import ApusPlatform

/// A run of a program from start to end, observed from the thread that starts it: its output, its end, and the
/// processes that it left behind.
///
/// The program gets exactly this environment and a new session, so that its child processes can be identified.
package struct ProgramRun: Sendable {
  /// A signal sent after a delay if the program is still running.
  package struct Interruption: Sendable {
    package var offset: Duration
    package var signal: Int32
    /// Whether to signal the entire process group, as Ctrl-C in a terminal does.
    package var isForGroup: Bool

    package init(offset: Duration, signal: Int32, isForGroup: Bool = false) {
      self.offset = offset
      self.signal = signal
      self.isForGroup = isForGroup
    }
  }

  package enum End: Sendable, Equatable, CustomStringConvertible {
    case exit(code: Int32)
    case signal(Int32)
    /// The program was still running at the time limit and was killed.
    case hung

    package var description: String {
      switch self {
      case .exit(let code): "exit code \(code)"
      case .signal(let number): "death by signal \(number)"
      case .hung: "no end"
      }
    }
  }

  package struct Outcome: Sendable {
    package let end: End
    package let output: String
    package let errors: String
    /// The signals that were sent while it ran.
    package let sent: [Int32]
    /// Processes of its session that were still running some time after its end. They were killed.
    package let leftBehind: [pid_t]
    package let elapsed: Duration
  }

  package struct LaunchError: Error, CustomStringConvertible {
    package let description: String
  }

  /// The program and its arguments.
  package var words: [String]
  package var environment: [String: String]
  package var folder: String
  /// The standard input, which must fit into a pipe's buffer.
  package var input = ""
  /// The signals, in order of their times.
  package var interruptions: [Interruption] = []
  package var limit: Duration = .seconds(120)
  /// Whether to search for remaining processes, which reads the list of all processes.
  package var looksForChildren = false

  package init(_ words: [String], environment: [String: String], folder: String) {
    self.words = words
    self.environment = environment
    self.folder = folder
  }

  /// Blocks until the program and all processes that hold its output have ended.
  package func run() throws(LaunchError) -> Outcome {
    let input = try Pipe()
    let output = try Pipe()
    let errors = try Pipe()
    let begin = ContinuousClock.now
    let process = try Spawn.start(
      words, environment: environment, folder: folder, streams: [input.read, output.write, errors.write])
    for end in [input.read, output.write, errors.write] { close(end) }
    _ = Array(self.input.utf8).withUnsafeBytes { write(input.write, $0.baseAddress, $0.count) }
    close(input.write)
    var watch = Watch(process: process, begin: begin, run: self, output: output.read, errors: errors.read)
    let end = watch.toEnd()
    for descriptor in [output.read, errors.read] { close(descriptor) }
    return Outcome(
      end: end, output: String(decoding: watch.texts[0], as: UTF8.self),
      errors: String(decoding: watch.texts[1], as: UTF8.self), sent: watch.sent,
      leftBehind: leftBehind(by: process), elapsed: begin.duration(to: .now))
  }

  /// Returns the remaining processes of a session, after giving them time to end.
  private func leftBehind(by process: pid_t) -> [pid_t] {
    // Checking the process group is cheap. Children in other groups are only found in the process list.
    guard looksForChildren || kill(-process, 0) == 0 else { return [] }
    let deadline = ContinuousClock.now + .seconds(2)
    var members = ProcessFacts.session(process)
    while !members.isEmpty, ContinuousClock.now < deadline {
      usleep(5000)
      members = ProcessFacts.session(process)
    }
    for member in members { kill(member, SIGKILL) }
    return members
  }
}

/// Reads the output of a running program, sends its signals, and waits for its end.
private struct Watch {
  let process: pid_t
  let begin: ContinuousClock.Instant
  let run: ProgramRun
  var descriptors: [Int32]
  var texts: [[UInt8]] = [[], []]
  var sent: [Int32] = []
  private var next = 0
  private var end: ProgramRun.End?

  init(process: pid_t, begin: ContinuousClock.Instant, run: ProgramRun, output: Int32, errors: Int32) {
    self.process = process
    self.begin = begin
    self.run = run
    descriptors = [output, errors]
  }

  mutating func toEnd() -> ProgramRun.End {
    var isHung = false
    // The maximum wait for processes that hold the output after the program's end.
    var lastMoment: ContinuousClock.Instant?
    while true {
      interrupt()
      if end == nil, begin.duration(to: .now) > run.limit {
        isHung = true
        kill(process, SIGKILL)
      }
      reap()
      if end != nil {
        let last = lastMoment ?? .now + .milliseconds(500)
        lastMoment = last
        if descriptors.allSatisfy({ $0 < 0 }) || ContinuousClock.now > last { break }
      }
      readSome()
    }
    return isHung ? .hung : end ?? .hung
  }

  private mutating func interrupt() {
    while end == nil, next < run.interruptions.count, begin.duration(to: .now) >= run.interruptions[next].offset {
      let interruption = run.interruptions[next]
      next += 1
      if kill(interruption.isForGroup ? -process : process, interruption.signal) == 0 {
        sent.append(interruption.signal)
      }
    }
  }

  private mutating func reap() {
    guard end == nil else { return }
    var status: Int32 = 0
    guard waitpid(process, &status, WNOHANG) == process else { return }
    let signal = status & 0x7F
    end = signal == 0 ? .exit(code: status >> 8 & 0xFF) : .signal(signal)
  }

  private mutating func readSome() {
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    if descriptors.allSatisfy({ $0 < 0 }) {
      usleep(200)
      return
    }
    var wait: Int32 = 20
    if next < run.interruptions.count {
      let rest = run.interruptions[next].offset - begin.duration(to: .now)
      wait = Int32(min(20, max(0, rest / .milliseconds(1))))
    }
    guard poll(&polled, nfds_t(polled.count), wait) > 0 else { return }
    for index in 0..<2 where polled[index].revents != 0 {
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(descriptors[index], &buffer, buffer.count)
      if count > 0 { texts[index] += buffer[..<count] } else { descriptors[index] = -1 }
    }
  }
}

/// Both ends are closed in child processes, except as their standard streams.
private struct Pipe {
  let read: Int32
  let write: Int32

  init() throws(ProgramRun.LaunchError) {
    var ends: [Int32] = [-1, -1]
    guard makeClosingPipe(&ends) else { throw .init(description: "no pipe: \(String(cString: strerror(errno)))") }
    (read, write) = (ends[0], ends[1])
  }
}
