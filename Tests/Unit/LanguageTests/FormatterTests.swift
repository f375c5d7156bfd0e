import ApusGraphQLLanguage
import Testing

/// Returns the formatted text, and checks that formatting is idempotent.
private func formatted(_ text: String) -> String {
  let once = Formatter.format(Document(parsing: text))
  #expect(Formatter.format(Document(parsing: once)) == once)
  return once
}

@Suite struct FormatterTests {
  @Test func `comments and single blank lines are kept`() {
    #expect(
      formatted(
        """
        # head
        query   Q( $a:Int # one
         ,$b:Int ) {

          a,  b   # behind


          # before c
          c(x: 1 # of x
          ) # of c
          { d } # after
          # last
        } # end
        # between

        # above
        fragment F on T { ...on U { x } }
        """) == """
          # head
          query Q(
            $a: Int # one
            $b: Int
          ) {
            a
            b # behind

            # before c
            c(
              x: 1 # of x
            ) {
              # of c
              d
            } # after
            # last
          } # end

          # between

          # above
          fragment F on T {
            ... on U {
              x
            }
          }

          """)
  }

  @Test func `fragment variables are formatted`() {
    #expect(
      formatted("{...F(a:1,b:[$x])@include(if:true)} fragment F(\"How many.\" $a:Int=1@d,$b:[Int!]) on T{a}")
        == """
        {
          ...F(a: 1, b: [$x]) @include(if: true)
        }

        fragment F(
          "How many."
          $a: Int = 1 @d
          $b: [Int!]
        ) on T {
          a
        }

        """)
  }

  @Test func `type system documents are formatted`() {
    #expect(
      formatted(
        #"type A implements B&C@d{"desc" a(x:Int=1 @e):Int b:[Int!]! @deprecated(reason:"no") } union U=|A|B enum E{A B}"#
      )
        == """
        type A implements B & C @d {
          "desc"
          a(x: Int = 1 @e): Int
          b: [Int!]! @deprecated(reason: "no")
        }

        union U = A | B

        enum E {
          A
          B
        }

        """)
  }

  @Test func `long argument lists are split into lines`() {
    let name = String(repeating: "n", count: 40)
    #expect(
      formatted("{ f(\(name): \"\(name)\", b: { c: [1, 2] }) }") == """
        {
          f(
            \(name): "\(name)"
            b: { c: [1, 2] }
          )
        }

        """)
  }

  @Test func `definitions with syntax errors are not formatted`() {
    #expect(
      formatted("query A {a}\nquery B {  b(: }\nquery C {c}") == """
        query A {
          a
        }

        query B {  b(: }

        query C {
          c
        }

        """)
    #expect(formatted("query A {  a") == "query A {  a")
  }

  @Test func `a document of comments is unchanged`() {
    #expect(formatted("# only\n\n# comments\n") == "# only\n\n# comments\n")
    #expect(formatted("") == "")
    #expect(formatted("{ a }\n# next\n# to it") == "{\n  a\n}\n# next\n# to it\n")
    #expect(formatted("{ a }\n\n\n# apart") == "{\n  a\n}\n\n# apart\n")
  }

  @Test func `a schema definition lists its root types`() {
    #expect(
      formatted("extend schema @a { query: Q subscription: S, mutation: M }")
        == "extend schema @a {\n  query: Q\n  subscription: S\n  mutation: M\n}\n")
    #expect(formatted("extend schema @a") == "extend schema @a\n")
  }

  @Test func `formatting keeps the values of block strings`() {
    let text = "type A {\n    \"\"\"\n      One\n        two\n\n      three \\\"\"\" four\n    \"\"\"\n    a: Int\n}\n"
    let before = Document(parsing: text)
    let after = Document(parsing: formatted(text))
    #expect(meaning(before) == meaning(after))
    #expect(after.text == "type A {\n  \"\"\"\n  One\n    two\n\n  three \\\"\"\" four\n  \"\"\"\n  a: Int\n}\n")
  }

  // MARK: Width

  /// The expected layouts are those of prettier 3 with this `printWidth`.
  @Test(arguments: [
    // Arguments, with the brace and directives after them.
    (29, "{ birds(first: 10, after: $a) }", "{\n  birds(first: 10, after: $a)\n}\n"),
    (28, "{ birds(first: 10, after: $a) }", "{\n  birds(\n    first: 10\n    after: $a\n  )\n}\n"),
    (
      30, "{ birds(first: 10, after: $a) { id } }", "{\n  birds(\n    first: 10\n    after: $a\n  ) {\n    id\n  }\n}\n"
    ),
    (
      33, "{ birds(first: 10, after: $a) @include(if: $b) }",
      "{\n  birds(first: 10, after: $a)\n    @include(if: $b)\n}\n"
    ),
    // Variables.
    (30, "query Q($a: Int!, $b: String) { a }", "query Q(\n  $a: Int!\n  $b: String\n) {\n  a\n}\n"),
    (31, "query Q($a: Int!, $b: String) { a }", "query Q($a: Int!, $b: String) {\n  a\n}\n"),
    // Directives of definitions are not indented.
    (20, "query Query @first @second { a }", "query Query\n@first\n@second {\n  a\n}\n"),
    // Values.
    (23, "{ a(b: [100000, 200000]) }", "{\n  a(\n    b: [100000, 200000]\n  )\n}\n"),
    // Definitions.
    (
      32, "type A { birds(first: Int, after: ID): Int }",
      "type A {\n  birds(\n    first: Int\n    after: ID\n  ): Int\n}\n"
    ),
    (42, "type A { birds(first: Int, after: ID): Int }", "type A {\n  birds(first: Int, after: ID): Int\n}\n"),
    (20, "union U = Aaaaaaa | Bbbbbbb", "union U =\n  | Aaaaaaa\n  | Bbbbbbb\n"),
    (28, "union U = Aaaaaaa | Bbbbbbb", "union U = Aaaaaaa | Bbbbbbb\n"),
    // Interfaces, the brace after the last directive, keywords, and block strings.
    (33, "type Aaaa implements Bbbb & Cccc { id: ID }", "type Aaaa implements Bbbb &\n  Cccc {\n  id: ID\n}\n"),
    (34, "type Aaaa implements Bbbb & Cccc { id: ID }", "type Aaaa implements Bbbb & Cccc {\n  id: ID\n}\n"),
    (32, "type Aaaa implements Bbbb & Cccc @dd", "type Aaaa implements Bbbb &\n  Cccc @dd\n"),
    (33, "type Aaaa implements Bbbb & Cccc @dd", "type Aaaa implements Bbbb & Cccc\n  @dd\n"),
    (36, "type Aaaa implements Bbbb & Cccc @dd", "type Aaaa implements Bbbb & Cccc @dd\n"),
    (43, "extend interface Aaaa implements Bbbb & Cccc", "extend interface Aaaa implements Bbbb &\n  Cccc\n"),
    (44, "extend interface Aaaa implements Bbbb & Cccc", "extend interface Aaaa implements Bbbb & Cccc\n"),
    (
      32, "{ a @include(if: $someLongName) { b } }",
      "{\n  a\n    @include(\n      if: $someLongName\n    ) {\n    b\n  }\n}\n"
    ),
    (33, "{ a @include(if: $someLongName) { b } }", "{\n  a @include(if: $someLongName) {\n    b\n  }\n}\n"),
    (
      55, "directive @a(b: Int, c: Int) repeatable on FIELD | QUERY",
      "directive @a(\n  b: Int\n  c: Int\n) repeatable on FIELD | QUERY\n"
    ),
    (
      56, "directive @a(b: Int, c: Int) repeatable on FIELD | QUERY",
      "directive @a(b: Int, c: Int) repeatable on FIELD | QUERY\n"
    ),
    (44, "directive @a(b: Int, c: Int) on FIELD | QUERY", "directive @a(\n  b: Int\n  c: Int\n) on FIELD | QUERY\n"),
    (45, "directive @a(b: Int, c: Int) on FIELD | QUERY", "directive @a(b: Int, c: Int) on FIELD | QUERY\n"),
    (
      80, "\"\"\"One\"\"\" type A { \"\"\"Two\"\"\" b(\"\"\"Three\"\"\" c: Int): Int }",
      "\"\"\"\nOne\n\"\"\"\ntype A {\n  \"\"\"\n  Two\n  \"\"\"\n  b(\n    \"\"\"\n    Three\n    \"\"\"\n    c: Int\n  ): Int\n}\n"
    ),
    (80, "\"\"\"\"\"\" type A { b: Int }", "\"\"\"\n\"\"\"\ntype A {\n  b: Int\n}\n"),
    (
      80, "{ a(b: { c: \"\"\"d\"\"\" }) }", "{\n  a(\n    b: {\n      c: \"\"\"\n      d\n      \"\"\"\n    }\n  )\n}\n"
    ),
    (24, "type A @key(fields: \"id\") { id: ID }", "type A\n  @key(fields: \"id\") {\n  id: ID\n}\n"),
  ])
  func `lines break at the width`(width: Int, text: String, expected: String) {
    let once = Formatter.format(Document(parsing: text), width: width)
    #expect(once == expected)
    #expect(Formatter.format(Document(parsing: once), width: width) == once)
  }

  @Test func `a large width keeps lists on one line that the default breaks`() {
    let text = "{ a(b: \"\(String(repeating: "x", count: 90))\") }"
    #expect(Formatter.format(Document(parsing: text)).split(separator: "\n").count == 5)
    #expect(Formatter.format(Document(parsing: text), width: 200).split(separator: "\n").count == 3)
  }
}
