import ApusPlatform
import CApusCurl
import Synchronization

/// A file of cookies in the format of libcurl, which reads it. A line has the domain, whether it includes subdomains,
/// the path, whether the cookie is secure, its expiry, its name and its value, separated by tabs:
/// `.birds.example TRUE / TRUE 0 sid x`. It is written here, because libcurl empties the file before it writes, and
/// reports no error.
enum CookieFile {
  /// Creates the file if it does not exist, readable only by the user.
  static func check(_ path: String) throws(NetworkError) {
    do throws(FileReplacement.Failure) {
      // A pipe or device is never opened.
      let target = try FileReplacement.target(of: path)
      let descriptor = open(target, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0o600)
      guard descriptor >= 0 else { throw .system(errno) }
      close(descriptor)
    } catch {
      throw .unreadableFile(path: path, purpose: "the file of cookies")
    }
  }

  /// Replaces the file by the cookies of a handle.
  static func save(_ easy: UnsafeMutableRawPointer, to path: String) throws(FileReplacement.Failure) {
    var bytes = Array("# Netscape HTTP Cookie File\n# https://curl.se/docs/http-cookies.html\n\n".utf8)
    let lines = apus_curl_get_cookies(easy)
    defer { curl_slist_free_all(lines) }
    var line = lines
    while let item = line {
      if let text = item.pointee.data { bytes += String(cString: text).utf8 + [0x0A] }
      line = item.pointee.next
    }
    let target = try FileReplacement.target(of: path)
    try FileReplacement.replace(
      target, in: AT_FDCWD, path: target, with: bytes, mode: nil, isDurable: true, over: .any)
  }
}

/// The failures to save cookies. The file keeps its earlier cookies. Compared by identity.
package final class CookieProblems: Sendable, Hashable {
  private struct State {
    var first: String?
    var isReported = false
  }

  private let state = Mutex(State())

  package init() {}

  /// The file and the reason of the first failure; `nil` if there is none.
  package var first: String? { state.withLock { $0.first } }

  /// Returns the first failure, once.
  package func takeUnreported() -> String? {
    state.withLock { state in
      guard let first = state.first, !state.isReported else { return nil }
      state.isReported = true
      return first
    }
  }

  func add(_ problem: String) { state.withLock { $0.first = $0.first ?? problem } }

  package static func == (left: CookieProblems, right: CookieProblems) -> Bool { left === right }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
