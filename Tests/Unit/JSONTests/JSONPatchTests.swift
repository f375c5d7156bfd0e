import ApusJSON
import ApusTestSupport
import Testing

struct JSONPatchTests {
  private func parse(_ text: String) throws -> JSONValue { try JSONDocument(parsing: text).root }

  @Test func `replacing a value leaves the old version unchanged`() throws {
    let old = try parse(#"{"a":{"b":[1,2,3]},"c":true}"#)
    let new = try old.replacing(at: ["a", "b", 1], with: "x")
    #expect(new.description == #"{"a":{"b":[1,"x",3]},"c":true}"#)
    #expect(old.description == #"{"a":{"b":[1,2,3]},"c":true}"#)
  }

  @Test func `the root can be replaced`() throws {
    #expect(try parse("1").replacing(at: .root, with: [2]) == [2])
  }

  @Test func `a new member is appended`() throws {
    let value = try parse(#"{"a":1}"#).replacing(at: ["b"], with: 2).replacing(at: ["c"], with: 3)
    #expect(value.description == #"{"a":1,"b":2,"c":3}"#)
    #expect(value["b"]?.int == 2)
  }

  @Test func `replacing the index after the last appends`() throws {
    #expect(try parse("[1]").replacing(at: [1], with: 2).description == "[1,2]")
    #expect(throws: JSONPatchError.nothing(at: [3])) { try self.parse("[1]").replacing(at: [3], with: 2) }
  }

  @Test func `objects merge member by member and lists index by index`() throws {
    let value = try parse(#"{"a":{"x":1,"l":[{"p":1},{"p":2}]}}"#)
    let patch = try parse(#"{"y":2,"x":9,"l":[{"q":1},{"q":2},{"q":3}]}"#)
    #expect(
      try value.mergingDeeply(patch, at: ["a"]).description
        == #"{"a":{"x":9,"l":[{"p":1,"q":1},{"p":2,"q":2},{"q":3}],"y":2}}"#)
  }

  @Test func `items are appended to a list`() throws {
    #expect(
      try parse(#"{"l":[]}"#).appending([1, 2], at: ["l"]).appending([3], at: ["l"]).description == #"{"l":[1,2,3]}"#)
    #expect(throws: JSONPatchError.wrongKind(at: ["l"])) { try self.parse(#"{"l":1}"#).appending([1], at: ["l"]) }
    #expect(throws: JSONPatchError.nothing(at: ["m"])) { try self.parse(#"{"l":1}"#).appending([1], at: ["m"]) }
  }

  @Test func `a path that does not exist is reported`() throws {
    #expect(throws: JSONPatchError.nothing(at: ["a", "b"])) {
      try self.parse(#"{"a":{}}"#).replacing(at: ["a", "b", "c"], with: 1)
    }
    #expect(throws: JSONPatchError.wrongKind(at: ["a", "b"])) {
      try self.parse(#"{"a":1}"#).replacing(at: ["a", "b"], with: 1)
    }
  }

  @Test(.timeLimit(.minutes(1))) func `merging many members takes linear time`() throws {
    func object(_ name: String) throws -> JSONValue {
      try parse("{" + (0..<60_000).map { "\"\(name)\($0)\":\($0)" }.joined(separator: ",") + "}")
    }
    let value = try object("a").mergingDeeply(try object("b"), at: .root)
    #expect(value.count == 120_000)
    #expect(value["a59999"] == 59_999)
    #expect(value["b59999"] == 59_999)
    let again = try value.mergingDeeply(["b7": "x", "c": "y"], at: .root)
    #expect(again.count == 120_001)
    #expect(again["b7"] == "x")
    #expect(value["b7"] == 7)
  }

  @Test func `patching a long list keeps earlier versions`() throws {
    let list = try parse("[" + (0..<100_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
    var versions = [list]
    for step in 0..<1_000 {
      versions.append(try versions[step].mergingDeeply(["slow": JSONValue(step)], at: [.index(step * 97)]))
    }
    #expect(versions[1_000][970]?.description == #"{"id":970,"slow":10}"#)
    #expect(versions[10][970]?.description == #"{"id":970}"#)
    #expect(versions[11][970]?.description == #"{"id":970,"slow":10}"#)
    #expect(versions[1_000].count == 100_000)
  }

  @Test func `random patches match a simple model`() throws {
    let seed = UInt64.random(in: .min ... .max)
    var generator = SplitMix(seed: seed)
    var value = try parse("[" + (0..<50).map(String.init).joined(separator: ",") + "]")
    var model = Array(0..<50)
    for step in 0..<2_000 {
      let index = Int.random(in: 0...model.count, using: &generator)
      value = try value.replacing(at: [.index(index)], with: JSONValue(step))
      if index == model.count { model.append(step) } else { model[index] = step }
    }
    #expect(value.elements.map(\.int) == model, "seed \(seed)")
  }

  @Test func `a large object finds old and new members`() throws {
    var value = JSONValue.object((0..<200).map { ("k\($0)", JSONValue($0)) })
    value = try parse(value.description)
    for index in stride(from: 0, to: 400, by: 7) {
      value = try value.replacing(at: [.key("k\(index)")], with: JSONValue(-index))
    }
    #expect(value["k7"]?.int == -7)
    #expect(value["k8"]?.int == 8)
    #expect(value["k399"]?.int == -399)
    #expect(value["k398"] == nil)
  }
}

struct JSONWriterTests {
  @Test func `C0 and C1 control characters are escaped`() throws {
    let value: JSONValue = "a\u{1b}[31m\u{7f}\u{9b}\u{a0}\n"
    #expect(value.description == "\"a\\u001b[31m\\u007f\\u009b\u{a0}\\n\"")
    let parsed = try JSONDocument(parsing: "\"\u{7f}\u{9b}\\u001b\"").root
    #expect(parsed.description == "\"\\u007f\\u009b\\u001b\"")
  }

  @Test func `pretty printing indents by two spaces`() {
    let value: JSONValue = ["a": [1, ["b": .null]], "e": [], "o": [:]]
    #expect(
      JSONWriter.pretty(value) == """
        {
          "a": [
            1,
            {
              "b": null
            }
          ],
          "e": [],
          "o": {}
        }
        """)
  }

  @Test func `paths use dots and brackets`() {
    let path: ResponsePath = ["birds", "edges", 3, "node"]
    #expect(path.description == "birds.edges[3].node")
    #expect(ResponsePath(path.json) == path)
    #expect(ResponsePath(["a", true]) == nil)
  }
}
