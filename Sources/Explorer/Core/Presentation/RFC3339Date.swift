import ApusASCII
import ApusAlgorithms

/// Parses dates with a time and an offset (RFC 3339): `2025-06-01T08:30:00Z`, `2025-06-01 10:30:00.5+02:00`.
enum RFC3339Date {
  /// Returns the number of seconds since 1970; nil if the string is not such a date.
  static func seconds(_ text: String) -> Double? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes.count <= 40 else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      guard range.upperBound <= bytes.count, bytes[range].allSatisfy(\.isDigit) else { return nil }
      return bytes[range].reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
    func has(_ character: Character, at index: Int) -> Bool { bytes[index] == character.asciiValue }
    guard let year = number(0..<4), has("-", at: 4), let month = number(5..<7), has("-", at: 7),
      let day = number(8..<10), has("T", at: 10) || has("t", at: 10) || has(" ", at: 10), let hour = number(11..<13),
      has(":", at: 13), let minute = number(14..<16), has(":", at: 16), let second = number(17..<19),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second <= 60
    else { return nil }
    var index = 19
    var fraction = 0.0
    if has(".", at: index) {
      var scale = 0.1
      index += 1
      while index < bytes.count, let digit = number(index..<index + 1) {
        fraction += Double(digit) * scale
        scale /= 10
        index += 1
      }
    }
    guard index < bytes.count, let offset = offset(bytes[index...]) else { return nil }
    let days = CivilDate(year: year, month: month, day: day).daysSince1970
    return Double(days * 86_400 + hour * 3600 + minute * 60 + second - offset) + fraction
  }

  /// Returns the number of seconds that the offset is ahead of UTC.
  private static func offset(_ bytes: ArraySlice<UInt8>) -> Int? {
    let text = String(decoding: bytes, as: UTF8.self)
    if text == "Z" || text == "z" { return 0 }
    let parts = text.dropFirst().split(separator: ":", omittingEmptySubsequences: false)
    guard let sign = text.first, sign == "+" || sign == "-", parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 }),
      let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
    else { return nil }
    return (hours * 60 + minutes) * (sign == "-" ? -60 : 60)
  }
}
