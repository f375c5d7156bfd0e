import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import Testing

/// Hover, definitions, references and renaming at the cursor `|`. Results are in `[…]` in the document.
struct NavigationTests {
  private func hover(_ marked: String, schema: Schema? = CompletionTests.schema) -> String? {
    let marked = Marked(marked)
    return marked.service(schema).hover(at: marked.offset)?.contents
  }

  @Test func `hover shows type, description, deprecation and origin`() {
    #expect(
      hover("{ birds { wing|Span } }")
        == "```graphql\nwingSpan: Float\n```\n\nWing span in centimetres.\n\nDefined in `Bird`.")
    #expect(
      hover("{ birds { |oldName } }")
        == "```graphql\noldName: String\n```\n\n**Deprecated:** Use name.\n\nDefined in `Bird`.")
    #expect(
      hover("{ birds { span: wingSp|an } }") == hover("{ birds { sp|an: wingSpan } }"))
    #expect(hover("{ birds(fi|rst: 1) { id } }") == "```graphql\nfirst: Int\n```\n\nDefined in `Query.birds`.")
    #expect(hover("{ birds { ... on Bi|rd { id } } }") == "```graphql\ntype Bird implements Node\n```\n\nA bird.")
    #expect(
      hover("{ birds { flights(order: OLD|EST) { to } } }")
        == "```graphql\nOLDEST\n```\n\nDefined in `FlightOrder`.")
    #expect(
      hover("{ birds(filter: { wingSpan: { le|ast: 1 } }) { id } }")
        == "```graphql\nleast: Float\n```\n\nDefined in `SpanRange`.")
    #expect(hover("{ birds @inc|lude(if: true) { id } }")?.contains("directive @include(if: Boolean!)") == true)
    #expect(hover("{ nothi|ng }") == nil)
    #expect(hover("{ birds { id } } # bir|ds") == nil)
  }

  /// Each coordinate finds an element and is printed unchanged. An unknown one is reported with the reason.
  @Test(arguments: [
    ("Bird", "type Bird implements Node"), ("Bird.wingSpan", "wingSpan: Float"), ("Query.birds(first:)", "first: Int"),
    ("FlightOrder.OLDEST", "OLDEST"), ("SpanRange.least", "least: Float"), ("@skip", "directive @skip("),
    ("@skip(if:)", "if: Boolean!"), ("Brd", "the schema has no type Brd; did you mean Bird?"),
    ("bird", "the schema has no type bird; did you mean Bird?"),
    ("Query.brds", "the type Query has no member brds; did you mean birds?"), ("@skp", "did you mean skip?"),
    ("Query.birds(frst:)", "Query.birds has no argument frst; did you mean first?"),
    ("Bird.x", "the type Bird has no member x"), ("Bird.wingSpan(x:)", "Bird.wingSpan has no argument x"),
    ("@x", "the schema has no directive @x"), ("@skip(x:)", "@skip has no argument x"),
  ])
  func `a coordinate names one element`(text: String, expected: String) throws {
    let coordinate = try SchemaCoordinate(text)
    #expect(coordinate.description == text)
    let found: String
    do throws(UnknownCoordinateError) {
      found = try CompletionTests.schema.element(at: coordinate).sdl
    } catch {
      found = error.description
    }
    #expect(found.contains(expected), "\(found)")
  }

  @Test(arguments: [
    ("", "1 Expected Name, found <EOF>."), ("Bird.", "6 Expected Name, found <EOF>."),
    ("Bird.name.deep", "10 Expected <EOF>, found \".\"."), ("Query.birds(first: 3)", "19 Invalid character: \" \"."),
    ("@skip.if", "6 Expected <EOF>, found \".\"."), ("Query.birds(first)", "18 Expected \":\", found \")\"."),
    (" Bird", "1 Invalid character: \" \"."), ("Bird.näme", "7 Invalid character: U+00E4."),
  ])
  func `an invalid coordinate is reported with its position`(text: String, message: String) {
    let error = #expect(throws: SyntaxDiagnostic.self) { try SchemaCoordinate(text) }
    #expect(error.map { "\($0.range.lowerBound + 1) \($0.message)" } == message)
  }

  @Test func `hover on definitions of the document needs no schema`() {
    #expect(
      hover("query ($n: Int = 3) { birds(first: $|n) { id } }", schema: nil) == "```graphql\n$n: Int = 3\n```")
    #expect(
      hover("{ ...Na|mes } fragment Names on Bird { id }", schema: nil) == "```graphql\nfragment Names on Bird\n```")
    #expect(hover("query Bi|rds { id }", schema: nil) == "```graphql\nquery Birds\n```")
    #expect(
      hover("{ ...A } fragment A on Bird { b(x: $n|) } query Q($n: Int) { ...A }", schema: nil)?.contains("Int") == true
    )
  }

  @Test func `hover shows the line in a schema file`() {
    let schema = Schema.load(sdl: [Document(parsing: "type Query {\n  bird: Int\n}", name: "birds.graphql")])
    #expect(
      hover("{ bi|rd }", schema: schema) == "```graphql\nbird: Int\n```\n\nDefined in `Query` at birds.graphql:2.")
  }

  /// Returns the text of the definition with its name in brackets.
  private func definition(_ marked: String, schema: Schema? = CompletionTests.schema) -> String? {
    let marked = Marked(marked)
    return marked.service(schema).definition(at: marked.offset).map { place in
      let start = place.range.lowerBound
      let name = place.name.lowerBound - start..<place.name.upperBound - start
      return Marked.bracketed(place.document.source.text(place.range), [name])
    }
  }

  @Test func `definitions are found in the schema and the document`() {
    #expect(definition("{ birds { ne|st { id } } }") == "[nest]: Nest")
    #expect(definition("{ birds(fi|lter: {}) { id } }") == "[filter]: BirdFilter")
    #expect(definition("fragment F on Ne|st { id }") == "type [Nest] implements Node { id: ID! eggs: Int! }")
    #expect(definition("query ($f: Bird|Filter) { x }")?.hasPrefix("input [BirdFilter]") == true)
    #expect(definition("query ($n: Int = 3) { birds(first: $|n) { id } }") == "$[n]: Int = 3")
    #expect(definition("{ ...F| } fragment F on Bird { id }", schema: nil) == "fragment [F] on Bird { id }")
    #expect(definition("{ nowhere|: x }") == nil)
  }

  @Test func `a document with type definitions is its own schema`() {
    let text = "type Query { bird: Bi|rd } type Bird { name: String }"
    #expect(definition(text, schema: nil) == "type [Bird] { name: String }")
    #expect(references(text, schema: nil) == "type Query { bird: [Bird] } type [Bird] { name: String }")
  }

  /// Returns the document with all references in brackets.
  private func references(_ marked: String, schema: Schema? = CompletionTests.schema) -> String {
    let marked = Marked(marked)
    return Marked.bracketed(marked.text, marked.service(schema).references(at: marked.offset).map(\.range))
  }

  @Test func `references of fields, fragments and types are found`() {
    #expect(
      references("{ birds { na|me nest { id } } } fragment F on Bird { n: name }")
        == "{ birds { [name] nest { id } } } fragment F on Bird { n: [name] }")
    #expect(
      references("{ ...F ...|F } fragment F on Query { __typename }")
        == "{ ...[F] ...[F] } fragment [F] on Query { __typename }")
    // A field with the same name on another type is a different field.
    #expect(references("{ birds { i|d nest { id } } }") == "{ birds { [id] nest { id } } }")
  }

  @Test func `references of a variable include the fragments that share it`() {
    #expect(
      references("query A($n|: Int) { birds(first: $n) { id } } query B($n: Int) { birds(first: $n) { id } }")
        == "query A($[n]: Int) { birds(first: $[n]) { id } } query B($n: Int) { birds(first: $n) { id } }")
    #expect(
      references("query A($n: Int) { ...F } query B($n: Int) { ...F } fragment F on Query { birds(first: $n|) { id } }")
        == "query A($[n]: Int) { ...F } query B($[n]: Int) { ...F } fragment F on Query { birds(first: $[n]) { id } }")
  }

  private func rename(_ marked: String, to name: String) -> String {
    let marked = Marked(marked)
    do {
      let edits = try marked.service().rename(at: marked.offset, to: name)
      return String(decoding: edits.applied(to: Array(marked.text.utf8)), as: UTF8.self)
    } catch {
      return error.description
    }
  }

  @Test func `names of the document are renamed`() {
    #expect(
      rename("query A($n|: Int) { birds(first: $n) { id } }", to: "count")
        == "query A($count: Int) { birds(first: $count) { id } }")
    #expect(
      rename("{ ...F } fragment F| on Query { __typename }", to: "Root")
        == "{ ...Root } fragment Root on Query { __typename }")
    #expect(rename("{ al|l: birds { id } }", to: "every") == "{ every: birds { id } }")
    #expect(rename("query A| { birds { id } }", to: "B") == "query B { birds { id } }")
  }

  @Test func `a rejected rename has a reason`() {
    #expect(rename("{ bir|ds { id } }", to: "x") == "\"birds\" is defined by the schema: use an alias instead.")
    #expect(
      rename("query A| { x }", to: "9")
        == "\"9\" is not a valid name: use letters, digits and _, but no leading digit.")
    #expect(rename("query A| { x } query B { x }", to: "B") == "\"B\" is already used in this document.")
    #expect(
      rename("query A($n|: Int, $m: Int) { birds(first: $n) { id } }", to: "m")
        == "\"m\" is already used in this document.")
    #expect(rename("{ } |", to: "x") == "There is no symbol to rename here.")
  }

  private static let types = """
    interface Node { id(of: Int): ID! } type Bird implements Node { id(of: Int): ID! nest(size: Size): Nest }
    type Nest implements Node { id(of: Int): ID! } union Found = Bird | Nest enum Size { SMALL LARGE }
    type Query { bird: Bird found(by: Size): [Found!]! } scalar Date input I { size: Size }

    """

  /// The name of the type of the symbol at the cursor `|`, in a schema or in a document for it.
  @Test(arguments: [
    ("nest(size: Size): Ne|st", "Nest"), ("ne|st(size: Size)", "Nest"), ("nest(si|ze: Size)", "Size"),
    ("SMALL LAR|GE", "Size"),
    ("type Bi|rd", "Bird"), ("input I { si|ze", "Size"), ("{ bi|rd { nest { id } } }", "Bird"),
    ("{ b|: bird { nest { id } } }", "Bird"),
    ("{ fou|nd { __typename } }", "Found"), ("query ($s: [Size!]) { found(by: $|s) { __typename } }", "Size"),
    ("fragment F|oo on Bird { id }", "Bird"), ("{ ...F|oo } fragment Foo on Query { bird { id } }", "Query"),
    ("query A|ll { bird { id } }", "Query"),
    ("{ ...F(s: 1) } fragment F($|s: Size) on Query { found(by: $s) { id } }", "Size"),
    ("{ bird { id @sk|ip(if: true) } }", nil),
  ])
  func `the type of each symbol is found`(marked: String, expected: String?) {
    let plain = marked.replacing("|", with: "")
    let place = Marked(
      Self.types.contains(plain)
        ? Self.types.replacing("Bird | Nest", with: "Bird").replacing(plain, with: marked) : marked)
    let schema = Self.types.contains(plain) ? nil : Schema.load(sdl: Self.types)
    #expect(place.service(schema).typeDefinition(at: place.offset)?.name == expected)
  }

  @Test(arguments: [
    ("interface No|de", "Bird Nest"), ("interface Node { i|d", "Bird.id Nest.id"),
    ("interface Node { id(o|f", "Bird.id(of:) Nest.id(of:)"),
    ("type Bird implements No|de", "Bird Nest"), ("union Fou|nd", "Bird"), ("type Bi|rd", ""), ("SMALL LAR|GE", ""),
  ])
  func `implementations of interfaces and unions are found`(marked: String, expected: String) {
    let types = Self.types.replacing("Bird | Nest", with: "Bird")
    let place = Marked(types.replacing(marked.replacing("|", with: ""), with: marked))
    #expect(place.service(nil).implementations(at: place.offset).map(\.coordinate).joined(separator: " ") == expected)
  }
}
