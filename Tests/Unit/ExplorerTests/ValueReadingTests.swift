import ApusExplorerCore
import ApusJSON
import Testing

/// The recognized meanings of a value in the value popup.
struct ValueReadingTests {
  private func meanings(_ text: String) -> [ValueDetail.Interpretation] { ValueDetail(JSONValue(text)).meanings }

  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2025-06-01T08:30:00Z", 1_748_766_600),
    ("2025-06-01 10:30:00.5+02:00", 1_748_766_600.5),
    ("2000-02-29T23:59:59-01:30", 951_874_199), ("1969-12-31T23:59:59z", -1), ("1600-03-01T00:00:00Z", -11_670_912_000),
  ])
  func `a time is recognized`(text: String, seconds: Double) {
    #expect(meanings(text) == [.time(seconds)])
  }

  @Test(arguments: [
    "2025-06-01", "2025-13-01T00:00:00Z", "2025-06-01T24:00:00Z", "2025-06-01T08:30:00", "2025-06-01T08:30:00+2:00",
    "a word or two that mean nothing", "2025-06-01T08:30:0xZ", "",
  ])
  func `other strings have no meaning`(text: String) {
    #expect(meanings(text).isEmpty)
  }

  @Test func `JSON in a string is formatted`() {
    let reading = ValueDetail(JSONValue(#"{"a":[1,2]}"#))
    #expect(reading.meanings == [.json] && reading.lines.count > 1 && reading.lines.first == "{")
    #expect(meanings("{not json}").isEmpty)
  }

  @Test func `links and Base64 are recognized`() {
    #expect(meanings("see https://a.example/b.") == [.link("https://a.example/b")])
    #expect(meanings("SGVsbG8sIGhlcmUgYXJlIGJ5dGVzIQ==") == [.base64(byteCount: 22)])
    #expect(meanings("justawordthatislongenough1234AB!").isEmpty)
  }

  @Test func `a long string is truncated`() {
    let reading = ValueDetail(JSONValue(String(repeating: "a\n", count: 400_000)))
    #expect(reading.isCut && reading.byteCount == 800_000 && reading.lines.count < 200_000)
  }
}
