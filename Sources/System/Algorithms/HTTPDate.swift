/// The date of an HTTP header (RFC 9110, section 5.6.7): "`Sun, 06 Nov 1994 08:49:37 GMT`".
package enum HTTPDate {
  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

  /// Returns the seconds since 1970; `nil` if the text is not such a date.
  package static func seconds(of text: String) -> Int? {
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
