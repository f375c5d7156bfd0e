import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import Testing

@testable import ApusClientOperation

/// Compilation of documents into operations.
@Suite struct CompileTests {
  @Test func `a single operation is sent unchanged`() throws {
    let text = "# birds\nquery Birds {\n  birds { name } # all\n}\n"
    let operation = try compile(text)
    #expect(operation.documentText == text)
    #expect(operation.name == "Birds")
    #expect(operation.operationType == .query)
    #expect(operation.rootTypeName == "Query")
    #expect(!operation.hasIncremental)
  }

  @Test func `only the selected operation and its fragments are sent`() throws {
    let text = """
      query A { birds { ...Name ...Other } }
      query B { birds { ...Name } }
      fragment Other on Bird { age }
      fragment Name on Bird { ...Deep }
      fragment Deep on Bird { name }
      """
    #expect(
      try compile(text, operation: "B").documentText == """
        query B { birds { ...Name } }

        fragment Name on Bird { ...Deep }

        fragment Deep on Bird { name }
        """)
  }

  @Test func `the document text is deterministic`() throws {
    let text =
      "{ search { ... on Bird { name } ... on Station { name } ...S } node(id: 1) { ...N } } "
      + "fragment S on Station { birds { age } } fragment N on Node { ... on Bird { friends { name } } }"
    let first = try compile(text, added: true).documentText
    for _ in 0..<20 { #expect(try compile(text, added: true).documentText == first) }
    #expect(
      first
        == "{ search { __typename ... on Bird { id } ... on Station { nodeId } ... on Bird { name } ... on Station { name } ...S } "
        + "node(id: 1) { __typename id ...N } } "
        + "fragment S on Station { birds { __typename id age } } "
        + "fragment N on Node { ... on Bird { friends { __typename id name } } }")
  }

  @Test func `added fields are flagged and existing ones are not repeated`() throws {
    let operation = try compile("{ bird(id: 1) { __typename name mate { id name } } }", added: true)
    #expect(operation.documentText == "{ bird(id: 1) { id __typename name mate { __typename id name } } }")
    let root = SelectionPlan(operation: operation, variables: .object([])).root.fields(for: nil)
    let bird = try #require(root["bird"]?.child).fields(for: "Bird")
    #expect(bird.fields.filter(\.isAdded).map(\.responseKey) == ["id"])
    let mate = try #require(bird["mate"]?.child).fields(for: "Bird")
    #expect(mate.fields.filter(\.isAdded).map(\.responseKey) == ["__typename"])
  }

  @Test func `a key field is not added if its name is taken`() throws {
    #expect(
      try compile("{ bird(id: 1) { id: name } }", added: true).documentText
        == "{ bird(id: 1) { __typename id: name } }")
    #expect(
      try compile("{bird(id:1){name mate{...on Bird{age}}}}", added: true).documentText
        == "{bird(id:1){ __typename id name mate{ __typename id ...on Bird{age}}}}")
  }

  @Test(arguments: [
    // In a fragment, a repeated field, nested fragments, and a deferred fragment.
    "{ bird(id: 1) { id: name } ...F } fragment F on Query { bird(id: 1) { name } }",
    "{ bird(id: 1) { name } bird(id: 1) { id: name } }",
    "{ station { birds { name } } ... { station { ...F } } } fragment F on Station { ...G } "
      + "fragment G on Station { birds { id: name } }",
    "{ node(id: 1) { ...F ...G } } fragment F on Node { ... on Bird { name } } "
      + "fragment G on Node { ... on Bird { id: name } }",
    "{ ...F ... @defer { bird(id: 1) { id: name } } } fragment F on Query { bird(id: 1) { name } }",
  ])
  func `a key is added to no selection that is merged with one where its name is another field's`(text: String) throws {
    let sent = try compile(text, added: true).documentText
    #expect(!sent.contains(" id "), "\(sent)")
    #expect(sent.contains("__typename"))
  }

  @Test func `key fields are added to other selections without such an alias`() throws {
    let text =
      "{ bird(id: 1) { id: name mate { name } } birds { name ...F } } fragment F on Bird { friends { id: name } }"
    #expect(
      try compile(text, added: true).documentText
        == "{ bird(id: 1) { __typename id: name mate { __typename id name } } birds { __typename id name ...F } } "
        + "fragment F on Bird { friends { __typename id: name } }")
  }

  @Test func `conflicting key fields of different types are not added`() throws {
    let schema = Schema.load(
      sdl:
        "type Query { found: Found } union Found = A | B | C type A { id: ID! } type B { id: Int! x: Int } type C { _id: ID! }"
    )
    func sent(_ text: String) throws -> String { try compile(text, schema: schema, added: true).documentText }
    #expect(
      try sent("{ found { ... on A { __typename } ... on B { x } ... on C { __typename } } }")
        == "{ found { __typename ... on C { _id } ... on A { __typename } ... on B { x } ... on C { __typename } } }")
    #expect(try sent("{ found { ... on B { x } } }") == "{ found { __typename ... on B { id } ... on B { x } } }")
    #expect(
      try sent("{ found { ... on B { x } } ...F } fragment F on Query { found { ... on A { id } } }")
        == "{ found { __typename ... on B { x } } ...F } fragment F on Query { found { __typename ... on A { id } } }")
  }

  @Test func `custom key fields are added`() throws {
    let operation = try CompiledOperation.compile(
      Document(parsing: "{ bird(id: 1) { age } }"), schema: birds,
      options: CompileOptions(addTypename: true, keyFields: ["Bird": ["name", "age"]]))
    #expect(operation.documentText == "{ bird(id: 1) { __typename name age } }")
  }

  @Test func `without a schema only typename is added`() throws {
    #expect(
      try compile("{ a { b { c } } }", schema: nil, added: true).documentText
        == "{ a { __typename b { __typename c } } }")
  }

  @Test func `nothing is added to introspection fields`() throws {
    let text = "{ __schema { types { name fields { name } } } __type(name: \"Bird\") { name } }"
    #expect(try compile(text, added: true).documentText == text)
  }

  @Test func `several operations require an operation name`() throws {
    #expect(throws: CompileError.severalOperations(["A", "B"])) { try compile("query A { count } query B { count }") }
    #expect(throws: CompileError.unknownOperation("C", known: ["A"])) {
      try compile("query A { count }", operation: "C")
    }
    #expect(throws: CompileError.noOperation) { try compile("fragment F on Bird { name }") }
  }

  @Test func `syntax errors in other definitions are ignored`() throws {
    let text = "query A { count }\n\nquery B { birds( { name } }"
    #expect(try compile(text, operation: "A").documentText == "query A { count }")
    #expect(throws: CompileError.self) { try compile(text, operation: "B") }
    #expect(throws: CompileError.self) { try compile("query A { count(") }
  }

  @Test func `unknown and cyclic fragments are errors`() throws {
    #expect(throws: CompileError.unknownFragment("F")) { try compile("{ birds { ...F } }") }
    #expect(throws: CompileError.fragmentCycle("F")) {
      try compile("{ birds { ...F } } fragment F on Bird { mate { ...G } } fragment G on Bird { mate { ...F } }")
    }
  }

  @Test func `fragments used many times are compiled once`() throws {
    // Each fragment spreads the next one twice: 2^40 uses.
    var text = "{ birds { ...F0 } }"
    for level in 0..<40 {
      text += " fragment F\(level) on Bird { a: mate { ...F\(level + 1) } b: mate { ...F\(level + 1) } }"
    }
    text += " fragment F40 on Bird { name }"
    #expect(try compile(text).name == nil)
  }

  @Test func `excessive nesting is an error`() throws {
    var text = "{ birds { ...F0 } }"
    for level in 0..<20_000 { text += " fragment F\(level) on Bird { ...F\(level + 1) }" }
    text += " fragment F20000 on Bird { name }"
    #expect(throws: CompileError.tooDeep(limit: 500)) { try compile(text) }
  }

  @Test(arguments: [0, 1, 3])
  func `nesting up to the limit is compiled, also after other selections`(siblings: Int) throws {
    func nested(_ depth: Int) -> String {
      let before = String(repeating: "mate { mate { name } } ", count: siblings)
      // The operation and the fields have a selection set each.
      return "{ bird(id: 1) { \(before)" + String(repeating: "mate { ", count: depth - 2) + "name"
        + String(repeating: " }", count: depth)
    }
    #expect(throws: Never.self) { try compile(nested(500)) }
    #expect(throws: CompileError.tooDeep(limit: 500)) { try compile(nested(501)) }
  }

  @Test func `a fragment is compiled by its name, or if it is the only one`() throws {
    func name(_ name: String?, _ names: [String]) throws -> String? {
      let text = names.reduce("{ count }") { $0 + " fragment \($1) on Bird { name }" }
      return try CompiledOperation.compile(fragment: name, of: Document(parsing: text), schema: birds).name
    }
    #expect(try name(nil, ["A"]) == "A")
    #expect(try name("A", ["A", "B"]) == "A")
    #expect(try name("B", ["A", "B"]) == "B")
    #expect(throws: CompileError.severalFragments(["A", "B"])) { try name(nil, ["A", "B"]) }
    #expect(throws: CompileError.unknownFragment("C")) { try name("C", ["A", "B"]) }
    #expect(throws: CompileError.unknownFragment("C")) { try name("C", []) }
    #expect(throws: CompileError.noFragment) { try name(nil, []) }
  }

  /// Positions in the sent text `a\nXcZf`: added text belongs to the end of the copied text before it.
  @Test(arguments: [
    (1, 1, 1, 1), (1, 2, 1, 2), (2, 1, 2, 1), (2, 2, 2, 2), (2, 3, 2, 3), (2, 4, 3, 2), (2, 5, 3, 3), (9, 9, 3, 3),
  ])
  func `a position in sent text is that of the copied text`(line: Int, column: Int, toLine: Int, toColumn: Int) {
    let (text, map) = SourceMap.edited("a\nbc\nef", by: [(2..<3, "X"), (4..<6, "Z")], after: nil)
    #expect(text == "a\nXcZf")
    let place = map.location(line: line, column: column, inSent: text)
    #expect([place.line, place.column] == [toLine, toColumn])
    // An edit of an edited text leads to the first one.
    let (again, later) = SourceMap.edited(text, by: [(0..<0, "\n\n")], after: map)
    let same = later.location(line: line + 2, column: column, inSent: again)
    #expect([same.line, same.column] == [toLine, toColumn])
  }

  @Test func `deferred fragments are numbered in document order`() throws {
    let operation = try compile(
      "{ bird(id: 1) { ... @defer(label: \"a\") { name ... @defer(label: \"b\") { age } } ...F @defer } } "
        + "fragment F on Bird { weight }")
    #expect(operation.fragments.map(\.id) == [0, 1, 2])
    #expect(operation.fragments.map { $0.deferral?.label } == ["a", "b", nil])
    #expect(operation.fragments.map(\.name) == [nil, nil, "F"])
    #expect(operation.hasIncremental)
  }

  @Test func `an operation with stream is incremental`() throws {
    #expect(try compile("{ birds @stream(initialCount: 2, label: \"s\") { name } }").hasIncremental)
  }

  @Test func `possible types come from the schema`() throws {
    let operation = try compile(
      "{ node(id: 1) { ... on Node @defer { id } ... on Station @defer { name } ... on Bird @defer { age } } }")
    let fragments = operation.fragments
    #expect(fragments.map(\.possibleTypes) == [["Bird"], ["Station"], ["Bird"]])
    #expect(fragments.map { $0.application(to: "Bird") } == [.covers, .never, .covers])
    #expect(fragments.map { $0.application(to: nil) != .never } == [true, false, true])
  }

  @Test func `variables have their types and defaults`() throws {
    let operation = try compile("query ($id: ID!, $n: Int = 3, $f: Filter = {ids: [1]}) { bird(id: $id) { name } }")
    #expect(operation.variableDefinitions.map(\.typeDescription) == ["ID!", "Int", "Filter"])
    #expect(operation.variableDefinitions.map(\.isNonNull) == [true, false, false])
    #expect(operation.effectiveVariables(try json(#"{"id":"1"}"#)).description == #"{"id":"1","n":3,"f":{"ids":[1]}}"#)
  }
}
