import ApusExplorerCore
import ApusFilters
import ApusJSON
import ApusPlatform
import Synchronization

/// Filters responses with jq in a child process that caches the last filtered response.
final class ResponseFilterService: Sendable {
  private let session: FilterSession
  private let limits = FilterLimits(time: .seconds(5))
  private let last = Mutex<(number: Int, data: VisibleJSON)>((0, VisibleJSON(.null)))

  /// Creates a filter that starts `program` as the child; nil starts the running program.
  init(program: String?) { session = FilterSession(program: program, limits: limits) }

  func filter(_ text: String, _ data: VisibleJSON) async -> Result<JSONValue, EnvironmentError> {
    // Check the size before serializing the whole response.
    guard data.value.byteSize(isAtMost: limits.input) else {
      return .failure(
        EnvironmentError("the response is too large to filter; the limit is \(limits.input / 1_000_000) MB"))
    }
    let number = last.withLock { last in
      if !last.data.value.isIdentical(to: data.value) || last.data.hidden != data.hidden {
        last = (last.number + 1, data)
      }
      return last.number
    }
    do throws(FilterError) {
      let output = try await session.run(text, number: number) { data.compactBytes }
      let values = output.split(separator: UInt8(ascii: "\n")).compactMap { try? JSONDocument(parsing: Array($0)).root }
      return .success(values.count == 1 ? values[0] : .array(values))
    } catch {
      return .failure(EnvironmentError("\(error)"))
    }
  }
}

extension LiveEnvironment {
  /// Writes a file that only its owner can read, under an unused name derived from `name`.
  static func write(_ text: String, to name: String) -> Result<String, EnvironmentError> {
    let ending = name.lastIndex(of: ".") ?? name.endIndex
    for number in 1...999 {
      let free = number == 1 ? name : "\(name[..<ending])-\(number)\(name[ending...])"
      let file = open(free, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if file < 0, errno == EEXIST { continue }
      guard file >= 0 else { return .failure(EnvironmentError(String(cString: strerror(errno)))) }
      defer { close(file) }
      var text = text
      let isWritten = text.withUTF8 { FileDescriptor.writeAll(UnsafeRawBufferPointer($0), to: file) }
      return isWritten ? .success(free) : .failure(EnvironmentError(String(cString: strerror(errno))))
    }
    return .failure(EnvironmentError("1,000 files with that name exist already"))
  }
}
