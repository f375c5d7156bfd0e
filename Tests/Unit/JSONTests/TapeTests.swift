import ApusTestSupport
import Testing

@testable import ApusJSON

/// Tests that a tape is small compared with its text, and links each value to the next.
struct TapeTests {
  /// Returns a list that repeats `unit`.
  private func text(of unit: String, byteCount: Int = 200_000) -> [UInt8] {
    let count = byteCount / (unit.utf8.count + 1)
    return Array(("[" + String(repeating: unit + ",", count: count) + unit + "]").utf8)
  }

  private static let nested = String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)
  private static let members = String(repeating: "{\"\":", count: 1000) + "1" + String(repeating: "}", count: 1000)
  /// A deeply nested structure where siblings follow a large value.
  private static let siblings =
    String(repeating: "[", count: 500) + "[" + Array(repeating: "[[]]", count: 2000).joined(separator: ",") + "]"
    + String(repeating: ",1]", count: 500)

  /// The tape and the text together take at most three times the text's size. Skip entries of nested lists add half a
  /// percent.
  @Test(arguments: [
    "1", "\"\"", "[]", "{}", "{\"\":1}", "[1]", "true", "null", "[[]]", "{\"\":[]}", "\"\\n\"", " \n 1", nested,
    members,
    siblings, "1" + String(repeating: " ", count: 31), "\"" + String(repeating: "a", count: 128) + "\"",
    "[" + String(repeating: " ", count: 31) + "[]]",
  ])
  func `the tape is at most twice the size of its text`(unit: String) throws {
    let text = text(of: unit)
    let document = try JSONDocument(parsing: text)
    let ratio = Double(document.tapeByteCount) / Double(text.count)
    #expect(ratio <= 2.005, "\(unit.prefix(20)): \(ratio)")
  }

  @Test func `random values are read from the tape in order`() throws {
    let seed = UInt64.random(in: 0...99_999)
    var random = SplitMix(seed: seed)
    for _ in 0..<30 {
      var elements: [JSONValue] = []
      for _ in 0..<Int.random(in: 0...60, using: &random) { elements.append(random.value(depth: 5)) }
      let value = JSONValue.array(elements)
      let text = Bool.random(using: &random) ? JSONWriter.compact(value) : JSONWriter.pretty(value)
      let document = try JSONDocument(parsing: text)
      #expect(document.root == value, "seed \(seed)")
      #expect(document.root.count == elements.count, "seed \(seed)")
      for index in elements.indices {
        #expect(document.root[index] == elements[index], "seed \(seed), element \(index)")
      }
      #expect(document.root[elements.count] == nil)
      var portions: [[UInt8]] = []
      JSONWriter.write(document.root, isPretty: false, portionSize: 16) { portion, isLast in
        portions.append(portion + (isLast ? [0x0A] : []))
      }
      #expect(portions.joined().elementsEqual(JSONWriter.compactBytes(value) + [0x0A]), "seed \(seed)")
      #expect(portions.allSatisfy { String(validating: $0, as: UTF8.self) != nil }, "seed \(seed)")
    }
  }

  /// The sizes of these lists do not fit into one tape entry.
  @Test func `lists with millions of values can be skipped`() throws {
    let inner = text(of: "1", byteCount: 10 << 20)
    let count = inner.count / 2
    let text = Array("[[[".utf8) + inner + Array(",7],\"behind\"],8]".utf8)
    let root = try JSONDocument(parsing: text).root
    #expect(root.count == 2)
    #expect(root[1]?.int == 8)
    #expect(root[0]?.count == 2)
    #expect(root[0]?[1]?.string == "behind")
    #expect(root[0]?[0]?[1]?.int == 7)
    #expect(root[0]?[0]?[0]?.count == count)
    #expect(root[0]?[0]?[0]?[count - 1]?.int == 1)
    #expect(root[0]?[0]?[0]?[count] == nil)
  }

  @Test func `values separated by much whitespace are found`() throws {
    let space = String(repeating: " ", count: 100_000)
    let long = String(repeating: "é", count: 200_000)
    let text =
      "{\(space)\"a\"\(space):\(space)[\(space)],\"\(long)\":{\(space)\"b\":\(space)[\(space)1,{\(space)}]},\"c\":-1}"
    let root = try JSONDocument(parsing: text).root
    #expect(root.count == 3)
    #expect(root["a"]?.count == 0)
    #expect(root[long]?["b"]?.count == 2)
    #expect(root[long]?["b"]?[0]?.int == 1)
    #expect(root[long]?["b"]?[1]?.count == 0)
    #expect(root["c"]?.int == -1)
    #expect(root.description == text.filter { $0 != " " })
  }
}
