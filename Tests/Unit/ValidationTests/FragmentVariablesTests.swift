import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

/// Variables of fragments, as in the draft of the specification.
@Suite struct FragmentVariablesTests {
  private func problems(_ text: String) -> [String] {
    let schema = Schema.load(
      sdl: "type Query { a(n: Int! = 1, in: In, flag: Boolean): Int q: Query } input In @oneOf { x: Int y: String }")
    let document = Document(parsing: text)
    return document.diagnostics.map(\.message) + Validator.validate(document, schema: schema).map(\.message)
  }

  @Test func `a fragment declares variables and a spread passes them`() {
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
  func `fragment variable rules report invalid documents`(_ text: String, _ expected: [String]) {
    #expect(problems(text) == expected)
  }

  /// Two spreads of a fragment in the same place must pass equal values (graphql-js 17).
  @Test(arguments: [
    ("{ ...F(n: 3) ...F(n: 4) }", "F(n: 3) and F(n: 4)"), ("{ ...F(n: 3) ...F(n: 3) }", nil),
    ("{ ...F ...F(n: 4) }", "F() and F(n: 4)"),
    ("{ ...F(n: 3) q { ...F(n: 4) } }", nil), ("{ ... { ...F(n: 3) } ...F(n: 4) }", "F(n: 3) and F(n: 4)"),
    ("{ q { ...F(n: 3) } q { ...F(n: 4) } }", "F(n: 3) and F(n: 4)"), ("{ q { ...F(n: 3) } p: q { ...F(n: 4) } }", nil),
    ("{ q { ...F(n: 3) } ...G } fragment G on Query { q { ...F(n: 4) } }", "F(n: 3) and F(n: 4)"),
    ("query ($a: Int!, $b: Int!) { ...F(n: $a) ...F(n: $b) }", "F(n: $a) and F(n: $b)"),
  ])
  func `spreads in the same place must pass equal values`(_ text: String, _ spreads: String?) {
    let found = problems(text + " fragment F($n: Int! = 1) on Query { a(n: $n) }")
    #expect(
      found == (spreads.map { ["Spreads \"F\" conflict because \($0) have different fragment arguments."] } ?? []))
  }

  // MARK: Field selection merging, with the cases of graphql-js 17

  private func conflicts(_ text: String) -> [String] {
    let schema = Schema.load(
      sdl: """
        type Query {
          a(x: Int): Int l(x: [Int]): Int o(x: In): Int q(x: Int): Query list(x: Int): [Query!]!
          dog: Dog connection: Connection
        }
        type Dog { knows(c: C): Boolean mother: Dog }
        type Connection { edges: [Query] }
        enum C { SIT DOWN }
        input In { i: Int l: [In] }
        """)
    let document = Document(parsing: text)
    #expect(document.diagnostics == [])
    let rule = Validator.specifiedRules.filter { $0.name == "OverlappingFieldsCanBeMergedRule" }
    let advice = ". Use different aliases on the fields to fetch both if this was intentional."
    return Validator.validate(document, schema: schema.read(for: [document]), rules: rule).map {
      $0.description.replacing(advice, with: "")
    }
  }

  @Test(arguments: [
    """
    query ($c1: C, $c2: C) { dog { ...K(c: $c1) mother { ...K(c: $c2) } } }
    fragment K($c: C) on Dog { knows(c: $c) }
    """,
    "query ($y: Int = 1) { a(x: $y) ...W(x: 1) } fragment W($x: Int = 1) on Query { a(x: $y) }",
    "query ($y: Int = 1) { a(x: $y) ...W(x: $y) } fragment W($x: Int) on Query { a(x: $x) }",
    """
    query ($z: Int = 1) { a(x: $z) ...W(y: $z) }
    fragment W($y: Int) on Query { ...N(x: $y) } fragment N($x: Int) on Query { a(x: $x) }
    """,
    "{ a(x: 1) ...W } fragment W($x: Int = 1) on Query { a(x: $x) }",
    "query ($y: [Int]) { l(x: $y) ...W(x: $y) } fragment W($x: [Int]) on Query { l(x: $x) }",
    "query ($y: Int) { l(x: [$y, 2]) ...W(x: $y) } fragment W($x: Int) on Query { l(x: [$x, 2]) }",
    "query ($y: In) { o(x: $y) ...W(x: $y) } fragment W($x: In) on Query { o(x: $x) }",
    "query ($y: Int) { o(x: { i: $y, l: [] }) ...W(x: $y) } fragment W($x: Int) on Query { o(x: { l: [], i: $x }) }",
    // Equal values for two fragments, and for one fragment in two places of the same level.
    "{ ...F(x: 1) ...G(y: 1) } fragment F($x: Int) on Query { a(x: $x) } fragment G($y: Int) on Query { a(x: $y) }",
    "query ($y: Int) { ...W(x: $y) ...V(v: $y) } fragment V($v: Int) on Query { ...W(x: $v) } fragment W($x: Int) on Query { a(x: $x) }",
    "{ ...W(x: null) ...V } fragment V on Query { a(x: null) } fragment W($x: Int = 1) on Query { a(x: $x) }",
    // Values in Relay's directives.
    """
    query ($y: Int) { a(x: $y) ...W @arguments(x: $y) }
    fragment W on Query @argumentDefinitions(x: { type: "Int" }) { a(x: $x) }
    """,
    """
    { a(x: 7) ...W ...W @arguments(x: 7) }
    fragment W on Query @argumentDefinitions(x: { type: "Int", defaultValue: 7 }) { a(x: $x) }
    """,
  ])
  func `fields with equal fragment arguments merge`(_ text: String) {
    #expect(conflicts(text) == [])
  }

  @Test(arguments: [
    (
      "query ($y: Int = 1) { a(x: $y) ...W } fragment W($x: Int = 1) on Query { a(x: $x) }",
      ["1:23, 1:74 Fields \"a\" conflict because they have differing arguments"]
    ),
    (
      """
      query ($c1: C, $c2: C) { dog {
        ...K(c: $c1)
        mother { ...K(c: $c2) }
      } }
      fragment K($c: C) on Dog {
        knows(c: $c)
        mother { knows(c: $c) }
      }
      """,
      [
        "3:3, 7:12, 7:3, 6:3 Fields \"mother\" conflict because subfields \"knows\" conflict because they have differing arguments"
      ]
    ),
    (
      """
      { connection { edges { ...W(x: 3) } } ...F }
      fragment F on Query { connection { edges { ...W(x: 4) } } } fragment W($x: Int) on Query { a(x: $x) }
      """,
      ["1:24, 2:44 Spreads \"W\" conflict because W(x: 3) and W(x: 4) have different fragment arguments."]
    ),
    // Different values for variables of the same name.
    (
      "{ ...F(x: 1) ...G(x: 2) } fragment F($x: Int) on Query { a(x: $x) } fragment G($x: Int) on Query { a(x: $x) }",
      ["1:58, 1:100 Fields \"a\" conflict because they have differing arguments"]
    ),
    (
      "query ($x: Int, $z: Int) { a(x: $x) ...W(x: $z) } fragment W($x: Int) on Query { a(x: $x) }",
      ["1:28, 1:82 Fields \"a\" conflict because they have differing arguments"]
    ),
    (
      "query ($y: Int) { list(x: $y) { a } ...W(x: 1) } fragment W($x: Int) on Query { list(x: $x) { a } }",
      ["1:19, 1:81 Fields \"list\" conflict because they have differing arguments"]
    ),
    (
      "query ($y: Int) { q { a(x: $y) } ...W(x: [1]) } fragment W($x: Int) on Query { q { a(x: $x) } }",
      [
        "1:19, 1:23, 1:80, 1:84 Fields \"q\" conflict because subfields \"a\" conflict because they have differing arguments"
      ]
    ),
    (
      """
      query ($y: Int) { a(x: $y) ...V(v: $y) }
      fragment V($v: Int) on Query { ...W(x: [$v]) } fragment W($x: [Int]) on Query { a(x: $x) }
      """,
      ["1:19, 2:81 Fields \"a\" conflict because they have differing arguments"]
    ),
    // Spreads of the same fragment are also compared by their values.
    (
      "query ($x: Int) { ...W(x: $x) ...V(x: 1) } fragment V($x: Int) on Query { ...W(x: $x) } fragment W($x: Int) on Query { a(x: $x) }",
      ["1:19, 1:75 Spreads \"W\" conflict because W(x: $x) and W(x: $x) have different fragment arguments."]
    ),
    // A variable of a fragment is not the operation's variable of the same name.
    (
      "query ($x: Int) { a(x: $x) ...W } fragment W($x: Int) on Query { a(x: $x) }",
      ["1:19, 1:66 Fields \"a\" conflict because they have differing arguments"]
    ),
    (
      "fragment V($x: Int = 1) on Query { a(x: 1) a(x: $x) }",
      ["1:36, 1:44 Fields \"a\" conflict because they have differing arguments"]
    ),
    // Relay's directives.
    (
      """
      { ...W ...W @arguments(x: 7) }
      fragment W on Query @argumentDefinitions(x: { type: "Int" }) { a(x: $x) }
      """,
      ["2:64, 2:64 Fields \"a\" conflict because they have differing arguments"]
    ),
  ])
  func `fields with different fragment arguments conflict`(_ text: String, _ expected: [String]) {
    #expect(conflicts(text) == expected)
  }

  /// The values double with each fragment, and each fragment spreads itself with different values.
  @Test func `malicious fragment arguments are compared in limited time`() {
    let chain = (0..<200).map { "fragment F\($0)($x: [Int]) on Query { ...F\($0 + 1)(x: [$x, $x]) l(x: $x) }" }
    let end = "fragment F200($x: [Int]) on Query { l(x: $x) }"
    #expect(conflicts("{ ...F0(x: 1) }" + chain.joined() + end).count > 0)
    let cycle = "fragment C($x: [Int]) on Query { q { ...C(x: [$x]) } p: q { ...C(x: [$x, 1]) } }"
    #expect(conflicts("{ ...C }" + cycle) == [])
    let relay =
      "fragment R on Query @argumentDefinitions(x: { type: \"[Int]\" }) { l(x: 1) ...R @arguments(x: [$x, 1]) }"
    #expect(conflicts("{ ...R }" + relay) == [])
  }
}
