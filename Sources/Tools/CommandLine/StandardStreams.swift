#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output is data and is flushed at once; standard error is narration.
enum StandardStreams {
  /// Writes all of `text`; false when the reader has gone away.
  @discardableResult
  static func output(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

  static func narrate(_ text: String, terminator: String = "\n") { write(text + terminator, to: STDERR_FILENO) }

  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let written = systemWrite(descriptor, base, rest.count)
        if written > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        } else if errno != EINTR {
          return false
        }
      }
      return true
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
