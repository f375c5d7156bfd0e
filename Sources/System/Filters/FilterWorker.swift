import ApusPlatform
import CApusJQ

/// The child process: reads inputs and filters from standard input until it ends, and responds to each filter.
public enum FilterWorker {
  /// The argument that starts the program as a filter process. The limits follow it.
  public static let argument = "--filter-worker"

  /// The reason why libjq cannot be loaded, with installation advice; nil if it can.
  public static var libraryFailure: String? { apus_jq_failure().map { String(cString: $0) } }

  /// Runs until the parent ends. `limits` are the arguments after `argument`.
  public static func run(limits: [String]) -> Never {
    let memory = limits.first.flatMap { rlim_t($0) } ?? rlim_t(2 << 30)
    let output = limits.dropFirst().first.flatMap { Int($0) } ?? 100_000_000
    ResourceLimit.addresses.lower(to: memory)
    let processorSeconds = limits.dropFirst(2).first.flatMap { Int($0) } ?? 11
    endWithParent()
    openNoFiles()
    var state = State(outputLimit: output)
    while let message = FilterMessage.receive(from: STDIN_FILENO) {
      limitProcessorTime(to: processorSeconds)
      switch message.kind {
      case .input: state.read(message.bytes)
      case .filter:
        let (kind, bytes) = state.run(String(decoding: message.bytes, as: UTF8.self))
        guard FilterMessage.send(kind, bytes, to: STDOUT_FILENO) else { _exit(0) }
      case .check:
        let (kind, bytes) = state.check(String(decoding: message.bytes, as: UTF8.self))
        guard FilterMessage.send(kind, bytes, to: STDOUT_FILENO) else { _exit(0) }
      case .results, .syntax, .failed, .outputTooLarge: _exit(1)
      }
    }
    _exit(0)
  }

  /// Exits when the socket closes, because a killed parent cannot stop a running filter.
  private static func endWithParent() {
    _ = SystemThread.start {
      // Without requested events, `poll` returns only when the other end closes.
      var socket = pollfd(fd: STDIN_FILENO, events: 0, revents: 0)
      while poll(&socket, 1, -1) <= 0 {}
      _exit(0)
    }
  }

  /// Prevents opening any more files, because `import` and `include` in a filter could name any path.
  private static func openNoFiles() {
    // libjq itself and the time zone, which its date functions read, must be loaded first.
    _ = libraryFailure
    tzset()
    ResourceLimit.descriptors.lower(to: rlim_t(STDERR_FILENO + 1))
  }

  /// Limits the processor time of the next message; time used before does not count.
  private static func limitProcessorTime(to seconds: Int) {
    var used = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used)
    ResourceLimit.processorTime.lower(to: rlim_t(used.tv_sec + 1 + seconds), canBeRaised: true)
  }

  private struct State {
    let outputLimit: Int
    var input = jv_null()
    /// The compiled filter is kept, because it often runs on several inputs in a row.
    var filter: String?
    var program: JQProgram?

    init(outputLimit: Int) { self.outputLimit = outputLimit }

    mutating func read(_ bytes: [UInt8]) {
      jv_free(input)
      input = bytes.withUnsafeBufferPointer { buffer in
        buffer.withMemoryRebound(to: CChar.self) { jv_parse_sized($0.baseAddress, Int32(clamping: $0.count)) }
      }
      if jv_get_kind(input) == JV_KIND_INVALID {
        jv_free(input)
        input = jv_null()
      }
    }

    mutating func check(_ text: String) -> (FilterMessage.Kind, [UInt8]) {
      do throws(FilterError) {
        _ = try compiled(text)
        return (.results, [])
      } catch {
        if case .syntax(let message) = error { return (.syntax, Array(message.utf8)) }
        return (.failed, Array(error.description.utf8))
      }
    }

    private mutating func compiled(_ text: String) throws(FilterError) -> JQProgram {
      if let program, filter == text { return program }
      program = nil
      let compiled = try JQProgram(text)
      (program, filter) = (compiled, text)
      return compiled
    }

    mutating func run(_ text: String) -> (FilterMessage.Kind, [UInt8]) {
      var output: [UInt8] = []
      do throws(FilterError) {
        try compiled(text).run(input) { (line) throws(FilterError) in
          guard output.count + line.count < outputLimit else { throw .outputTooLarge(limit: outputLimit) }
          output.append(contentsOf: line)
          output.append(UInt8(ascii: "\n"))
        }
        return (.results, output)
      } catch {
        // The state of a program is undefined after an aborted run.
        program = nil
        switch error {
        case .syntax(let message): return (.syntax, Array(message.utf8))
        case .failed(let message): return (.failed, Array(message.utf8))
        case .noProcess(let message): return (.failed, Array(message.utf8))
        case .inputTooLarge, .outputTooLarge, .tooSlow, .outOfMemory, .cancelled: return (.outputTooLarge, [])
        }
      }
    }
  }
}

extension ResourceLimit {
  /// Lowers the limit, permanently unless `canBeRaised` is true.
  fileprivate func lower(to value: rlim_t, canBeRaised: Bool = false) {
    guard var limit = current else { return }
    limit.rlim_cur = min(value, limit.rlim_max)
    if !canBeRaised { limit.rlim_max = limit.rlim_cur }
    set(limit)
  }
}
