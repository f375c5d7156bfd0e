import ApusJSON
import Testing

@testable import ApusClientOperation

/// Selection plans: fields by type, with fragments resolved and fields merged.
@Suite struct SelectionPlanTests {
  /// Returns the keys of the fields of a type in the first root field, with a question mark for deferred ones.
  private func fields(_ text: String, on type: String?, variables: String = "{}", schema: Bool = true) throws
    -> [String]
  {
    let plan = try plan(text, variables: variables, schema: schema ? birds : nil)
    let node = try #require(plan.root.fields(for: nil).fields.first?.child)
    return node.fields(for: type).fields.map { $0.responseKey + ($0.usages.isEmpty ? "" : "?") }
  }

  @Test func `fields of applicable fragments are merged`() throws {
    let text = "{ search { __typename ... on Bird { name age } ... on Station { name } ... on Node { id } } }"
    #expect(try fields(text, on: "Bird") == ["__typename", "name", "age", "id"])
    #expect(try fields(text, on: "Station") == ["__typename", "name"])
  }

  @Test func `skipped fields are omitted`() throws {
    let text = """
      query ($yes: Boolean!) { bird(id: 1) { name @skip(if: $yes) age @include(if: $yes)
      weight @skip(if: false) seen @include(if: false) ... @skip(if: $yes) { ringed } } }
      """
    #expect(try fields(text, on: "Bird", variables: #"{"yes":true}"#) == ["age", "weight"])
    #expect(try fields(text, on: "Bird", variables: #"{"yes":false}"#) == ["name", "weight", "ringed"])
  }

  @Test func `a field that is also selected directly is not deferred`() throws {
    let text = "{ bird(id: 1) { name ... @defer { name age } ... @defer(if: false) { weight } } }"
    #expect(try fields(text, on: "Bird") == ["name", "age?", "weight"])
  }

  @Test func `selections of one field are merged`() throws {
    let plan = try plan("{ bird(id: 1) { mate { name } ...F @defer } } fragment F on Bird { mate { age } }")
    let bird = try #require(plan.root.fields(for: nil)["bird"]?.child)
    let mate = try #require(bird.fields(for: "Bird")["mate"]?.child)
    #expect(
      mate.fields(for: "Bird").fields.map { $0.responseKey + ($0.usages.isEmpty ? "" : "?") } == ["name", "age?"])
  }

  @Test func `without a schema other type conditions may apply`() throws {
    let plan = try plan("{ search { __typename ... on Bird { name } ... on Node { id } } }", schema: nil)
    let node = try #require(plan.root.fields(for: nil)["search"]?.child)
    let fields = node.fields(for: "Bird").fields
    #expect(fields.map(\.responseKey) == ["__typename", "name", "id"])
    #expect(fields.map(\.isCertain) == [true, true, false])
  }

  /// Without a schema, a field of a type that may apply is certain only if it is selected on the object as well.
  @Test(arguments: [
    ("... on Node { id }", [["Node"]]), ("id", []), ("id ... on Node { id }", []), ("... on Node { id } id", []),
    ("... on Node { id } ... on Bird { id }", [["Node"], ["Bird"]]), ("... on Node { id ... { id } }", [["Node"]]),
    ("... on Node { ... on Bird { id } }", [["Node", "Bird"]]),
    ("... on Node { ... on Bird { id } } ... on Bird { id } id", []), ("... { id } ... on Node { id }", []),
  ])
  func `a field lists the conditions of every fragment that may have it`(text: String, conditions: [[String]]) throws {
    let plan = try plan("{ search { \(text) } }", schema: nil)
    let node = try #require(plan.root.fields(for: nil)["search"]?.child)
    #expect(try #require(node.fields(for: "Other")["id"]).conditions == conditions)
  }

  @Test func `each plan of one operation has its variables`() throws {
    let operation = try compile("query ($no: Boolean = false) { count @skip(if: $no) station { name } }")
    for variables in ["{}", #"{"no":true}"#, #"{"no":false}"#, #"{"no":true}"#, "{}"] {
      let plan = SelectionPlan(operation: operation, variables: try json(variables))
      #expect((plan.root.fields(for: nil)["count"] == nil) == variables.contains("true"))
    }
  }

  @Test func `deferrals are the same if fragment and depth are`() throws {
    let fragments = try compile("{ ... @defer { count } ... @defer { station { name } } }").fragments
    for (first, second) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
      for depth in [0, 1] {
        let left = PlanDeferral(fragment: fragments[first], depth: 0, parent: nil)
        let right = PlanDeferral(fragment: fragments[second], depth: depth, parent: left)
        #expect(left.isSame(as: right) == (first == second && depth == 0))
      }
    }
  }

  @Test func `typename may have an alias`() throws {
    let plan = try plan("{ search { kind: __typename ... on Bird { name } } }")
    let node = try #require(plan.root.fields(for: nil)["search"]?.child)
    #expect(node.typename(of: try json(#"{"kind":"Bird"}"#)) == "Bird")
  }

  @Test func `a selected field keeps its type next to an added one`() throws {
    let id = CompiledType.nonNull(.named("ID", kind: .scalar))
    let set = CompiledSelectionSet(
      parentType: "Bird", possibleTypes: ["Bird"],
      selections: [.field(CompiledField(name: "id", isAdded: true)), .field(CompiledField(name: "id", type: id))])
    let field = try #require(PlanNode(sets: [set], concreteType: "Bird").fields(for: nil)["id"])
    #expect(field.type == id)
    #expect(field.shape.leaf == .id)
    #expect(!field.isAdded)
  }

  @Test func `fragments spread twice in each other are planned once`() throws {
    // Each fragment spreads the next one twice: 2^40 paths to the last.
    var text = "{ bird(id: 1) { ...F0 } }"
    for level in 0..<40 { text += " fragment F\(level) on Bird { ...F\(level + 1) ...F\(level + 1) @defer }" }
    text += " fragment F40 on Bird { name }"
    #expect(try fields(text, on: "Bird") == ["name"])
  }
}
