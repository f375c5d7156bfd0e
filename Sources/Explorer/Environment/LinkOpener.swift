import ApusExplorerCore
import ApusPlatform
import ApusProcesses
import Dispatch

/// Opens links in the user's browser.
package enum LinkOpener {
  /// Starts the system's program for opening links, detached from the terminal. Returns the reason if the link could
  /// not be opened.
  package static func open(_ link: String) async -> String? {
    // Waiting for a child process would block a thread of Swift's cooperative pool.
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(returning: start(link)) }
    }
  }

  private static func start(_ link: String) -> String? {
    #if os(macOS)
      let opener = "open"
    #else
      let hasBrowser = ["DISPLAY", "WAYLAND_DISPLAY", "BROWSER"].contains { (name: String) in getenv(name) != nil }
      guard hasBrowser else { return "This session has no browser" }
      let opener = "xdg-open"
    #endif
    guard let process = try? ChildProcess.start(opener, [link], input: .nowhere, output: .nowhere, errors: .nowhere)
    else {
      return "\(opener) could not be started"
    }
    return ChildProcess.wait(for: process) == 0 ? nil : "\(opener) could not open the link"
  }
}
