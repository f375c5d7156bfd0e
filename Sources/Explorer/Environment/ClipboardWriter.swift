import ApusExplorerCore
import ApusPlatform
import ApusProcesses
import Dispatch

/// Copies text to the user's clipboard with the first available program that accepts it.
package enum ClipboardWriter {
  package static func copy(_ text: String) async -> ClipboardMethod {
    // Waiting for a child process would block a thread of Swift's cooperative pool.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: write(Array(text.utf8))) }
    }
  }

  private static func write(_ bytes: [UInt8]) -> ClipboardMethod {
    for words in programs
    where ChildInput.send(bytes, to: words[0], Array(words.dropFirst()), within: .seconds(2)) {
      return .program(words[0])
    }
    return terminalTakesText ? .terminal : .none
  }

  /// The clipboard programs available in this session, the one closest to the user first. Over SSH, a program reaches
  /// the user's clipboard only if the session's display is the user's.
  private static var programs: [[String]] {
    var programs: [[String]] = []
    #if os(macOS)
      if !has("SSH_CONNECTION") { programs.append(["pbcopy"]) }
    #endif
    if has("WAYLAND_DISPLAY") { programs.append(["wl-copy"]) }
    if has("DISPLAY") { programs += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]] }
    // tmux passes the text to the terminal that it runs in.
    if has("TMUX") { programs.append(["tmux", "load-buffer", "-w", "-"]) }
    return programs
  }

  /// Whether the terminal may support copying. The Linux console and dumb terminals have no clipboard.
  private static var terminalTakesText: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? "dumb"
    return !["linux", "dumb"].contains(name)
  }

  private static func has(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
}
