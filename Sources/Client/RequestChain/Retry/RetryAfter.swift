import ApusAlgorithms
import ApusPlatform

/// Parses the delay that a server requests (RFC 9110, section 10.2.3): a number of seconds, or a date.
enum RetryAfter {
  static func delay(_ text: String, now: Int = Int(time(nil))) -> Duration? {
    let text = text.filter { !$0.isWhitespace || $0 == " " }
    if let seconds = Int(text), seconds >= 0 { return .seconds(min(seconds, 1 << 40)) }
    return date(text).map { .seconds(max(0, $0 - now)) }
  }

  /// Returns the seconds since 1970 of a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
  private static func date(_ text: String) -> Int? {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let words = text.split(separator: " ")
    guard words.count == 6, words[5] == "GMT", let day = Int(words[1]), (1...31).contains(day),
      let month = months.firstIndex(of: String(words[2])), let year = Int(words[3]), (1970...9999).contains(year)
    else { return nil }
    let time = words[4].split(separator: ":").compactMap { Int($0) }
    guard time.count == 3, (0..<24).contains(time[0]), (0..<60).contains(time[1]), (0...60).contains(time[2])
    else { return nil }
    let days = CivilDate(year: year, month: month + 1, day: day).daysSince1970
    return days * 86400 + time[0] * 3600 + time[1] * 60 + time[2]
  }
}
