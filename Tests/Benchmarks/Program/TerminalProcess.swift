import ApusPlatform
import CApusBaselines

/// A program in a pseudoterminal, with the times of its output.
final class TerminalProcess {
  let identifier: Int32
  private let terminal: Int32
  /// The output that has not been waited for.
  private var unread: [UInt8] = []

  init(_ words: [String], columns: Int = 120, rows: Int = 40) throws {
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: Int32 = 0
    terminal = yardstick_terminal_spawn(&arguments, Int32(columns), Int32(rows), &child)
    identifier = child
    guard terminal >= 0 else { throw BenchmarkError("\(words[0]) could not be started in a terminal") }
  }

  func send(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(terminal, $0.baseAddress, $0.count) }
  }

  /// Waits for text in the output. Returns the time in milliseconds at which its last byte was received.
  @discardableResult
  func wait(for text: String, seconds: Double = 60) throws -> Double {
    let requested = Array(text.utf8)
    let end = Cost.now(CLOCK_MONOTONIC) + seconds * 1000
    var searched = 0
    while true {
      if let found = unread.firstPlace(of: requested, from: searched) {
        unread.removeFirst(found + requested.count)
        return Cost.now(CLOCK_MONOTONIC)
      }
      searched = max(0, unread.count - requested.count)
      guard Cost.now(CLOCK_MONOTONIC) < end, readMore(milliseconds: 1000) != nil else {
        throw BenchmarkError(
          "\"\(text)\" did not come: \(String(decoding: unread.suffix(300), as: UTF8.self).debugDescription)")
      }
    }
  }

  /// Returns the rest of the current output line.
  func line() throws -> String {
    while true {
      if let end = unread.firstIndex(where: { $0 == 0x0D || $0 == 0x0A }) {
        defer { unread.removeFirst(end + 1) }
        return String(decoding: unread[..<end], as: UTF8.self)
      }
      guard readMore(milliseconds: 5000) ?? 0 > 0 else { throw BenchmarkError("a line has no end") }
    }
  }

  /// Reads output until there is none for a while. Returns the number of bytes.
  @discardableResult
  func settle(milliseconds: Int32 = 100) -> Int {
    var count = unread.count
    unread = []
    while let more = readMore(milliseconds: milliseconds), more > 0 { count += more }
    unread = []
    return count
  }

  /// Sends a key and returns the number of milliseconds until the next output.
  func latency(of key: String) throws -> Double {
    unread = []
    let start = Cost.now(CLOCK_MONOTONIC)
    send(key)
    while unread.isEmpty {
      guard readMore(milliseconds: 5000) ?? 0 > 0 else { throw BenchmarkError("nothing came of a key") }
    }
    return Cost.now(CLOCK_MONOTONIC) - start
  }

  /// Ends the program.
  func end() {
    kill(identifier, SIGTERM)
    // Reads the remaining output, so that a full terminal buffer does not block the program.
    while let count = readMore(milliseconds: 2000), count > 0 {}
    close(terminal)
    var status: Int32 = 0
    while waitpid(identifier, &status, 0) < 0, errno == EINTR {}
  }

  /// Returns the number of voluntary context switches of each thread since its start.
  func voluntarySwitches() -> [String: Int] {
    let folder = "/proc/\(identifier)/task"
    guard let directory = opendir(folder) else { return [:] }
    defer { closedir(directory) }
    var counts: [String: Int] = [:]
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      guard let file = fopen("\(folder)/\(name)/status", "r") else { continue }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard text.hasPrefix("voluntary_ctxt_switches") else { continue }
        counts[name] = Int(text.drop { !$0.isNumber }.prefix { $0.isNumber })
      }
    }
    return counts
  }

  /// Reads available output and returns its length; zero after the timeout, nil if the program closed the terminal.
  private func readMore(milliseconds: Int32) -> Int? {
    var state = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, milliseconds) > 0 else { return 0 }
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(terminal, &buffer, buffer.count)
    guard count > 0 else { return nil }
    unread += buffer[..<count]
    return count
  }
}

extension [UInt8] {
  fileprivate func firstPlace(of requested: [UInt8], from start: Int) -> Int? {
    guard count >= requested.count else { return nil }
    return (start...(count - requested.count)).first { self[$0..<($0 + requested.count)].elementsEqual(requested) }
  }
}
