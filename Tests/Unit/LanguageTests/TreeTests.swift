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
  for child in document.root.children { add(child, "") }
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
  @Test func anOperationWithAllSyntaxIsParsed() {
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

  @Test func directiveDefinitionsMayHaveDirectives() {
    let text = """
      directive @new(a: Int) @deprecated(reason: "No.") repeatable on FIELD

      extend directive @new @tag
      """
    let document = Document(parsing: text)
    #expect(document.diagnostics == [])
    #expect(Printer.print(document) == text)
  }

  @Test func columnsOfALongLineAreCountedInAllUnits() {
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
  @Test(.timeLimit(.minutes(1))) func manyLocationsInALongLineAreFoundQuickly() {
    let source = Source(bytes: Array(repeating: UInt8(ascii: "a"), count: 1 << 20), name: "long")
    for offset in stride(from: 0, to: 1 << 20, by: 10) { #expect(source.location(at: offset).column == offset + 1) }
  }

  @Test func joinedDocumentsMapRangesToTheirParts() {
    let joined = Document(joining: [
      Document(parsing: "{ a }", name: "one"), Document(parsing: "\n{ b(", name: "two"),
    ])
    #expect(joined.operations.map { $0.selectionSet.selections.count } == [1, 1])
    #expect(joined.diagnostics.map { joined.source.location(at: $0.range.lowerBound).line } == [2])
    #expect(joined.source.name(at: joined.operations[1].range.lowerBound) == "two")
    #expect(joined.operations[1].location.column == 1)
    #expect(joined.nodes[0].next == NodeID(joined.nodes.count))
  }
}
