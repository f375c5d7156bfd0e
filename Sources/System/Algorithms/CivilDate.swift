/// A day in the Gregorian calendar, also before that calendar was introduced.
///
/// Days are counted in years that begin in March, so that the day that leap years add is the last one.
package struct CivilDate: Equatable, Sendable {
  package let year: Int
  /// From 1 to 12.
  package let month: Int
  /// From 1 to 31.
  package let day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// The day that is a number of days after 1970-01-01, or before it.
  package init(daysSince1970 days: Int) {
    let days = days + Self.daysTo1970
    let era = (days >= 0 ? days : days - Self.daysOfEra + 1) / Self.daysOfEra
    let dayOfEra = days - era * Self.daysOfEra
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
  }

  /// The days from 1970-01-01. The 31st of a month of 30 days counts as the first of the next month.
  package var daysSince1970: Int {
    let shiftedYear = month > 2 ? year : year - 1
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysTo1970
  }

  /// The days of 400 years, after which the calendar repeats.
  private static let daysOfEra = 146_097
  /// The days from 0000-03-01 to 1970-01-01.
  private static let daysTo1970 = 719_468
}
