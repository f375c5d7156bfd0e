import ApusGraphQLLanguage
import Testing

struct MinifierTests {
  private func minify(_ text: String) -> String {
    let document = Document(parsing: text)
    return Minifier.minify(document, document.definitions.map(\.range))
  }

  @Test(arguments: [
    ("query A {\n  a, b # two\n  c\n}\n", "query A{a b c}"),
    ("{ a(x: [1, -2, 3.5]) { ...F } }", "{a(x:[1 -2 3.5]){...F}}"),
    ("{ a ...F @skip(if: true) ... on B { c } }", "{a ...F@skip(if:true)...on B{c}}"),
    ("{ a(s: [\"\", \"b\"]) }", "{a(s:[\"\" \"b\"])}"),
    ("{ a(s: \"\"\"\n  b # no\n\"\"\") }", "{a(s:\"\"\"\n  b # no\n\"\"\")}"),
    (
      "query ($a: [Int!]! = [1], $b: E = X) { a }\nfragment F on B { c }",
      "query($a:[Int!]!=[1]$b:E=X){a}fragment F on B{c}"
    ),
  ])
  func `minifying removes insignificant text`(text: String, short: String) {
    #expect(minify(text) == short)
    #expect(minify(short) == short)
    #expect(Printer.print(Document(parsing: short)) == Printer.print(Document(parsing: text)))
  }
}
