import ApusAlgorithms
import Testing

@Suite struct HTTPDateTests {
  @Test func `each month has the days before it`() {
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    var days = 0
    for (month, length) in zip(months, [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]) {
      // The first of January 2024 is 19,723 days after 1970.
      #expect(HTTPDate.seconds(of: "Mon, 01 \(month) 2024 00:00:00 GMT") == (19_723 + days) * 86_400, "\(month)")
      days += length
    }
  }

  @Test(arguments: [
    ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
    ("Thu, 01 Jan 1970 23:59:60 GMT", 86_400), ("Sat, 31 Jan 1970 00:00:00 GMT", 30 * 86_400),
  ])
  func `a date is the seconds since 1970`(text: String, seconds: Int) {
    #expect(HTTPDate.seconds(of: text) == seconds)
  }

  @Test(arguments: [
    "", "06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
    "Sun, 06 Nov 1994 08:49:37 GMT more", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 32 Nov 1994 08:49:37 GMT",
    "Sun, x Nov 1994 08:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
    "Sun, 06 Nov 10000 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 Nov 1994 -1:49:37 GMT",
    "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:-1:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT",
    "Sun, 06 Nov 1994 08:49:-1 GMT", "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov 1994 08:49:37:00 GMT",
  ])
  func `a text with another form or number is not a date`(text: String) {
    #expect(HTTPDate.seconds(of: text) == nil)
  }
}
