import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Standard output is data and is flushed at once; standard error is narration.
enum StandardStreams {
  /// Takes the places of streams that the caller closed, so that no file that is opened later is written to as if it
  /// were one. Using a stream taken so fails as using a closed one does.
  static func claim() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest number that is free is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Why standard output took no more, once it has.
  private static let refusal = Mutex<Int32?>(nil)

  /// Writes all of `text`; false when standard output takes no more, as when its reader has gone away.
  @discardableResult
  static func output(_ text: String) -> Bool {
    guard let code = write(text, to: STDOUT_FILENO) else { return true }
    refusal.withLock { $0 = $0 ?? code }
    return false
  }

  /// Throws when something could not be printed; a reader who has seen enough and left is no failure.
  static func checkOutput() throws(CommandFailure) {
    guard let code = refusal.withLock({ $0 }), code != EPIPE else { return }
    throw .file("cannot write to standard output: \(String(cString: strerror(code)))")
  }

  /// Whether the last line of standard error is one that tells how far something is, and was not ended.
  private static let isLineOpen = Mutex(false)

  /// Writes a line to standard error. One without an end is written over by the next that begins with a carriage return.
  static func narrate(_ text: String, terminator: String = "\n") {
    let isBehindOther = isLineOpen.withLock { isOpen in
      defer { isOpen = terminator.isEmpty }
      return isOpen && !text.hasPrefix("\r")
    }
    write((isBehindOther ? "\n" : "") + text + terminator, to: STDERR_FILENO)
  }

  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }
  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var inputIsTerminal: Bool { isatty(STDIN_FILENO) == 1 }

  /// Writes all of `text`, or returns the number of the error that ended it.
  @discardableResult
  private static func write(_ text: String, to descriptor: Int32) -> Int32? {
    var text = text
    return text.withUTF8 { bytes in
      var rest = UnsafeRawBufferPointer(bytes)
      while let base = rest.baseAddress, !rest.isEmpty {
        let written = systemWrite(descriptor, base, rest.count)
        if written > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[written...])
        } else if errno != EINTR {
          return errno
        }
      }
      return nil
    }
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
