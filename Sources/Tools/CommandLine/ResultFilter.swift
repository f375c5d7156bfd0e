import ApusFilters
import ApusJSON
import Synchronization

/// `--jq FILTER`: filters the output in a child process.
final class ResultFilter: Sendable {
  private let text: String
  private let session = FilterSession()
  private let count = Mutex(0)

  init(_ text: String) { self.text = text }

  /// Throws if the filter has a syntax error, before anything is sent to the server.
  func check() async throws(CommandError) {
    do throws(FilterError) {
      try await session.check(text)
    } catch {
      if case .syntax = error { throw .usage("--jq: \(error)", command: "query") }
    }
  }

  /// Returns the filter's results for one value.
  func apply(to value: JSONValue) async throws(CommandError) -> [JSONValue] {
    let number = count.withLock { count in
      count += 1
      return count
    }
    do throws(FilterError) {
      let output = try await session.run(text, number: number) { JSONWriter.compactBytes(value) }
      return output.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONDocument(parsing: Array($0)).root }
    } catch {
      if case .failed = error { throw CommandError(exitCode: .resultErrors, message: "--jq: \(error)") }
      throw CommandError(exitCode: .fileError, message: "--jq: \(error)")
    }
  }
}
