import PeopleAPI

/// Checks JSON values, the building blocks of responses, variables and records.
func checkJSON(_ report: Report) throws {
  let text = #"{"a":[1,2.50,"x",null,true],"b":{"c":123456789012345678901234567890}}"#
  let value = try JSONValue(parsing: text)
  report.check("a text is written unchanged", value.description, is: text)
  report.check("an object has members", value.count, is: 2)
  report.check("a member is found by its key", value["b"]?.kind, is: JSONValue.Kind.object)
  report.check("an element is found by its index", value["a"]?[0]?.int, is: 1)
  report.check("a number keeps its text", value["a"]?[1]?.numberText, is: "2.50")
  report.check("a number has a value", value["a"]?[1]?.double, is: 2.5)
  report.check(
    "a number of any size is kept", value["b"]?["c"]?.number, is: JSONNumber(text: "123456789012345678901234567890"))
  report.check("invalid text does not make a number", JSONNumber(text: "1.") == nil)
  report.check("numbers are equal by value", JSONValue(1) == (try JSONValue(parsing: "1.0")))
  report.check("null is null", value["a"]?[3]?.isNull, is: true)
  report.check("a boolean is a boolean", value["a"]?[4]?.bool, is: true)
  let path: ResponsePath = ["a", 2]
  report.check("a path leads to a value", value.value(at: path)?.string, is: "x")
  report.check("a path has a readable form", path.description, is: "a[2]")
  report.check("a path is read from an error", ResponsePath(["a", 2]), is: ResponsePath(path.json))
  report.check("a path has components", path.components, is: [PathComponent.key("a"), .index(2)])
  let changed = try value.replacing(at: ["a", 0], with: 7)
  report.check("a patch creates a new value", changed["a"]?[0]?.int, is: 7)
  report.check("a patch does not change the old value", value["a"]?[0]?.int, is: 1)
  report.check("values are appended", try value.appending([8], at: ["a"])["a"]?.count, is: 6)
  report.check("objects merge", try value.mergingDeeply(["b": ["d": 1]], at: .root)["b"]?.count, is: 2)
  do {
    _ = try value.replacing(at: ["x", "y"], with: 1)
    report.check("a patch requires that its path exists", false)
  } catch {
    let expected: JSONPatchError = .nothing(at: ["x"])
    report.check("a patch reports a missing path", error, is: expected)
  }
  do throws(JSONSyntaxError) {
    _ = try JSONValue(parsing: "{\n  \"a\": }")
    report.check("broken JSON is refused", false)
  } catch {
    report.check("a syntax error has its line", error.line, is: 2)
    report.check("a syntax error is not a limit", !error.isLimit)
  }
  let elements: JSONValue.Elements = try JSONValue(parsing: "[1,2,3]").elements
  report.check("elements are a sequence", elements.map { $0.int ?? 0 }, is: [1, 2, 3])
  let members: JSONValue.Members = value.members
  report.check("members are a sequence in their order", members.map(\.key), is: ["a", "b"])
  var iterator: JSONValue.Members.Iterator = members.makeIterator()
  report.check("the first member comes first", iterator.next()?.key, is: "a")
  report.check("literals are values", JSONValue.array([1, 2.5, "x", .null, true]), is: [1, 2.5, "x", .null, true])
}
