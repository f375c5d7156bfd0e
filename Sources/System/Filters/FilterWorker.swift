import CJQ

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The child's side: reads inputs and filters from standard input until it ends, and answers each filter.
public enum FilterWorker {
  /// The argument by which the program knows that it is a filtering child; the limits follow.
  public static let argument = "--filter-worker"

  /// Why there is no libjq and what to install; nil when it is there.
  public static var libraryFailure: String? { apus_jq_failure().map { String(cString: $0) } }

  /// Runs until the parent is gone. `limits` are what stood behind `argument`.
  public static func run(limits: [String]) -> Never {
    let memory = limits.first.flatMap { rlim_t($0) } ?? rlim_t(2 << 30)
    let output = limits.dropFirst().first.flatMap { Int($0) } ?? 100_000_000
    var limit = rlimit(rlim_cur: memory, rlim_max: memory)
    #if canImport(Glibc)
      setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit)
    #else
      setrlimit(RLIMIT_AS, &limit)
    #endif
    var state = State(outputLimit: output)
    while let message = FilterMessage.receive(from: STDIN_FILENO) {
      switch message.kind {
      case .input: state.read(message.bytes)
      case .filter:
        let (kind, bytes) = state.run(String(decoding: message.bytes, as: UTF8.self))
        guard FilterMessage.send(kind, bytes, to: STDOUT_FILENO) else { _exit(0) }
      case .check:
        let (kind, bytes) = state.check(String(decoding: message.bytes, as: UTF8.self))
        guard FilterMessage.send(kind, bytes, to: STDOUT_FILENO) else { _exit(0) }
      default: _exit(1)
      }
    }
    _exit(0)
  }

  private struct State {
    let outputLimit: Int
    var input = jv_null()
    /// The last filter, compiled: the same one is often asked for with one input after the other.
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
        // What an aborted run leaves behind is not gone on with.
        program = nil
        switch error {
        case .syntax(let message): return (.syntax, Array(message.utf8))
        case .failed(let message): return (.failed, Array(message.utf8))
        case .noProcess(let message): return (.failed, Array(message.utf8))
        default: return (.outputTooLarge, [])
        }
      }
    }
  }
}
