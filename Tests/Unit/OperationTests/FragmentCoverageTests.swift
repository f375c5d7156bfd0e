import ApusClientOperation
import ApusJSON
import Testing

/// The selections of a fragment compared with data.
@Suite struct FragmentCoverageTests {
  /// | data | covered |
  /// |---|---|
  /// | has every field that is not deferred further, also null | yes |
  /// | lacks such a field, at any depth and in any list item | no |
  /// | lacks a field that may be skipped by a type condition, or of a fragment deferred further | yes |
  @Test(arguments: [
    (#"{"name":"a","mate":null}"#, true), (#"{"name":null,"mate":null}"#, true), (#"{"mate":null}"#, false),
    (#"{"name":"a"}"#, false), ("{}", false), ("null", true), (#"{"name":"a","mate":{"id":"1"}}"#, true),
    (#"{"name":"a","mate":{}}"#, false), (#"{"name":"a","mate":{"age":1}}"#, false),
    (#"{"name":"a","mate":{"id":"1"},"extra":1}"#, true), (#"[{"name":"a","mate":null}]"#, true), ("[]", true),
    (#"[{"name":"a","mate":null},{"name":"a"}]"#, false), (#"[null,[{"name":"a","mate":{}}]]"#, false),
  ])
  func `data covers a fragment if it has its fields`(data: String, isCovered: Bool) throws {
    let plan = try plan("{ bird(id: 1) { name mate { id ... @defer { age } } ... @defer { weight } } }")
    let node = try #require(plan.root.fields(for: nil)["bird"]?.child)
    #expect(FragmentCoverage.covers(node, value: try json(data), typename: nil, usage: nil) == isCovered)
    #expect(FragmentCoverage.covers(node, value: try json(data), typename: "Bird", usage: nil) == isCovered)
  }

  /// The fields of a bird with two deferred fragments, one in the other.
  @Test func `a field belongs to the object, or to the fragments that select it`() throws {
    let plan = try plan("{ bird(id: 1) { name ... @defer { name age ... @defer { age weight } } } }")
    let fields = try #require(plan.root.fields(for: nil)["bird"]?.child).fields(for: "Bird")
    let outer = try #require(fields["age"]?.usages.first)
    let inner = try #require(fields["weight"]?.usages.first)
    func owners(_ key: String) throws -> [Bool] {
      let field = try #require(fields[key])
      return [nil, outer, inner].map { FragmentCoverage.isOwn(field, usage: $0) }
    }
    #expect(try owners("name") == [true, true, true])
    #expect(try owners("age") == [false, true, true])
    #expect(try owners("weight") == [false, false, true])
  }

  /// Below a null, a deferred fragment can never arrive if the object above it has arrived.
  @Test(arguments: [
    ("name", [], []), ("... @defer { name }", [], [""]), ("mate { ... @defer { name } }", [], ["mate"]),
    ("mate { mate { ... @defer { name } } ... @defer { age } }", [], ["mate", "mate.mate"]),
    // Within another fragment, which may arrive and bring its object again.
    ("... @defer { mate { ... @defer { name } } }", [], [""]),
    ("... @defer { mate { ... @defer { name } } }", [0], ["", "mate"]),
    ("mate { id } ... @defer { mate { ... @defer { name } } }", [], [""]),
    ("mate { id } ... @defer { mate { ... @defer { name } } }", [0], ["", "mate"]),
  ])
  func `fragments below a null are found with their paths`(text: String, open: [Int], paths: [String]) throws {
    let plan = try plan("{ bird(id: 1) { \(text) } }")
    let node = try #require(plan.root.fields(for: nil)["bird"]?.child)
    let found = node.fragmentsOnNull { open.contains($0.fragment.id) }
    let names = found.map { found in
      found.path.map { if case .key(let key) = $0 { key } else { "?" } }.joined(separator: ".")
    }
    #expect(names.sorted() == paths)
  }
}
