import ApusASCII
import ApusClientAuthentication
import ApusPlatform

/// Receives the browser's redirect at the end of a sign-in, on a port of the loopback interface (RFC 8252, section 7.3).
final class LoopbackReceiver: RedirectReceiver {
  private let listener: Int32
  let url: String

  private static let path = "/callback"
  private static let requestLimit = 16 << 10
  /// The time for one request of the browser.
  private static let requestTime = Duration.seconds(5)
  /// The time for the user to sign in.
  private static let limit = Duration.seconds(900)

  /// Opens a port; a free one if none is given.
  init(port: Int?, profile: String) throws(SignInError) {
    do throws(LoopbackSocket.Failure) {
      let listening = try LoopbackSocket.open(port: in_port_t(port ?? 0), backlog: 8)
      listener = listening.descriptor
      url = "http://127.0.0.1:\(listening.port)\(Self.path)"
    } catch {
      let reason =
        switch error {
        case .socket(let reason): "cannot open a socket for the browser's answer: \(reason)"
        case .port(let reason):
          "cannot listen on \(port.map { "port \($0)" } ?? "a port") for the browser's answer: \(reason)"
        }
      throw .configuration(profile: profile, reason: reason)
    }
  }

  deinit { close(listener) }

  func receive(
    _ answer: @escaping @Sendable (_ query: String) throws(SignInError) -> String?
  ) async throws(SignInError) -> String {
    let end = ContinuousClock.now + Self.limit
    while ContinuousClock.now < end {
      let browser = accept(listener, nil, nil)
      guard browser >= 0 else {
        // Waiting in `accept` would block a thread of Swift's task pool.
        try await Self.pause()
        continue
      }
      defer { close(browser) }
      if let code = try await serve(browser, answer) { return code }
    }
    throw .refused(host: "the browser", reason: "no answer within 15 minutes")
  }

  private func serve(
    _ browser: Int32, _ answer: (String) throws(SignInError) -> String?
  ) async throws(SignInError) -> String? {
    _ = fcntl(browser, F_SETFD, FD_CLOEXEC)
    _ = fcntl(browser, F_SETFL, fcntl(browser, F_GETFL) | O_NONBLOCK)
    FileDescriptor.silence(browser)
    guard let query = Self.query(in: try await Self.head(from: browser)) else {
      Self.send("404 Not Found", "This page does not exist.", to: browser)
      return nil
    }
    do throws(SignInError) {
      guard let code = try answer(query) else {
        Self.send("400 Bad Request", "This is not the answer to the sign-in of Apus.", to: browser)
        return nil
      }
      Self.send("200 OK", "You are signed in. Return to Apus; you can close this page.", to: browser)
      return code
    } catch {
      Self.send("200 OK", "The sign-in failed. Apus shows the reason; you can close this page.", to: browser)
      throw error
    }
  }

  /// Reads a request's head, up to the empty line.
  private static func head(from browser: Int32) async throws(SignInError) -> [UInt8] {
    let end = ContinuousClock.now + requestTime
    var head: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while ContinuousClock.now < end, head.count < requestLimit {
      let count = FileDescriptor.read(browser, into: &buffer)
      if count > 0 {
        head += buffer[..<count]
        if head.firstRange(of: Array("\r\n\r\n".utf8)) != nil { break }
      } else if count == 0 || errno != EAGAIN {
        break
      } else {
        try await pause()
      }
    }
    return head
  }

  /// Returns the query of the redirect: "`GET /callback?code=…&state=… HTTP/1.1`".
  static func query(in head: [UInt8]) -> String? {
    let line = String(decoding: head.prefix { $0 != 0x0D && $0 != 0x0A }, as: UTF8.self)
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, words[0] == "GET", words[1].hasPrefix("\(path)?") else { return nil }
    return String(words[1].dropFirst(path.count + 1))
  }

  private static func send(_ status: String, _ text: String, to browser: Int32) {
    let page = "<!doctype html><meta charset=utf-8><title>Apus</title><p>\(text)</p>"
    let response =
      "HTTP/1.1 \(status)\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: \(page.utf8.count)\r\n"
      + "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nConnection: close\r\n\r\n\(page)"
    _ = Array(response.utf8).withUnsafeBytes { FileDescriptor.send($0, to: browser) }
  }

  private static func pause() async throws(SignInError) {
    do { try await Task.sleep(for: .milliseconds(20)) } catch { throw SignInError.cancelled }
  }
}
