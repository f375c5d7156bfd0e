import ApusJSON
import ApusTestSupport
import Testing

/// Returns the parsed text in compact form, or the error.
private func reading(_ bytes: [UInt8]) -> String {
  do {
    return try JSONDocument(parsing: bytes).root.description
  } catch {
    return "\(error) (byte \(error.offset))"
  }
}

private func reading(_ text: String) -> String { reading(Array(text.utf8)) }

struct HostileTextTests {
  @Test(arguments: [
    ("<html lang=\"en>", "unexpected '<' at line 1, column 1 (byte 0)"),
    ("[tru, \"unclosed]", "unexpected 't' at line 1, column 2 (byte 1)"),
    ("[1, \"unclosed]", "a string is not closed at line 1, column 5 (byte 4)"),
    ("\"abc\\\"", "a string is not closed at line 1, column 1 (byte 0)"),
    ("[\"a\u{1B}[31m\"]", "a control character in a string at line 1, column 4 (byte 3)"),
    ("[1,\u{7}]", "unexpected character U+0007 at line 1, column 4 (byte 3)"),
    ("[1,\u{202E}]", "unexpected character U+202E at line 1, column 4 (byte 3)"),
    ("[1,\u{20AC}]", "unexpected '€' at line 1, column 4 (byte 3)"),
    ("{\n  \"é\": 1,\n  \"€€\": ?}", "unexpected '?' at line 3, column 9 (byte 25)"),
    ("[1}", "unexpected '}' at line 1, column 3 (byte 2)"),
    ("{\"a\":1]", "unexpected ']' at line 1, column 7 (byte 6)"),
    ("{\"a\"}", "unexpected '}' at line 1, column 5 (byte 4)"),
    ("{\"a\":1 \"b\":2}", "unexpected '\"' at line 1, column 8 (byte 7)"),
    ("1e+", "not a number at line 1, column 1 (byte 0)"),
    ("[12a]", "not a number at line 1, column 2 (byte 1)"),
    ("0x10", "not a number at line 1, column 1 (byte 0)"),
    ("\"\\u12\"", "an escape that JSON does not have at line 1, column 2 (byte 1)"),
    ("\"a\" \"b\"", "more after the end of the value at line 1, column 5 (byte 4)"),
  ])
  func `the first error is reported with its location`(text: String, message: String) {
    #expect(reading(text) == message)
  }

  @Test(
    arguments: [
      ([0x22, 0xFF, 0x22], 1), ([0x5B, 0x22, 0xC0, 0x80, 0x22, 0x5D], 2), ([0x22, 0xED, 0xA0, 0x80, 0x22], 1),
      ([0x22, 0xE2, 0x82, 0x22], 1), ([0x22, 0xF5, 0x80, 0x80, 0x80, 0x22], 1), ([0x22, 0x61, 0x80, 0x22], 2),
    ] as [([UInt8], Int)])
  func `invalid UTF-8 is reported with its byte offset`(bytes: [UInt8], offset: Int) {
    #expect(reading(bytes) == "not UTF-8 at line 1, column \(offset + 1) (byte \(offset))")
  }

  @Test func `nesting deeper than the limit is rejected`() {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(reading(nested(1024)) == nested(1024))
    let refusal = "nested deeper than the limit of 1024 levels"
    #expect(reading(nested(1025)).hasPrefix(refusal))
    #expect(reading(String(repeating: "{\"a\":", count: 1 << 18)).hasPrefix(refusal))
  }

  @Test func `parsing randomly damaged text never crashes`() {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    for _ in 0..<3_000 {
      var bytes = JSONWriter.compactBytes(generator.value(depth: 3))
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        let at = Int.random(in: 0...bytes.count, using: &generator)
        switch Int.random(in: 0...2, using: &generator) {
        case 0 where at < bytes.count: bytes.remove(at: at)
        case 1 where at < bytes.count: bytes[at] = UInt8.random(in: 0...255, using: &generator)
        default: bytes.insert(Array("{}[]:,\"\\0e- ".utf8).randomElement(using: &generator) ?? 0, at: at)
        }
      }
      guard let value = try? JSONDocument(parsing: bytes).root else { continue }
      #expect(reading(value.description) == value.description, "seed \(seed)")
    }
  }
}
