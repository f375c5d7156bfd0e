/// A date in the proleptic Gregorian calendar.
///
/// Internally years begin in March, so that a leap day is the last day of its year.
package struct CivilDate: Equatable, Sendable {
  package let year: Int
  /// The month, from 1 to 12.
  package let month: Int
  /// The day of the month, from 1 to 31.
  package let day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Creates a date from the number of days since 1970-01-01, which may be negative.
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

  /// Days since 1970-01-01. Days beyond the end of a month count into the next month: January 32 is February 1.
  package var daysSince1970: Int {
    let shiftedYear = month > 2 ? year : year - 1
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * Self.daysOfEra + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - Self.daysTo1970
  }

  /// The number of days in 400 years, the period of the calendar.
  private static let daysOfEra = 146_097
  /// The number of days from 0000-03-01 to 1970-01-01.
  private static let daysTo1970 = 719_468
}
