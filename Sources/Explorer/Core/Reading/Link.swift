import ApusProcesses
import Dispatch

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A link in a text, and how it gets to the person's browser.
package enum Link {
  private static let schemes = ["https://", "http://", "mailto:"]

  /// The first link in a text, up to the first character that none has.
  package static func first(in text: String) -> String? {
    let starts = schemes.compactMap { text.firstRange(of: $0)?.lowerBound }
    guard let start = starts.min() else { return nil }
    var link = text[start...].prefix { character in
      !"\"<>`{}|\\^".contains(character) && character.asciiValue.map { (0x21...0x7E).contains($0) } ?? false
    }
    // A sentence's own sign is not the link's.
    while let last = link.last, ".,;:!?)".contains(last) {
      if last == ")", link.count(where: { $0 == "(" }) >= link.count(where: { $0 == ")" }) { break }
      link = link.dropLast()
    }
    return schemes.contains { link.count > $0.count && link.hasPrefix($0) } ? String(link) : nil
  }

  /// Starts the system's opener beside us, with no terminal to write on; says why where there is none.
  static func open(_ link: String) async -> String? {
    // What waits is no thread of Swift's tasks.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: start(link)) }
    }
  }

  private static func start(_ link: String) -> String? {
    #if canImport(Darwin)
      let opener = "open"
    #else
      let hasBrowser = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { (name: String) in getenv(name) != nil }
      guard hasBrowser else { return "This session has no browser" }
      let opener = "xdg-open"
    #endif
    guard let process = try? Children.start(opener, [link], input: .nowhere, output: .nowhere, errors: .nowhere) else {
      return "\(opener) could not be started"
    }
    return Children.wait(for: process) == 0 ? nil : "\(opener) opened nothing"
  }
}
