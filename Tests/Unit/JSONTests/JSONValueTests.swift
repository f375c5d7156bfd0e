import ApusJSON
import Testing

private func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

struct JSONValueTests {
  @Test(arguments: [true, false])
  func `nil differs from null`(isAbsent: Bool) {
    let given = JSONValue("x")
    let value: JSONValue? = isAbsent ? nil : given
    #expect(value == (isAbsent ? Optional.none : given))
  }

  @Test(
    arguments: [
      ("12", 12, 12), ("-7", -7, -7), ("1.0", 1, 1), ("1.5", nil, 1.5), ("1e3", 1_000, 1_000), ("1e999", nil, nil),
      ("123456789012345678901234567890", nil, 1.2345678901234568e29), ("-0", 0, -0.0),
      ("9223372036854775807", .max, 0x1p63), ("9223372036854775808", nil, 0x1p63),
      ("9223372036854775807.0", .max, 0x1p63), ("1e-999999999999999999999", nil, 0),
    ] as [(String, Int?, Double?)])
  func `numbers keep their text and convert if possible`(text: String, int: Int?, double: Double?) throws {
    let value = try json(text)
    #expect(value.numberText == text)
    #expect(value.int == int)
    #expect(value.double == double)
    #expect(value.description == text)
  }

  @Test func `numbers are compared by their exact value`() throws {
    #expect(try json("1e400") != json("1e401"))
    #expect(try json("1e400") == json("10e399"))
    #expect(try json("123456789012345678901234567890") != json("123456789012345678901234567891"))
    #expect(try json("0.0") == json("-0"))
    #expect(try json("-1.0") == json("-1") && json("-1.0") != json("1"))
    #expect(try json("1.50").hashValue == json("15e-1").hashValue)
    #expect(try json("1e99999999999999999999999") == json("1e99999999999999999999999"))
    #expect(["1.", "", "-", "01", "1e", "+1", "0x1", "NaN", " 1", "1 "].allSatisfy { JSONNumber(text: $0) == nil })
  }

  @Test func `strings are compared by bytes not by Unicode equivalence`() throws {
    #expect(try json(#""e\u0301""#) != json(#""\u00e9""#))
    #expect(try json(#""\u0041""#) == "A")
    #expect(try json(#"{"e\u0301":1}"#)["\u{e9}"] == nil)
    #expect(JSONValue.object([("e\u{301}", 1), ("\u{e9}", 2)]).count == 2)
  }

  @Test func `a key with escapes is found by its decoded name`() throws {
    #expect(try json(#"{"n\u0061me":1}"#)["name"]?.int == 1)
    #expect(try json(#"{"n\u0061me":1}"#).mergingDeeply(["name": 2], at: []).description == #"{"name":2}"#)
  }

  @Test(arguments: [40, 63, 64, 1_000])
  func `a large object finds every key`(count: Int) throws {
    let made = JSONValue.object((0..<count).map { ("key\($0)", JSONValue($0)) })
    let read = try json(made.description)
    #expect((0..<count).allSatisfy { made["key\($0)"]?.int == $0 && read["key\($0)"]?.int == $0 })
    #expect(read["key\(count)"] == nil)
    #expect(read.member(at: count - 1)?.key == "key\(count - 1)")
    #expect(made.member(at: count - 1)?.key == "key\(count - 1)")
    #expect(read.member(at: count) == nil)
  }

  @Test func `the last of duplicate keys is used`() throws {
    #expect(try json(#"{"a":1,"a":2}"#)["a"]?.int == 2)
    let many = (0..<100).map { "\"k\($0 % 50)\":\($0)" }.joined(separator: ",")
    #expect(try json("{\(many)}")["k7"]?.int == 57)
    #expect(JSONValue.object([("a", 1), ("b", 2), ("a", 3)]).description == #"{"a":3,"b":2}"#)
  }

  @Test func `only arrays have elements, and only objects have members`() throws {
    for text in ["1", "\"a\"", "null", "true"] {
      let value = try json(text)
      #expect(value.elements.underestimatedCount == 0 && Array(value.elements).isEmpty)
      #expect(Array(value.members).isEmpty)
    }
    #expect(try json("[1,2]").elements.underestimatedCount == 2 && Array(json("[1,2]").members).isEmpty)
    #expect(try Array(json("{\"a\":1}").elements).isEmpty)
  }

  @Test func `elements of a long array are found by index`() throws {
    let read = try json(JSONValue.array((0..<5_000).map { [JSONValue($0)] }).description)
    #expect((0..<5_000).allSatisfy { read[$0]?[0]?.int == $0 })
    #expect(read[5_000] == nil)
    #expect(read[-1] == nil)
  }

  @Test func `byte size approximates the size of the text`() throws {
    let text = #"{"birds":[{"id":"1","name":"Apus"},{"id":"2"}],"total":2}"#
    #expect(abs(try json(text).byteSize - text.utf8.count) < 10)
    #expect(try json(#"{"a":"12345678"}"#)["a"]?.byteSize == 10)
    let edited = try json(text).replacing(at: ["birds", 0, "name"], with: "Apus apus apus")
    #expect(abs(edited.byteSize - edited.description.utf8.count) < 16)
  }

  @Test func `forEachMember passes decoded keys`() throws {
    let value = try json(#"{"a":1,"\u0062":2,"c":3}"#).replacing(at: ["a"], with: 9).replacing(at: ["d"], with: 4)
    var seen: [String] = []
    value.forEachMember { key, member in
      seen.append("\(String(decoding: key, as: UTF8.self))=\(member)")
      return seen.count < 4
    }
    #expect(seen == ["a=9", "b=2", "c=3", "d=4"])
    #expect(value.members.map { "\($0.key)=\($0.value)" } == seen)
  }
}
