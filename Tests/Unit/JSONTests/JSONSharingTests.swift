import ApusJSON
import ApusTestSupport
import Testing

private func json(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

struct JSONSharingTests {
  @Test func `patching a long list shares unchanged elements`() throws {
    let count = 100_000
    let original = try json(#"{"birds":["# + (0..<count).map { #"{"id":\#($0)}"# }.joined(separator: ",") + "]}")
    var value = original
    for step in 0..<1_000 {
      value = try value.mergingDeeply(["name": JSONValue(step)], at: ["birds", .index(step * 97 % count)])
    }
    let before = try #require(original["birds"])
    let after = try #require(value["birds"])
    #expect(zip(before.elements, after.elements).count { $0.isIdentical(to: $1) } == count - 1_000)
    #expect(after.elements.enumerated().allSatisfy { $1["id"]?.int == $0 })
    #expect(before.elements.allSatisfy { $0.count == 1 })
  }

  @Test func `appending to a list leaves old versions unchanged`() throws {
    var value = try json(#"{"list":[0]}"#)
    var versions: [JSONValue] = []
    for number in 1..<3_000 {
      versions.append(value)
      value = try value.appending([JSONValue(number)], at: ["list"])
    }
    #expect(value["list"]?.elements.map(\.int) == Array(0..<3_000))
    #expect(versions.enumerated().allSatisfy { $1["list"]?.count == $0 + 1 })
  }

  @Test func `adding many members one by one keeps their order`() throws {
    var value = try json(#"{"first":0}"#)
    for number in 1..<2_000 { value = try value.replacing(at: [.key("key\(number)")], with: JSONValue(number)) }
    value = try value.replacing(at: ["key7"], with: "seven").replacing(at: ["first"], with: "none")
    #expect(value.count == 2_000)
    #expect(value["key1999"]?.int == 1_999)
    #expect(value["key7"]?.string == "seven")
    #expect(value.members.prefix(3).map(\.key) == ["first", "key1", "key2"])
    #expect(value == (try json(value.description)))
  }

  @Test func `merging parsed and built values gives the same result`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    for _ in 0..<300 {
      let left = generator.value(depth: 4)
      let right = generator.value(depth: 4)
      let inMemory = try left.mergingDeeply(right, at: [])
      let ofViews = try json(left.description).mergingDeeply(json(right.description), at: [])
      #expect(inMemory == ofViews, "seed \(seed)")
      #expect(inMemory.description == ofViews.description, "seed \(seed)")
      #expect(inMemory.hashValue == ofViews.hashValue, "seed \(seed)")
      #expect(try json(ofViews.description) == ofViews, "seed \(seed)")
    }
  }

  @Test func `a path deeper than the nesting limit is rejected`() throws {
    let path = ResponsePath(Array(repeating: 0, count: 5_000))
    #expect(throws: JSONPatchError.self) { try JSONValue.array([]).replacing(at: path, with: 1) }
  }
}
