import ApusGraphQLLanguage
import Testing

/// Returns the tree as text: each node on an indented line, leaves with their text.
func outline(_ text: String, limits: ParserLimits = ParserLimits()) -> String {
  let document = Document(parsing: text, limits: limits)
  var lines: [String] = []
  func add(_ node: AnyNode, _ indent: String) {
    let leaf = node.children.isEmpty ? node.isMissing ? " <missing>" : " " + node.text : ""
    let nonNull = [.namedType, .listType].contains(node.kind) && node.flags.contains(.isNonNull) ? " !" : ""
    lines.append("\(indent)\(node.kind)\(leaf)\(nonNull)")
    for child in node.children { add(child, indent + "  ") }
  }
  for child in AnyNode(document, 0).children { add(child, "") }
  return lines.joined(separator: "\n")
}

/// Returns the diagnostics as text: `line:column message`.
func complaints(_ text: String, limits: ParserLimits = ParserLimits()) -> [String] {
  let document = Document(parsing: text, limits: limits)
  return document.diagnostics.map {
    let place = document.source.location(at: $0.range.lowerBound)
    return "\(place.line):\(place.column) \($0.message)"
  }
}

@Suite struct TreeTests {
  @Test func `an operation with all syntax is parsed`() {
    let text = """
      "why" query Q($a: [Int!]! = [1], $b: T @d) @live { x: y(a: $a, b: {c: "s"}) @include(if: true) { ...F ... on U { z } } }
      """
    #expect(complaints(text) == [])
    #expect(
      outline(text) == """
        operationDefinition
          stringValue "why"
          name Q
          variableDefinition
            variable
              name a
            listType !
              namedType Int !
            listValue
              intValue 1
          variableDefinition
            variable
              name b
            namedType T
            directive
              name d
          directive
            name live
          selectionSet
            field
              name x
              name y
              argument
                name a
                variable
                  name a
              argument
                name b
                objectValue
                  objectField
                    name c
                    stringValue "s"
              directive
                name include
                argument
                  name if
                  booleanValue true
              selectionSet
                fragmentSpread
                  name F
                inlineFragment
                  namedType U
                  selectionSet
                    field
                      name z
        """)
  }

  @Test func `directive definitions may have directives`() {
    let text = """
      directive @new(a: Int) @deprecated(reason: "No.") repeatable on FIELD

      extend directive @new @tag
      """
    let document = Document(parsing: text)
    #expect(document.diagnostics == [])
    #expect(Printer.print(document) == text)
  }

  @Test func `columns of a long line are counted in all units`() {
    let piece = "aé日😀👩‍🚀 "
    let source = Source(bytes: Array(String(repeating: piece, count: 3000).utf8), name: "long")
    for count in [0, 1, 57, 200, 1999, 2999] {
      let location = source.location(at: piece.utf8.count * count)
      #expect(location.line == 1)
      #expect(location.column == piece.utf16.count * count + 1)
      #expect(location.characterColumn == piece.count * count + 1)
    }
  }

  /// Finds the first location in a line of a megabyte, then a hundred thousand others.
  @Test(.timeLimit(.minutes(1))) func `many locations in a long line are found quickly`() {
    let source = Source(bytes: Array(repeating: UInt8(ascii: "a"), count: 1 << 20), name: "long")
    for offset in stride(from: 0, to: 1 << 20, by: 10) { #expect(source.location(at: offset).column == offset + 1) }
  }

  @Test func `joined documents map ranges to their parts`() {
    let joined = Document(joining: [
      Document(parsing: "{ a }", name: "one"), Document(parsing: "\n{ b(", name: "two"),
    ])
    #expect(joined.operations.map { $0.selectionSet.selections.count } == [1, 1])
    #expect(joined.diagnostics.map { joined.source.location(at: $0.range.lowerBound).line } == [2])
    #expect(joined.source.name(at: joined.operations[1].range.lowerBound) == "two")
    #expect(joined.operations[1].location.column == 1)
    #expect(joined.nodes[0].next == NodeID(joined.nodes.count))
  }

  @Test(arguments: [
    ("0", "int"), ("-0", "int"), ("120", "int"), ("1.0", "float"), ("-0.5", "float"), ("1e3", "float"),
    ("1E-3", "float"),
    ("1.5e+3", "float"), ("00", nil), ("01", nil), ("1.", nil), (".5", nil), ("1e", nil), ("1a", nil), ("1.2.3", nil),
    ("1_", nil), ("-", nil), ("+1", nil), ("0x1", nil),
  ])
  func `a number is an integer unless it has a fraction or an exponent`(number: String, kind: String?) {
    let document = Document(parsing: "{ a(b: \(number)) }")
    let kinds = document.nodes.map { "\($0.kind)" }.filter { ["intValue", "floatValue"].contains($0) }
    #expect((document.diagnostics.isEmpty ? kinds : []) == (kind.map { ["\($0)Value"] } ?? []))
  }

  @Test(arguments: [
    ("", false), ("# only a comment", false), ("type A { a: Int }", true), ("type A { a: Int } extend type A @b", true),
    ("{ a }", false), ("type A { a: Int } { a }", false), ("fragment F on A { a } type A { a: Int }", false),
  ])
  func `a document of types has types only`(text: String, isTypeSystem: Bool) {
    #expect(Document(parsing: text).isTypeSystem == isTypeSystem)
  }

  @Test func `equal nodes of two documents are two nodes`() {
    let (first, second) = (Document(parsing: "{ a }"), Document(parsing: "{ a }"))
    #expect(AnyNode(first, 1) == AnyNode(first, 1) && AnyNode(first, 1) != AnyNode(first, 2))
    #expect(AnyNode(first, 1) != AnyNode(second, 1))
  }

  @Test(arguments: [
    ("{ a }", "query ($b: ID) { a }"), ("query { a }", "query ($b: ID) { a }"), ("mutation{a}", "mutation ($b: ID){a}"),
    ("query Q { a }", "query Q($b: ID) { a }"), ("query Q($a: Int) { a }", "query Q($a: Int, $b: ID) { a }"),
    ("query ($a: Int = 1 @c) @d { a }", "query ($a: Int = 1 @c, $b: ID) @d { a }"),
    ("query @d { a }", "query ($b: ID) @d { a }"),
    ("\"text\" query { a }", "\"text\" query ($b: ID) { a }"),
    ("\"text\" # query\nquery Q { a }", "\"text\" # query\nquery Q($b: ID) { a }"),
    ("\"\"\"\nquery\n\"\"\"\nsubscription @d { a }", "\"\"\"\nquery\n\"\"\"\nsubscription ($b: ID) @d { a }"),
    ("\"text\" # query\nquery { a }", "\"text\" # query\nquery ($b: ID) { a }"),
  ])
  func `a variable is declared in any operation`(text: String, expected: String) throws {
    let document = Document(parsing: text)
    #expect(document.diagnostics.isEmpty)
    let declaration = try #require(document.operations.first).declaration(of: "$b: ID")
    var bytes = Array(text.utf8)
    bytes.insert(contentsOf: declaration.text.utf8, at: declaration.offset)
    #expect(String(decoding: bytes, as: UTF8.self) == expected)
  }
}
