import ApusGraphQLLanguage
import Testing

/// Returns the formatted text, and checks that formatting is idempotent.
private func formatted(_ text: String) -> String {
  let once = Formatter.format(Document(parsing: text))
  #expect(Formatter.format(Document(parsing: once)) == once)
  return once
}

@Suite struct FormatterTests {
  @Test func commentsAndSingleBlankLinesAreKept() {
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

  @Test func fragmentVariablesAreFormatted() {
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

  @Test func typeSystemDocumentsAreFormatted() {
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

  @Test func longArgumentListsAreSplitIntoLines() {
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

  @Test func definitionsWithSyntaxErrorsAreNotFormatted() {
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

  @Test func aDocumentOfCommentsIsUnchanged() {
    #expect(formatted("# only\n\n# comments\n") == "# only\n\n# comments\n")
    #expect(formatted("") == "")
  }

  @Test func formattingKeepsTheValuesOfBlockStrings() {
    let text = "type A {\n    \"\"\"\n      One\n        two\n\n      three \\\"\"\" four\n    \"\"\"\n    a: Int\n}\n"
    let before = Document(parsing: text)
    let after = Document(parsing: formatted(text))
    #expect(meaning(before) == meaning(after))
    #expect(after.text == "type A {\n  \"\"\"\n  One\n    two\n\n  three \\\"\"\" four\n  \"\"\"\n  a: Int\n}\n")
  }
}
