import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import Testing

/// Completions at the cursor `|`. The expected labels are sorted best first.
struct CompletionTests {
  static let schema = Schema.load(
    sdl: """
      interface Node { id: ID! }
      "A bird." type Bird implements Node {
        id: ID! name: String! "Wing span in centimetres." wingSpan: Float
        oldName: String @deprecated(reason: "Use name.") nest: Nest
        flights(first: Int, after: String, order: FlightOrder = NEWEST): [Flight!]!
      }
      type Nest implements Node { id: ID! eggs: Int! }
      type Flight { from: String! to: String! }
      union Found = Bird | Nest
      enum FlightOrder { NEWEST OLDEST LONGEST @deprecated }
      input BirdFilter { name: String, wingSpan: SpanRange!, ringed: Boolean }
      input SpanRange { least: Float, most: Float }
      type Query {
        bird(id: ID!): Bird birds(filter: BirdFilter, first: Int): [Bird!]! search(text: String!): [Found!]! node(id: ID!): Node
      }
      type Mutation { rename(id: ID!, name: String!): Bird }
      """)

  private func items(_ marked: String, schema: Schema? = schema) throws -> [CompletionItem] {
    let parts = marked.split(separator: "|", omittingEmptySubsequences: false)
    try #require(parts.count == 2)
    let service = LanguageService(document: Document(parsing: parts.joined()), schema: schema)
    return service.complete(at: parts[0].utf8.count)
  }

  private func labels(_ marked: String, schema: Schema? = schema) throws -> String {
    try items(marked, schema: schema).map(\.label).joined(separator: " ")
  }

  @Test func `a spread offers the variables of its fragment`() throws {
    let fragment = "fragment F($size: Int!, $name: String) on Bird { id }"
    #expect(try labels("{ birds { ...F(|) } } \(fragment)") == "size name")
    #expect(try labels("query ($n: Int!, $s: String) { birds { ...F(size: $|) } } \(fragment)") == "$n")
    #expect(try labels("fragment F($size: Fl|) on Bird { id }").hasPrefix("Float"))
    let relay = "fragment F on Bird @argumentDefinitions(size: { type: \"Int\" }) { id }"
    #expect(try labels("{ birds { ...F @arguments(s|) } } \(relay)") == "size")
    #expect(try labels("{ birds { ...F @argu|(size: 1) } } \(relay)").hasPrefix("@arguments"))
  }

  @Test func `an empty document offers definitions`() throws {
    #expect(
      try labels("|") == "query mutation fragment type interface union enum input scalar directive schema extend")
    #expect(try labels("query A { __typename } fr|") == "fragment")
    #expect(try labels("query A { __typename } |") == "query mutation fragment")
  }

  @Test func `an operation offers fields of the root type`() throws {
    #expect(try labels("{ | }") == "bird birds search node __typename")
    #expect(try labels("mutation { |") == "rename __typename")
    #expect(try labels("query Q($a: Int) @skip(if: true) { | }") == "bird birds search node __typename")
  }

  @Test func `a selection set offers fields of its type`() throws {
    #expect(try labels("{ birds { nest { |") == "id eggs __typename")
    #expect(try labels("{ birds(first: 3, filter: { name: \"x\" }) { n: nest { e|") == "eggs __typename")
    #expect(try labels("{ birds { id } node(id: 1) { | } }") == "id __typename")
  }

  @Test func `prefix matches precede inner words and letters in order`() throws {
    #expect(try labels("{ birds { n| } }") == "name nest oldName wingSpan __typename")
    #expect(try labels("{ birds { na| } }") == "name oldName __typename wingSpan")
  }

  @Test func `deprecated fields follow others, and selected fields are last`() throws {
    #expect(try labels("{ birds { | name id } }") == "wingSpan nest flights __typename oldName id name")
  }

  @Test func `selected prefix matches precede other matches`() throws {
    #expect(try labels("{ birds { na| name } }") == "name oldName __typename wingSpan")
  }

  @Test func `a field is inserted with its required arguments`() throws {
    let item = try #require(try items("{ bi| }").first)
    #expect(item.insertText == "bird(id: )")
    #expect(item.snippet.stops == [9])
    #expect(item.type == "Bird")
    #expect(item.replacementRange == 2..<4)
    #expect(try items("{ bi|(id: 1) }").first?.insertText == "bird")
  }

  @Test func `type conditions that can apply are offered`() throws {
    #expect(try labels("{ search(text: \"a\") { ... on | } }") == "Bird Nest Node")
    #expect(try labels("{ bird(id: 1) { ... on | } }") == "Bird Node Found")
    #expect(try labels("fragment F on N|") == "Node Nest Found Mutation")
  }

  @Test func `fragments that can apply are offered`() throws {
    let document = "{ bird(id: 1) { ...| } } fragment B on Bird { id } fragment F on Flight { to }"
    #expect(try labels(document) == "B on on Bird on Node on Found")
  }

  @Test func `fragments offer fields of their type condition`() throws {
    #expect(try labels("{ node(id: 1) { ... on Nest { | } } }") == "id eggs __typename")
    #expect(try labels("fragment F on Flight { | }") == "from to __typename")
  }

  @Test func `missing arguments are offered first`() throws {
    #expect(try labels("{ birds(|) { id } }") == "filter first")
    #expect(try items("{ birds(fir|) { id } }").first?.insertText == "first: ")
  }

  /// They cannot be written again.
  @Test func `arguments and keys that are there already are not offered`() throws {
    #expect(try labels("{ birds(first: 1, |) { id } }") == "filter")
    #expect(try labels("{ birds(|, first: 1) { id } }") == "filter")
    #expect(try labels("{ birds(first: 1, filter: {}, |) { id } }") == "")
    #expect(try labels("{ birds(filter: { name: \"a\", | }) { id } }") == "wingSpan ringed")
    #expect(try labels("{ birds(filter: { wingSpan: { least: 1, | } }) { id } }") == "most")
  }

  @Test func `values are offered by type`() throws {
    #expect(try labels("{ birds { flights(order: |) { to } } }") == "NEWEST OLDEST null LONGEST")
    #expect(try labels("query ($n: Int, $s: String) { birds(first: |) { id } }") == "$n null")
    #expect(try labels("query ($n: Int, $s: String) { birds(first: $|) { id } }") == "$n")
    #expect(try labels("{ birds(filter: { |") == "wingSpan name ringed")
    #expect(try labels("{ birds(filter: { ringed: tr| }) { id } }") == "true")
    #expect(try labels("{ birds(filter: { wingSpan: { least: 1, m| } }) { id } }") == "most")
  }

  @Test func `directives are offered by location`() throws {
    #expect(try labels("{ birds @| { id } }") == "@include @skip @stream")
    #expect(try labels("{ birds { ... @de|") == "@defer @include")
    #expect(try items("{ birds @sk| { id } }").first?.insertText == "skip(if: )")
  }

  @Test func `variable types are offered`() throws {
    #expect(try labels("query ($f: BirdF|) { birds { id } }") == "BirdFilter")
    #expect(try labels("query ($o: FlightOrder = O|) { birds { id } }") == "OLDEST LONGEST")
  }

  @Test func `variables with a compatible type are offered`() throws {
    let head = "query ($n: Int, $m: Int!, $d: Int! = 1, $s: String, $ids: [ID!]) "
    #expect(try labels(head + "{ birds(first: $|) { id } }") == "$n $m $d")
    #expect(try labels(head + "{ bird(id: $|) { id } }") == "")
    #expect(try labels("query ($id: ID = 1) { bird(id: $|) { id } }") == "$id")
    // A fragment offers the variables of the operations that need it.
    #expect(
      try labels("query ($n: Int) { ...F } query ($m: Int) { a } fragment F on Query { birds(first: $|) { id } }")
        == "$n")
    #expect(try labels("query ($n: Int, $f: BirdFilter = { name: | }) { a }") == "null")
  }

  @Test func `type definitions offer types`() throws {
    #expect(try labels("type A { b: | } input I { c: Int }", schema: nil).hasPrefix("A Int Float"))
    #expect(try labels("input I { c: I| } type A { b: Int }", schema: nil) == "I Int ID String")
    #expect(try labels("interface N { id: ID } type A implements |", schema: nil) == "N")
    #expect(try labels("type A { a: Int } type B { a: Int } union U = |", schema: nil) == "A B")
    #expect(try labels("directive @a on FI|", schema: nil).hasPrefix("FIELD FIELD_DEFINITION INPUT_FIELD_DEFINITION"))
  }

  @Test func `strings and comments offer nothing`() throws {
    #expect(try labels("{ bird(id: \"na|\") { id } }") == "")
    #expect(try labels("{ # na|\n bird(id: 1) { id } }") == "")
  }

  @Test func `without a schema keywords and names of the document are offered`() throws {
    #expect(try labels("q|", schema: nil) == "query")
    #expect(try labels("query ($a: Int) { f(x: $|) }", schema: nil) == "$a")
    #expect(try labels("{ birds { name nest { n| } } }", schema: nil) == "name nest __typename")
    #expect(try labels("{ ...| } fragment F on Bird { id }", schema: nil) == "F on on Bird")
    #expect(try labels("{ a @| }", schema: nil) == "@include @skip @stream")
    #expect(try labels("query ($a: S|) { a }", schema: nil) == "String")
  }

  @Test func `completion works at every prefix of a document`() throws {
    let text = """
      query Birds($first: Int = 3, $f: BirdFilter = { wingSpan: { least: 1.5 } }) @skip(if: false) {
        birds(first: $first, filter: $f) { ...Names @defer(label: "n") ... on Bird { nest { eggs } } }
      } # done
      fragment Names on Bird { name flights(first: 2, order: OLDEST) { from, to } }
      """
    for end in 0...text.utf8.count {
      let document = Document(parsing: String(decoding: Array(text.utf8.prefix(end)), as: UTF8.self))
      let service = LanguageService(document: document, schema: Self.schema)
      for item in service.complete(at: end) { #expect(!item.label.isEmpty) }
      _ = service.hover(at: end / 2)
      _ = service.highlights(in: 0..<end)
    }
  }
}
