/// Limits on the resources of a filter.
public struct FilterLimits: Sendable, Hashable {
  /// The time for one filter, including reading its input.
  public var time: Duration
  /// The memory of the child process, in bytes.
  public var memory: Int
  /// The size of the input, in bytes. libjq's values take about ten times as much memory.
  public var input: Int
  /// The size of the output, in bytes.
  public var output: Int

  public init(
    time: Duration = .seconds(10), memory: Int = 2 << 30, input: Int = 100_000_000, output: Int = 100_000_000
  ) {
    self.time = time
    self.memory = memory
    self.input = input
    self.output = output
  }
}

extension FilterLimits {
  /// The processor time that the child may use for one filter, in case this process can no longer stop it.
  var processorSeconds: Int { Int((time / .seconds(1)).rounded(.up)) + 1 }
}

/// The reason why a filter produced no result, as one line.
public enum FilterError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The filter is invalid.
  case syntax(String)
  /// The filter raised an error while running.
  case failed(String)
  case inputTooLarge(bytes: Int, limit: Int)
  case outputTooLarge(limit: Int)
  case tooSlow(limit: Duration)
  case outOfMemory(limit: Int)
  /// The child process could not be started or crashed.
  case noProcess(String)
  case cancelled

  public var description: String {
    switch self {
    case .syntax(let message): "the filter cannot be read: \(message)"
    case .failed(let message): "the filter failed: \(message)"
    case .inputTooLarge(let bytes, let limit):
      "\(bytes / 1_000_000) MB are too much for a filter; it takes up to \(limit / 1_000_000) MB"
    case .outputTooLarge(let limit): "the filter's output is over \(limit / 1_000_000) MB"
    case .tooSlow(let limit): "the filter was stopped after \(Self.seconds(limit)) s"
    case .outOfMemory(let limit): "the filter was stopped: it needs more than \(limit >> 20) MB of memory"
    case .noProcess(let reason): "the filter could not run: \(reason)"
    case .cancelled: "the filter was canceled"
    }
  }

  private static func seconds(_ duration: Duration) -> String {
    let seconds = duration / .seconds(1)
    return seconds.rounded() == seconds ? String(Int(seconds)) : String(seconds)
  }
}
