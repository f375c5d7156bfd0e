import ApusClientFormats
import Testing

/// CSV cells, as the command line and the explorer write them.
@Suite struct CSVFormatTests {
  @Test(arguments: [
    ("Apus", "Apus"), ("a,b", "\"a,b\""), ("say \"so\"", "\"say \"\"so\"\"\""), ("a\r\nb", "\"a\r\nb\""),
    ("=1+1", "'=1+1"), ("-5.5", "-5.5"), ("@x,y", "\"'@x,y\""),
    // Programs read quotes and commas as bytes, whatever combining marks follow.
    ("\"\u{30C}", "\"\"\"\u{30C}\""), (",\u{30C}", "\",\u{30C}\""),
  ])
  func `cells are quoted if necessary`(text: String, cell: String) {
    #expect(Array(CSVFormat.cell(text).utf8) == Array(cell.utf8))
  }
}
