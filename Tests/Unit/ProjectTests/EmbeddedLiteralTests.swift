import ApusGraphQLLanguage
import Testing

@testable import ApusGraphQLProjects

/// GraphQL in files of other languages.
@Suite struct EmbeddedLiteralTests {
  private static func texts(_ text: String, _ file: String) -> [String] {
    GraphQLSourceFile(bytes: Array(text.utf8), name: file, language: HostLanguage(path: file)).units
      .map { $0.document.text.split { $0.isWhitespace }.joined(separator: " ") }
  }

  @Test(arguments: [
    // Marks.
    (
      "a.ts", "f(/* graphql */ `{ a }`); f(/*GRAPHQL*/ `{ b }`); f(/* GraphQL */ `{ c }`)", ["{ a }", "{ b }", "{ c }"]
    ),
    ("a.ts", "f(/* graphql-tag */ `{ a }`)", []),
    ("a.py", "gql(request_string=\"{ a }\")\ngql( source = '{ b }' )\ngql(other=\"{ c }\")", ["{ a }", "{ b }"]),
    ("a.py", "f(request_string=\"{ a }\")", []),
    // Components.
    ("a.vue", "<graphql>\n{ a }\n</graphql><script>gql`{ b }`</script>", ["{ a }", "{ b }"]),
    ("a.vue", "<page-query>{ a }</page-query>\n<static-query lang=\"x\">{ b }</static-query>", ["{ a }", "{ b }"]),
    ("a.vue", "<graphql/><template><a/></template><SCRIPT setup>gql`{ b }`</SCRIPT>", ["{ b }"]),
    ("a.astro", "---\nconst q = gql`{ a }`\n---\n<p>gql`{ no }`</p><script>gql`{ b }`</script>", ["{ a }", "{ b }"]),
    ("a.mdx", "# T\n\n```graphql\n{ a }\n```\n", ["{ a }"]),
    // Indented code.
    ("a.md", "    ```graphql\n    { a }\n    ```\n", []), ("a.md", "   ```graphql\n   { a }\n   ```\n", ["{ a }"]),
    ("a.md", "- x\n\n    ```graphql\n    { a }\n    ```\n", ["{ a }"]),
    ("a.md", "- x\n\n      ```graphql\n      { a }\n      ```\n", []),
    ("a.md", "1. x\n   - y\n\n     ```graphql\n     { a }\n     ```\n", ["{ a }"]),
    ("a.md", "- x\n\ny\n\n    ```graphql\n    { a }\n    ```\n", []),
    // Escapes.
    ("a.ts", #"gql`{ a(b: "\u0041\x42") }`"#, [#"{ a(b: "A B ") }"#]),
    ("a.ts", #"gql("{\n  a # c\n  b\n}")"#, ["{ a # c b }"]),
    ("a.ts", #"gql`{\ta\n}`"#, ["{ a }"]), ("a.py", #"gql("{\n a }")"#, ["{ a }"]),
    ("a.swift", #"let q = /* GraphQL */ "{\n a }""#, ["{ a }"]),
  ])
  func `literals are found and decoded`(file: String, text: String, expected: [String]) {
    let found = Self.texts(text, file)
    // Escapes leave blanks, so that offsets are unchanged.
    #expect(found.map(Self.normal) == expected.map(Self.normal))
  }

  private static func normal(_ text: String) -> String { text.replacing(" ", with: "") }

  @Test(arguments: [
    ("gql`{ a }`", InterpolatedValues.none), ("gql`{ a ${b} }`", .insideDefinitions),
    ("gql`query Q { a }\n${B}`", .betweenDefinitions), ("gql`${B} query Q { a }`", .betweenDefinitions),
    ("gql`query Q($a: Int = ${n}) { a }`", .insideDefinitions), (#"gql`{ a \n }`"#, .none),
    (#"gql`{ a } \` ${B}`"#, .betweenDefinitions),
  ])
  func `a source knows where values are interpolated`(text: String, values: InterpolatedValues) throws {
    let file = GraphQLSourceFile(bytes: Array(text.utf8), name: "a.ts", language: .javascript)
    #expect(try #require(file.units.first).document.source.values(at: 0) == values)
  }

  @Test func `a default value that is interpolated is null`() throws {
    let file = GraphQLSourceFile(
      bytes: Array("gql`type Query { a(n: Int = ${n}, m: Int): Int } type B { b: Int }`".utf8), name: "a.ts",
      language: .javascript)
    let document = try #require(file.units.first).document
    #expect(document.diagnostics == [])
    #expect(document.definitions.count == 2)
    #expect(document.text.contains("n: Int = null"))
  }

  @Test(arguments: [
    ("val q = gql(\"{ a }\")", true), ("gql\"{ a }\"", true), ("q = <<~GRAPHQL\n", true), ("q = <<<'GRAPHQL'\n", true),
    ("// language=GraphQL\nval q", true), ("/* GraphQL */ \"{ a }\"", true), ("\"\"\"#graphql\n{ a }\"\"\"", true),
    ("```graphql\n", true), ("import graphql", false), ("my_graphql(\"x\")", false), ("graphql(schema)", false),
    ("graphql.run(\"x\")", false), ("# about GraphQL", false), ("", false), ("g", false),
  ])
  func `marks of GraphQL in other languages are recognized`(text: String, isMarked: Bool) {
    #expect(UnreadLanguage.isMarked(Array(text.utf8)) == isMarked)
  }

  @Test func `files in programming languages are code`() {
    for name in ["a.kt", "src/a.KT", "b.rb", "c.php"] { #expect(UnreadLanguage.isCode(name)) }
    for name in ["a.png", "a", "kt", "a.json", "a.ts"] { #expect(!UnreadLanguage.isCode(name)) }
  }
}
