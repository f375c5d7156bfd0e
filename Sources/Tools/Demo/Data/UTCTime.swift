import ApusAlgorithms
import ApusPlatform

/// A time in UTC with a precision of one second, in ISO 8601 format.
struct UTCTime: Comparable, Sendable {
  /// The number of seconds since 1970.
  var seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  init(year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  static var now: UTCTime { UTCTime(seconds: time(nil)) }

  static func < (left: UTCTime, right: UTCTime) -> Bool { left.seconds < right.seconds }

  func adding(hours: Int) -> UTCTime { UTCTime(seconds: seconds + hours * 3600) }

  private var date: CivilDate { CivilDate(daysSince1970: Int((Double(seconds) / 86400).rounded(.down))) }

  var year: Int { date.year }

  /// The time in the form `2025-04-19T06:30:00Z`.
  var text: String {
    let date = date
    let second = ((seconds % 86400) + 86400) % 86400
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(date.year, 4))-\(padded(date.month))-\(padded(date.day))"
      + "T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
  }

  /// Parses `2025-04-19T06:30:00Z`, also with a fraction or an offset, or only a date.
  init?(_ text: String) {
    var rest = Substring(text)
    func number(_ width: Int) -> Int? {
      let digits = rest.prefix(width)
      guard digits.count == width, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
      rest = rest.dropFirst(width)
      return Int(digits)
    }
    func skip(_ character: Character) -> Bool {
      guard rest.first == character else { return false }
      rest = rest.dropFirst()
      return true
    }
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      (1...12).contains(month), (1...31).contains(day)
    else { return nil }
    var (hour, minute, second, offset) = (0, 0, 0, 0)
    if skip("T") || skip("t") || skip(" ") {
      guard let hours = number(2), skip(":"), let minutes = number(2), hours < 24, minutes < 60 else { return nil }
      (hour, minute) = (hours, minutes)
      if skip(":") {
        guard let seconds = number(2), seconds <= 60 else { return nil }
        second = seconds
        if skip(".") { rest = rest.drop { $0.isASCII && $0.isNumber } }
      }
      if let sign = rest.first, sign == "+" || sign == "-" {
        rest = rest.dropFirst()
        guard let hours = number(2), skip(":"), let minutes = number(2) else { return nil }
        offset = (hours * 60 + minutes) * (sign == "+" ? 60 : -60)
      } else if !skip("Z"), !skip("z") {
        return nil
      }
    }
    guard rest.isEmpty else { return nil }
    // An invalid day, such as April 31, converts to another date.
    guard UTCTime(year: year, month: month, day: day).date == CivilDate(year: year, month: month, day: day) else {
      return nil
    }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    seconds -= offset
  }
}
