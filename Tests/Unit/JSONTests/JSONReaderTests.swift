import ApusTestSupport
import Testing

@testable import ApusJSON

/// Tests that parsing a text while it arrives produces the same document as parsing it at once.
struct JSONReaderTests {
  private let seed = UInt64.random(in: 0...99_999)

  init() { print("JSONReaderTests: seed \(seed)") }

  /// Several megabytes of random values, with members and strings that resemble split points.
  private func text(_ random: inout SplitMix) -> [UInt8] {
    var parts = (0..<300).map { _ in JSONWriter.compact(random.value(depth: 4)) }
    parts.append(#""one, \"two\", [3], ,\"{\" , -4, \\""#)
    parts.append("{\"a\" :\n [ ] ,\n \"b\": { } , \"c\":\t-1.5e+3\n}")
    parts.append("\"" + String(repeating: ", \\\",\\\"", count: 100_000) + "\"")
    var text = Array("[".utf8)
    while text.count < 4 << 20 {
      text += (parts.randomElement(using: &random) ?? "0").utf8
      text += ([",", " , ", ",\n  "].randomElement(using: &random) ?? ",").utf8
    }
    return text + "0]".utf8
  }

  /// Parses a text that arrives in pieces of random sizes. Returns the document or the error.
  private func arriving(
    _ text: [UInt8], _ random: inout SplitMix
  ) -> (result: Result<JSONDocument, JSONSyntaxError>, parsedEarly: Int) {
    let reader = JSONReader()
    var arrived: [UInt8] = []
    while arrived.count < text.count {
      let size = min(Int.random(in: 1...400_000, using: &random), text.count - arrived.count)
      arrived += text[arrived.count..<(arrived.count + size)]
      reader.read(arrived)
    }
    let early = reader.parsedByteCount
    do throws(JSONSyntaxError) { return (.success(try reader.finish(arrived)), early) } catch {
      return (.failure(error), early)
    }
  }

  private func tape(_ document: JSONDocument) -> [UInt16] { Array(document.units) }

  @Test func `parsing in pieces produces the same tape`() throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<4 {
      let text = text(&random)
      let (result, parsedEarly) = arriving(text, &random)
      #expect(try tape(result.get()) == tape(JSONDocument(parsing: text)))
      #expect(parsedEarly > text.count / 2)
    }
  }

  @Test func `parsing in pieces reports the same errors`() throws {
    var random = SplitMix(seed: seed)
    let complete = text(&random)
    let faults: [[UInt8]] = [
      [0xFF], [0x01], Array("\"".utf8), Array("}".utf8), Array(",,".utf8), Array("]".utf8), Array("x".utf8), [],
    ]
    for fault in faults {
      var text = complete
      let place = Int.random(in: 0..<text.count, using: &random)
      if fault.isEmpty { text.removeSubrange(place...) } else { text.insert(contentsOf: fault, at: place) }
      let expected = Result { () throws(JSONSyntaxError) in tape(try JSONDocument(parsing: text)) }
      let result = arriving(text, &random).result.map(tape)
      #expect(result == expected, "\(fault) at \(place)")
    }
  }

  /// These texts have few split points.
  @Test func `long strings and flat lists are parsed in pieces`() throws {
    var random = SplitMix(seed: seed)
    let long = "\"" + String(repeating: "a, 7\\\"", count: 400_000) + "\""
    let string = Array("[\(long),\(Array(repeating: "1", count: 700_000).joined(separator: ",")),\(long), 1]".utf8)
    #expect(try tape(arriving(string, &random).result.get()) == tape(JSONDocument(parsing: string)))
    let words = Array(("[true" + String(repeating: ", null", count: 600_000) + "]").utf8)
    #expect(try tape(arriving(words, &random).result.get()) == tape(JSONDocument(parsing: words)))
    let marked = [0xEF, 0xBB, 0xBF] + words
    #expect(try tape(arriving(marked, &random).result.get()) == tape(JSONDocument(parsing: words)))
  }
}
