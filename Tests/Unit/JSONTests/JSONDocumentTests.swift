import ApusJSON
import ApusTestSupport
import Testing

struct JSONDocumentTests {
  @Test(arguments: [
    "null", "true", "false", "0", "-0", "1.10", "1e999", "-12.5E+3", "123456789012345678901234567890", "\"\"", "\"a\"",
    "[]", "{}", "[1,[2,[3]]]", "{\"a\":{\"b\":[null,true]}}", "\"\\ud800\"", "\"é日本🐦\"", "[\"\\\"\",\"\\\\\"]",
  ])
  func `printing a parsed document returns its text`(text: String) throws {
    #expect(try JSONDocument(parsing: text).root.description == text)
    #expect(try JSONDocument(parsing: " \n\(text)\t\r ").root.description == text)
  }

  @Test(arguments: [
    ("", "the text is empty at line 1, column 1"),
    ("  ", "the text is empty at line 1, column 1"),
    ("{", "the text ends too early at line 1, column 2"),
    ("[1,]", "unexpected ']' at line 1, column 4"),
    ("[1 2]", "unexpected '2' at line 1, column 4"),
    ("{\"a\" 1}", "unexpected '1' at line 1, column 6"),
    ("{a:1}", "unexpected 'a' at line 1, column 2"),
    ("{\"a\":1,}", "unexpected '}' at line 1, column 8"),
    ("01", "not a number at line 1, column 1"),
    ("1.", "not a number at line 1, column 1"),
    ("-", "not a number at line 1, column 1"),
    ("1\"a\"", "not a number at line 1, column 1"),
    ("\"a\"b", "more after the end of the value at line 1, column 4"),
    ("tru", "unexpected 't' at line 1, column 1"),
    ("nullx", "unexpected 'n' at line 1, column 1"),
    ("\"\\x\"", "an escape that JSON does not have at line 1, column 2"),
    ("\"\\u12g4\"", "an escape that JSON does not have at line 1, column 2"),
    ("\n\"a\nb\"", "a control character in a string at line 2, column 3"),
    ("[\"abc", "a string is not closed at line 1, column 2"),
    ("1 2", "more after the end of the value at line 1, column 3"),
    ("<html>", "unexpected '<' at line 1, column 1"),
  ])
  func `invalid JSON is reported with a reason and location`(text: String, message: String) {
    #expect {
      try JSONDocument(parsing: text)
    } throws: {
      "\($0)" == message
    }
  }

  /// A text that is cut within a value, a name or a list has ended too early; other errors are elsewhere.
  @Test func `the end of a text that is cut is reported`() {
    let text = #"{"a":[1,{"b":"c\"d"},[]],"e":"\u0041"}"#
    for count in 1..<text.utf8.count {
      let cut = String(text.prefix(count))
      #expect(throws: JSONSyntaxError.self, "\(cut)") { try JSONDocument(parsing: cut) }
      do { _ = try JSONDocument(parsing: cut) } catch { #expect(error.isEndOfText, "\(cut)") }
    }
    for text in ["[1,,2]", "{a:1}", "[1] 2", "{\"a\" 1}", "[\"\\x\"]", "[01]", "[\"a\nb\"]"] {
      do { _ = try JSONDocument(parsing: text) } catch { #expect(!error.isEndOfText, "\(text)") }
    }
  }

  @Test func `invalid UTF-8 is reported with its location`() {
    #expect {
      try JSONDocument(parsing: Array("[\"abc".utf8) + [0xFF] + Array("\"]".utf8))
    } throws: {
      "\($0)" == "not UTF-8 at line 1, column 6"
    }
  }

  @Test func `a megabyte of opening brackets is an error`() {
    #expect {
      try JSONDocument(parsing: [UInt8](repeating: UInt8(ascii: "["), count: 1 << 20))
    } throws: {
      "\($0)" == "nested deeper than the limit of 1024 levels at line 1, column 1025"
        && ($0 as? JSONSyntaxError)?.isLimit == true
    }
    #expect(#expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: "[") }?.isLimit == false)
  }

  @Test func `a byte order mark is ignored`() throws {
    #expect(try JSONDocument(parsing: [0xEF, 0xBB, 0xBF] + Array("{}".utf8)).root.kind == .object)
    for start: [UInt8] in [[0xEF], [0xEF, 0xBB], [0xEF, 0xBB, 0x20]] {
      #expect(throws: JSONSyntaxError.self) { try JSONDocument(parsing: start + Array("{}".utf8)) }
    }
  }

  @Test func `escapes are decoded`() throws {
    let text = #""\"\\\/\b\f\n\r\t\u0041\u00e9\ud83d\udc26\ud800x""#
    #expect(try JSONDocument(parsing: text).root.string == "\"\\/\u{8}\u{c}\n\r\tAé🐦\u{FFFD}x")
  }

  @Test func `numbers convert to integers doubles and text`() throws {
    let root = try JSONDocument(parsing: "[5,5.0,5e0,-7,9223372036854775807,9223372036854775808,1e999,0.1,-5.0,-70e-1]")
      .root
    #expect(root.elements.map(\.int) == [5, 5, 5, -7, Int.max, nil, nil, nil, -5, -7])
    #expect(root[6]?.double == nil)
    #expect(root[7]?.double == 0.1)
    #expect(root[6]?.numberText == "1e999")
  }

  @Test func `members keep their order and are found by key`() throws {
    let root = try JSONDocument(parsing: #"{"b":1,"a":{"c":[10,20]},"\u0062\u0062":3}"#).root
    #expect(root.members.map(\.key) == ["b", "a", "bb"])
    #expect(root["bb"]?.int == 3)
    #expect(root.value(at: ["a", "c", 1])?.int == 20)
    #expect(root.value(at: ["a", "c", 2]) == nil)
    #expect(root.value(at: ["b", "c"]) == nil)
    #expect(root["a"]?["c"]?.count == 2)
  }

  @Test func `values are compared by the rules of JSON`() throws {
    let left = try JSONDocument(parsing: #"{"a":1.0,"b":[true,null,"x"]}"#).root
    let right: JSONValue = ["b": [true, .null, "x"], "a": 1]
    #expect(left == right)
    #expect(left.hashValue == right.hashValue)
    #expect(left != ["a": 1, "b": [true, .null, "y"]])
    #expect(JSONValue(9_007_199_254_740_993) != JSONValue(9_007_199_254_740_992))
  }

  @Test func `comparisons use the last of duplicate members`() throws {
    let text = #"{"a":1,"b":[],"a":2}"#
    let value = try JSONDocument(parsing: text).root
    #expect(try value == JSONDocument(parsing: text).root)
    #expect(value == ["b": [], "a": 2])
    #expect(["b": [], "a": 2] == value)
    #expect(value.hashValue == (["b": [], "a": 2] as JSONValue).hashValue)
    #expect(value != ["b": [], "a": 1])
    #expect(value != ["b": [], "a": 2, "c": 3])
    #expect(try value != JSONDocument(parsing: #"{"a":2,"a":2,"a":2}"#).root)
    let patched = try value.replacing(at: ["a"], with: 5)
    #expect(patched == ["a": 5, "b": []])
    #expect(patched.hashValue == (["a": 5, "b": []] as JSONValue).hashValue)
  }

  @Test func `random values survive printing and parsing`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    for _ in 0..<500 {
      let value = generator.value(depth: 4)
      let again = try JSONDocument(parsing: JSONWriter.compact(value)).root
      #expect(again == value, "seed \(seed)")
      #expect(try JSONDocument(parsing: JSONWriter.pretty(value)).root == value, "seed \(seed)")
    }
  }
}
