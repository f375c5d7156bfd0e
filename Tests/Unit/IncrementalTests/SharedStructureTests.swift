import ApusJSON
import Testing

/// What a part does not touch is the very same value before and after it: no part copies the result that it goes into.
struct SharedStructureTests {
  private func item(_ number: Int) -> String {
    "{\"id\":\"\(number)\",\"name\":\"bird \(number)\",\"home\":{\"name\":\"nest \(number)\"}}"
  }

  @Test func aPartIntoAnObjectLeavesAllOthersAsTheyWere() throws {
    var delivery = try Delivery(
      "query Q { people { id name home { name ... @defer(label: \"c\") { climate } } } }")
    let people = (0..<500).map(item).joined(separator: ",")
    try delivery.receive("{\"data\":{\"people\":[\(people)]},\"hasNext\":true}")
    let first = try #require(delivery.last?.data?["people"])
    for changed in stride(from: 0, to: 500, by: 7) {
      let before = try #require(delivery.last?.data?["people"])
      try delivery.receive(
        "{\"incremental\":[{\"data\":{\"climate\":\"warm\"},\"path\":[\"people\",\(changed),\"home\"],\"label\":\"c\"}],"
          + "\"hasNext\":true}")
      let after = try #require(delivery.last?.data?["people"])
      for index in 0..<500 {
        let (left, right) = (try #require(before[index]), try #require(after[index]))
        #expect(left.isIdentical(to: right) == (index != changed))
      }
      // In the changed object what is beside the changed place is shared, too.
      let (left, right) = (try #require(before[changed]?["name"]), try #require(after[changed]?["name"]))
      #expect(left.isIdentical(to: right))
      #expect(before[changed]?["home"]?["climate"] == nil && after[changed]?["home"]?["climate"] == "warm")
    }
    #expect(first[0]?["home"]?["climate"] == nil, "an older result stays what it was")
  }

  @Test func aThousandPartsOfAListShareAllThatWasThere() throws {
    var delivery = try Delivery("query Q { people @stream(initialCount: 0) { id name home { name } } }")
    try delivery.receive("{\"data\":{\"people\":[]},\"hasNext\":true}")
    var results: [JSONValue] = []
    for part in 0..<1000 {
      let items = (0..<10).map { item(part * 10 + $0) }.joined(separator: ",")
      try delivery.receive(
        "{\"incremental\":[{\"items\":[\(items)],\"path\":[\"people\",\(part * 10)]}],\"hasNext\":true}")
      results.append(try #require(delivery.last?.data?["people"]))
    }
    let last = try #require(results.last)
    #expect(last.count == 10_000)
    // Each result's own items are found in the last one as they are, and no result has grown afterwards.
    for (part, result) in results.enumerated() {
      #expect(result.count == (part + 1) * 10)
      for index in [0, part * 5, part * 10 + 9] {
        #expect(try #require(result[index]).isIdentical(to: try #require(last[index])))
      }
    }
  }
}
