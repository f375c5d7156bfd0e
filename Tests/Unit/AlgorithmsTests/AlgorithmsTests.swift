import ApusAlgorithms
import Testing

struct SortedSearchTests {
  @Test(arguments: 0...9)
  func `the search returns the first index of the second part`(bound: Int) {
    let numbers = [1, 1, 2, 3, 5, 8]
    #expect(numbers.partitioningIndex { $0 >= bound } == numbers.firstIndex { $0 >= bound } ?? 6)
    #expect(numbers[2...].partitioningIndex { $0 >= bound } == numbers[2...].firstIndex { $0 >= bound } ?? 6)
  }

  @Test func `the search returns the end of an empty collection`() {
    #expect([Int]().partitioningIndex { _ in true } == 0)
  }
}

struct CivilDateTests {
  @Test(arguments: [
    (CivilDate(year: 1970, month: 1, day: 1), 0), (CivilDate(year: 1969, month: 12, day: 31), -1),
    (CivilDate(year: 2000, month: 2, day: 29), 11_016), (CivilDate(year: 2024, month: 3, day: 1), 19_783),
    (CivilDate(year: 1900, month: 3, day: 1), -25_508), (CivilDate(year: 1, month: 1, day: 1), -719_162),
  ])
  func `a date converts to its number of days and back`(date: CivilDate, days: Int) {
    #expect(date.daysSince1970 == days)
    #expect(CivilDate(daysSince1970: days) == date)
  }

  @Test func `each day of 400 years follows the one before`() {
    let first = CivilDate(year: 1800, month: 1, day: 1).daysSince1970
    for days in first..<first + 146_097 {
      let date = CivilDate(daysSince1970: days)
      #expect(date.daysSince1970 == days && (1...12).contains(date.month) && (1...31).contains(date.day))
    }
    #expect(CivilDate(daysSince1970: first + 146_097) == CivilDate(year: 2200, month: 1, day: 1))
  }

  @Test func `the 31st of a short month is the first of the next`() {
    let date = CivilDate(year: 2025, month: 6, day: 31)
    #expect(CivilDate(daysSince1970: date.daysSince1970) == CivilDate(year: 2025, month: 7, day: 1))
  }
}

struct BackoffTests {
  private let backoff = Backoff(first: .seconds(1), longest: .seconds(5), jitter: 0.5)

  @Test func `each delay is twice the one before, up to the longest`() {
    #expect((0...5).map { backoff.delay(before: $0, chance: 0) } == [1, 1, 2, 4, 5, 5].map { .seconds($0) })
    #expect(backoff.delay(before: .max, chance: 0) == .seconds(5))
  }

  @Test func `randomness shortens a delay by at most the jitter`() {
    #expect(backoff.delay(before: 2, chance: 1) == .seconds(1))
    #expect(Backoff(first: .seconds(1), longest: .seconds(5), jitter: 7).delay(before: 1, chance: 1) == .zero)
    #expect(Backoff(first: .seconds(1), longest: .seconds(5), jitter: -7).delay(before: 1, chance: 1) == .seconds(1))
  }
}
