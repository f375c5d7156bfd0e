import ApusExplorerCore
import ApusPlatform
import ApusProcesses
import Dispatch

/// Puts a text on the person's clipboard through the first program that is there for it and takes it.
package enum ClipboardWriter {
  package static func copy(_ text: String) async -> ClipboardWay {
    // What waits is no thread of Swift's tasks.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: write(Array(text.utf8))) }
    }
  }

  private static func write(_ bytes: [UInt8]) -> ClipboardWay {
    for words in programs
    where ChildInput.give(bytes, to: words[0], Array(words.dropFirst()), within: .seconds(2)) {
      return .program(words[0])
    }
    return terminalTakesText ? .terminal : .none
  }

  /// The programs that the session has, the nearest to the person first: over SSH what runs here has their clipboard only
  /// where its display is theirs.
  private static var programs: [[String]] {
    var programs: [[String]] = []
    #if os(macOS)
      if !has("SSH_CONNECTION") { programs.append(["pbcopy"]) }
    #endif
    if has("WAYLAND_DISPLAY") { programs.append(["wl-copy"]) }
    if has("DISPLAY") { programs += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]] }
    // tmux hands it on to the terminal that it runs in.
    if has("TMUX") { programs.append(["tmux", "load-buffer", "-w", "-"]) }
    return programs
  }

  /// The console of Linux and terminals that say that they can do nothing have no clipboard.
  private static var terminalTakesText: Bool {
    let name = getenv("TERM").map { String(cString: $0) } ?? "dumb"
    return !["linux", "dumb"].contains(name)
  }

  private static func has(_ name: String) -> Bool { getenv(name).map { $0.pointee != 0 } ?? false }
}
