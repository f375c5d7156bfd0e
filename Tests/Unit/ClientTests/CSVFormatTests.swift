import ApusClientFormats
import Testing

/// Cells of CSV, as the command line prints them and the explorer writes them.
@Suite struct CSVFormatTests {
  @Test(arguments: [
    ("Apus", "Apus"), ("a,b", "\"a,b\""), ("say \"so\"", "\"say \"\"so\"\"\""), ("a\r\nb", "\"a\r\nb\""),
    ("=1+1", "'=1+1"), ("-5.5", "-5.5"), ("@x,y", "\"'@x,y\""),
    // To a program that reads it a quote is a byte, whatever combines with it.
    ("\"\u{30C}", "\"\"\"\u{30C}\""), (",\u{30C}", "\",\u{30C}\""),
  ])
  func aCellIsOneCellToWhoeverReadsIt(text: String, cell: String) {
    #expect(Array(CSVFormat.cell(text).utf8) == Array(cell.utf8))
  }
}
