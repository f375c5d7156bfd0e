import ApusClientOperation
import ApusJSON
import Testing

/// Tests that a field has one cache key, however its arguments are written.
@Suite struct ArgumentsKeyTests {
  @Test func `the key of a field without arguments is its name`() throws {
    #expect(try key("{ station { name } }") == "station")
    #expect(try key("{ alias: station { name } }") == "station")
  }

  @Test func `the order of arguments and of input fields does not matter`() throws {
    let one = try key("{ birds(first: 1, filter: {minimum: 2, near: {longitude: 1, latitude: 2}}) { name } }")
    let two = try key("{ birds(filter: {near: {latitude: 2, longitude: 1}, minimum: 2}, first: 1) { name } }")
    #expect(one == two)
    #expect(one == #"birds({"filter":{"minimum":2,"near":{"latitude":2,"longitude":1}},"first":1})"#)
    #expect(try key("{ a(y: 1, x: 2) }", schema: nil) == #"a({"x":2,"y":1})"#)
  }

  @Test func `explicit and implicit defaults have the same key`() throws {
    #expect(try key("{ birds { name } }") == #"birds({"first":10})"#)
    #expect(try key("{ birds(first: 10) { name } }") == #"birds({"first":10})"#)
    #expect(try key("{ birds(filter: {}) { name } }") == #"birds({"filter":{"minimum":1},"first":10})"#)
  }

  @Test func `a variable has the same key as its value`() throws {
    #expect(
      try key("query ($n: Int) { birds(first: $n) { name } }", variables: #"{"n":3}"#)
        == key("{ birds(first: 3) { name } }"))
    #expect(try key("query ($n: Int) { birds(first: $n) { name } }") == #"birds({"first":10})"#)
    #expect(try key("query ($n: Int = 4) { birds(first: $n) { name } }") == #"birds({"first":4})"#)
    #expect(
      try key(
        "query ($f: Filter, $s: [Sort!]) { birds(filter: $f, sort: $s) { name } }",
        variables: #"{"f":{"ids":["1"]},"s":"NAME"}"#)
        == key("{ birds(filter: {ids: 1, minimum: 1.0}, sort: [NAME], first: 10) { name } }"))
  }

  @Test func `numbers and IDs are normalized`() throws {
    #expect(try key("{ bird(id: 12) { name } }") == #"bird({"id":"12"})"#)
    #expect(try key("{ bird(id: \"12\") { name } }") == #"bird({"id":"12"})"#)
    #expect(try key("{ count(weight: 1.0) }") == key("{ count(weight: 1) }"))
    #expect(try key("{ count(weight: 1.5) }") == #"count({"weight":1.5})"#)
  }

  @Test func `null and missing arguments have different keys`() throws {
    #expect(try key("{ search(text: null) { __typename } }") == #"search({"text":null})"#)
    #expect(try key("{ search { __typename } }") == "search")
  }
}
