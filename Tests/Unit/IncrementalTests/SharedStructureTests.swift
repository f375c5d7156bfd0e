import ApusJSON
import Testing

/// Tests that merging a payload shares all values that it does not change.
struct SharedStructureTests {
  private func item(_ number: Int) -> String {
    "{\"id\":\"\(number)\",\"name\":\"bird \(number)\",\"home\":{\"name\":\"nest \(number)\"}}"
  }

  @Test func `merging into an object shares all other objects`() throws {
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
      // Unchanged members of the changed object are shared, too.
      let (left, right) = (try #require(before[changed]?["name"]), try #require(after[changed]?["name"]))
      #expect(left.isIdentical(to: right))
      #expect(before[changed]?["home"]?["climate"] == nil && after[changed]?["home"]?["climate"] == "warm")
    }
    #expect(first[0]?["home"]?["climate"] == nil, "an older result stays what it was")
  }

  @Test func `streaming many items shares earlier items`() throws {
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
    // Items are unchanged in later results, and earlier results did not grow.
    for (part, result) in results.enumerated() {
      #expect(result.count == (part + 1) * 10)
      for index in [0, part * 5, part * 10 + 9] {
        #expect(try #require(result[index]).isIdentical(to: try #require(last[index])))
      }
    }
  }
}
