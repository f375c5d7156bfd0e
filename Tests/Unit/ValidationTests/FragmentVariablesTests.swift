import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

/// Variables of fragments, as the specification's draft has them.
@Suite struct FragmentVariablesTests {
  private func problems(_ text: String) -> [String] {
    let schema = Schema.load(
      sdl: "type Query { a(n: Int! = 1, in: In, flag: Boolean): Int q: Query } input In @oneOf { x: Int y: String }")
    let document = Document(parsing: text)
    return document.diagnostics.map(\.message) + Validator.validate(document, schema: schema).map(\.message)
  }

  @Test func aFragmentDeclaresVariablesAndASpreadPassesThem() {
    #expect(
      problems(
        """
        query ($n: Int!, $flag: Boolean) { ...F(n: $n, in: { x: 1 }) q { ...F(in: null) ...G } a @include(if: true) }
        fragment F("How many." $n: Int! = 2, $in: In) on Query { b: a(n: $n, in: $in) q { ...H(n: $n) } }
        fragment G on Query { c: a(flag: $flag) }
        fragment H($n: Int) on Query { d: a(n: 3, in: { x: 2 }) e: a(n: 4) @skip(if: false) q { ...I(m: $n) } }
        fragment I($m: Int = 5) on Query { f: q { ... @include(if: true) { g: a(in: { x: 1 }) } h: a(n: 1, in: $j) } }
        """) == [
          "Variable \"$m\" is never used in fragment \"I\".", "Variable \"$j\" is not defined.",
        ])
  }

  @Test(arguments: [
    (
      "{ ...F(m: 1) } fragment F($n: Int) on Query { a(in: { x: $n }) }",
      [
        "Unknown argument \"m\" on fragment \"F\". Did you mean \"n\"?",
        "Variable \"$n\" is of type \"Int\" but must be non-nullable to be used for OneOf Input Object \"In\".",
      ]
    ),
    ("{ ...F(n: 1) } fragment F on Query { a }", ["Unknown argument \"n\" on fragment \"F\"."]),
    (
      "{ ...F } fragment F($n: Int!) on Query { a(n: $n) }",
      [
        "Fragment \"F\" argument \"n\" of type \"Int!\" is required, but it was not provided."
      ]
    ),
    (
      "{ ...F(n: 1, n: 2) } fragment F($n: Int!) on Query { a(n: $n) }",
      [
        "There can be only one argument named \"n\"."
      ]
    ),
    (
      "{ ...F(n: \"1\") } fragment F($n: Int!) on Query { a(n: $n) }",
      [
        "Int cannot represent non-integer value: \"1\""
      ]
    ),
    (
      "query ($s: String) { ...F(n: $s) } fragment F($n: Int!) on Query { a(n: $n) }",
      [
        "Variable \"$s\" of type \"String\" used in position expecting type \"Int!\"."
      ]
    ),
    (
      "{ ...F } fragment F($n: String) on Query { a(n: $n) }",
      [
        "Variable \"$n\" of type \"String\" used in position expecting type \"Int!\"."
      ]
    ),
    (
      "{ ...F } fragment F($n: Int, $n: Int) on Query { a(n: 1) b: a(flag: true) @skip(if: false) ...G(n: $n) } fragment G($n: Int) on Query { c: q { a } d: a(in: { x: 1 }) @include(if: true) }",
      [
        "There can be only one variable named \"$n\".", "Variable \"$n\" is never used in fragment \"G\".",
      ]
    ),
    (
      "{ ...F } fragment F($n: Query) on Query { a }",
      [
        "Variable \"$n\" is never used in fragment \"F\".", "Variable \"$n\" cannot be non-input type \"Query\".",
      ]
    ),
  ])
  func rules(_ text: String, _ expected: [String]) {
    #expect(problems(text) == expected)
  }

  /// Two spreads of a fragment in one place pass the same values (graphql-js 17).
  @Test(arguments: [
    ("{ ...F(n: 3) ...F(n: 4) }", "F(n: 3) and F(n: 4)"), ("{ ...F(n: 3) ...F(n: 3) }", nil),
    ("{ ...F ...F(n: 4) }", "F() and F(n: 4)"),
    ("{ ...F(n: 3) q { ...F(n: 4) } }", nil), ("{ ... { ...F(n: 3) } ...F(n: 4) }", "F(n: 3) and F(n: 4)"),
    ("{ q { ...F(n: 3) } q { ...F(n: 4) } }", "F(n: 3) and F(n: 4)"), ("{ q { ...F(n: 3) } p: q { ...F(n: 4) } }", nil),
    ("{ q { ...F(n: 3) } ...G } fragment G on Query { q { ...F(n: 4) } }", "F(n: 3) and F(n: 4)"),
    ("query ($a: Int!, $b: Int!) { ...F(n: $a) ...F(n: $b) }", "F(n: $a) and F(n: $b)"),
  ])
  func spreadsInOnePlacePassTheSameValues(_ text: String, _ spreads: String?) {
    let found = problems(text + " fragment F($n: Int! = 1) on Query { a(n: $n) }")
    #expect(
      found == (spreads.map { ["Spreads \"F\" conflict because \($0) have different fragment arguments."] } ?? []))
  }
}
