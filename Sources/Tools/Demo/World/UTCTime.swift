import ApusPlatform

/// A second in UTC, written and read as ISO 8601.
struct UTCTime: Comparable, Sendable {
  /// Since 1970.
  var seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  init(year: Int, month: Int = 1, day: Int = 1, hour: Int = 0, minute: Int = 0, second: Int = 0) {
    // Days since 1970 in the proleptic Gregorian calendar, with years that begin in March.
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
  }

  static var now: UTCTime { UTCTime(seconds: time(nil)) }

  static func < (left: UTCTime, right: UTCTime) -> Bool { left.seconds < right.seconds }

  func adding(hours: Int) -> UTCTime { UTCTime(seconds: seconds + hours * 3600) }

  private var date: (year: Int, month: Int, day: Int) {
    let days = Int((Double(seconds) / 86400).rounded(.down)) + 719_468
    let era = (days >= 0 ? days : days - 146_096) / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  var year: Int { date.year }

  /// `2025-04-19T06:30:00Z`
  var text: String {
    let (year, month, day) = date
    let second = ((seconds % 86400) + 86400) % 86400
    func padded(_ number: Int, _ width: Int = 2) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return "\(padded(year, 4))-\(padded(month))-\(padded(day))"
      + "T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
  }

  /// Reads `2025-04-19T06:30:00Z`, also with a fraction, an offset, or the date alone.
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
    // The 31st of a month of 30 days comes back as another date.
    guard UTCTime(year: year, month: month, day: day).date == (year, month, day) else { return nil }
    self.init(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    seconds -= offset
  }
}
