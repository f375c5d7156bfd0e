import ApusAlgorithms
import ApusPlatform

/// Parses the delay that a server requests (RFC 9110, section 10.2.3): a number of seconds (`120`), or a date
/// (`Sun, 06 Nov 1994 08:49:37 GMT`).
enum RetryAfter {
  static func delay(_ text: String, now: Int = Int(time(nil))) -> Duration? {
    let text = text.filter { !$0.isWhitespace || $0 == " " }
    if let seconds = Int(text), seconds >= 0 { return .seconds(min(seconds, 1 << 40)) }
    return HTTPDate.seconds(of: text).map { .seconds(max(0, $0 - now)) }
  }
}
