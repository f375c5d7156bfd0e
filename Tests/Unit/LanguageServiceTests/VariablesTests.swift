import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import Testing

/// The variables pane: JSON for the variables of an operation.
struct VariablesTests {
  static let query =
    "query Q($id: ID!, $n: Int = 3, $order: FlightOrder, $f: BirdFilter, $ids: [ID!]) { bird(id: $id) { id } }"

  private func service(_ text: String, query: String = query) -> VariablesService {
    VariablesService(
      variables: text, operation: Document(parsing: query).operations.first, schema: CompletionTests.schema)
  }

  private func labels(_ marked: String, query: String = query) -> String {
    let marked = Marked(marked)
    return service(marked.text, query: query).complete(at: marked.offset).map(\.label).joined(separator: " ")
  }

  /// Returns the text after accepting the first completion.
  private func taken(_ marked: String) -> String? {
    let marked = Marked(marked)
    guard let item = service(marked.text).complete(at: marked.offset).first else { return nil }
    let edit = TextEdit(range: item.replacementRange, text: item.insertText)
    return String(decoding: [edit].applied(to: Array(marked.text.utf8)), as: UTF8.self)
  }

  @Test func `missing variables are offered first`() {
    #expect(labels("{ | }") == "id n order f ids")
    #expect(labels("{ \"o|\" }") == "order")
    #expect(labels("{ o|") == "order")
    #expect(taken("{ \"or|\" }") == "{ \"order\":  }")
    #expect(taken("{ i| }") == "{ \"id\": \"\" }")
    #expect(taken("{ \"fo|\": 1 }") == nil)
    #expect(taken("|") == "{\n  \"id\": \"\"\n}")
  }

  @Test func `keys that are there already are not offered`() {
    #expect(labels("{ \"id\": \"1\", | }") == "n order f ids")
    #expect(labels("{ |, \"id\": \"1\" }") == "n order f ids")
    #expect(labels("{ \"f\": { \"name\": \"a\", | } }") == "wingSpan ringed")
    #expect(labels("{ \"f\": { \"wingSpan\": { \"least\": 1, | } } }") == "most")
  }

  @Test func `values are offered by type`() {
    #expect(labels("{ \"order\": | }") == "NEWEST OLDEST null LONGEST")
    #expect(labels("{ \"order\": \"OL|\" }") == "OLDEST")
    #expect(taken("{ \"order\": \"OL|\" }") == "{ \"order\": \"OLDEST\" }")
    #expect(labels("{ \"f\": { | } }") == "wingSpan name ringed")
    #expect(labels("{ \"f\": { \"wingSpan\": { \"m| } } }") == "most")
    #expect(labels("{ \"f\": { \"ringed\": t| } }") == "true")
    #expect(labels("{ \"f\": | }") == "{ } null")
    #expect(taken("{ \"f\": | }") == "{ \"f\": { \"wingSpan\": {} } }")
    #expect(labels("{ \"id\": \"|\" }") == "")
    #expect(labels("{ \"other\": | }") == "")
  }

  @Test func `hover shows variables, fields and values`() {
    func hover(_ marked: String) -> String? {
      let marked = Marked(marked)
      return service(marked.text).hover(at: marked.offset)?.contents
    }
    #expect(hover("{ \"n|\": 3 }") == "```graphql\n$n: Int = 3\n```\n\n" + (intDescription ?? ""))
    #expect(
      hover("{ \"f\": { \"wing|Span\": {} } }") == "```graphql\nwingSpan: SpanRange!\n```\n\nDefined in `BirdFilter`.")
    #expect(hover("{ \"order\": \"NEW|EST\" }") == "```graphql\nNEWEST\n```\n\nDefined in `FlightOrder`.")
    #expect(hover("{ \"id\": \"a|b\" }") == nil)
  }

  private var intDescription: String? { CompletionTests.schema.type(named: "Int")?.description }

  /// Returns the text with problems in brackets, followed by the messages.
  private func diagnostics(_ text: String, query: String = query) -> String {
    let found = service(text, query: query).diagnostics()
    return (["" + Marked.bracketed(text, found.map(\.range))] + found.map(\.message)).joined(separator: "\n")
  }

  @Test func `JSON syntax errors are reported`() {
    #expect(diagnostics(#"{ "id": "1" "n": 2 }"#) == #"{ "id": "1" ["]n": 2 }"# + "\nA comma is missing")
    #expect(diagnostics(#"{ id: "1" }"#) == #"{ [id]: "1" }"# + "\nNames must be in quotes")
    #expect(diagnostics(#"{ "id": "1"#).hasSuffix("The string is not closed"))
    #expect(diagnostics(#"{ "id": "1", "n": 01 }"#).hasSuffix("\"01\" is not a number"))
    #expect(diagnostics("[1]").hasSuffix("Variables must be a JSON object"))
    #expect(diagnostics(#"{ "id": "1",, "n": 2 }"#).hasSuffix("A name is missing before the comma"))
    #expect(diagnostics(#"{ "id": "1", "ids": [,] }"#).hasSuffix("A value is missing before the comma"))
    #expect(diagnostics(#"{ "id": "1" } /* open"#).hasSuffix("The comment is not closed: \"*/\" is missing"))
  }

  @Test(arguments: [
    (#"\uD83D\uDC26"#, "🐦"), (#"a\u0041\n\/"#, "aA\n/"), (#"\uD83D"#, "\u{FFFD}"), (#"\uDC26"#, "\u{FFFD}"),
    (#"\uD83Dx"#, "\u{FFFD}x"), (#"\uD83D\u0041"#, "\u{FFFD}A"), (#"\uD83D\uD83D\uDC26"#, "\u{FFFD}🐦"),
    (#"\uD83D\n"#, "\u{FFFD}\n"),
  ])
  func `escapes are decoded, and half of a pair is replaced`(written: String, name: String) {
    #expect(diagnostics("{ \"id\": 1, \"\(written)\": 1 }").hasSuffix("\"Q\" has no variable \"$\(name)\""))
  }

  @Test func `comments and trailing commas are accepted, and positions stay right after them`() {
    let text = "// a bird\n{ # first\n  \"id\": \"1\", /* n */ \"ids\": [1, 2,], \"n\": 2.5,\n} // end"
    #expect(
      diagnostics(text) == text.replacing("2.5", with: "[2.5]") + "\nAn Int is a 32-bit integer")
    #expect(labels("{ // one\n \"order\": |,\n}") == "NEWEST OLDEST null LONGEST")
  }

  @Test func `the path of an upload is found in lists and input objects`() {
    let schema = "scalar Upload input P { f: Upload } type Query { a: Int }"
    let query = "query($f: Upload!, $l: [Upload!], $p: P, $s: String) { a }"
    func path(_ marked: String) -> String? {
      let marked = Marked(marked)
      let service = VariablesService(
        variables: marked.text, operation: Document(parsing: query).operations.first,
        schema: Schema.load(sdl: schema))
      return service.uploadPath(before: marked.offset)
    }
    #expect(path("{ \"f\": \"pho|tos/\" }") == "pho")
    #expect(path("{ \"f\": \"|\" }") == "")
    #expect(path("{ \"l\": [\"a\", \"b/|\"] }") == "b/")
    #expect(path("{ \"p\": { \"f\": \"~/x|\" } }") == "~/x")
    #expect(path("{ \"s\": \"x|\" }") == nil)
    #expect(path("{ \"f|\": \"x\" }") == nil)
  }

  @Test func `values that the operation does not accept are reported`() {
    #expect(
      diagnostics(#"{ "id": "1", "n": 3, "order": "OLDEST", "ids": "4", "f": { "wingSpan": {} } }"#)
        == #"{ "id": "1", "n": 3, "order": "OLDEST", "ids": "4", "f": { "wingSpan": {} } }"#)
    #expect(diagnostics("{}") == "[{]}\n\"$id\" of type ID! has no value")
    #expect(diagnostics(#"{ "id": null }"#) == #"{ "id": [null] }"# + "\nA value of type ID! cannot be null")
    #expect(
      diagnostics(#"{ "id": 1, "n": 2.5, "m": 1 }"#)
        == #"{ "id": 1, "n": [2.5], ["m"]: 1 }"# + "\nAn Int is a 32-bit integer\n\"Q\" has no variable \"$m\"")
    #expect(
      diagnostics(#"{ "id": 1, "order": "OLD" }"#)
        == #"{ "id": 1, "order": ["OLD"] }"# + "\n\"OLD\" is not a value of FlightOrder: OLDEST")
    #expect(
      diagnostics(#"{ "id": 1, "f": { "name": true, "size": 1 } }"#)
        == #"{ "id": 1, "f": [{] "name": [true], ["size"]: 1 } }"#
        + "\nBirdFilter.wingSpan of type SpanRange! is required\nA value of type String is expected"
        + "\nBirdFilter has no field \"size\"")
    #expect(diagnostics(#"{ "id": 1, "ids": [1, null] }"#).hasSuffix("A value of type ID! cannot be null"))
  }

  @Test func `every request is answered at every prefix and cut`() {
    let text = #"{ "id": "a\u00e9\n", "f": { "wingSpan": { "least": -1.5e3 }, "ringed": true }, "ids": ["1", 2] }"#
    let bytes = Array(text.utf8)
    for lower in [0, 1, 5, 20, 40] {
      for upper in lower...bytes.count {
        let service = service(String(decoding: bytes[lower..<upper], as: UTF8.self))
        for offset in [0, (upper - lower) / 2, upper - lower] {
          _ = service.complete(at: offset)
          _ = service.hover(at: offset)
        }
        for diagnostic in service.diagnostics() {
          #expect(diagnostic.range.upperBound <= service.text.bytes.count + 1)
        }
      }
    }
    #expect(service(String(repeating: "[", count: 100_000)).diagnostics().isEmpty == false)
  }
}
