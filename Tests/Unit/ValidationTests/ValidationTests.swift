import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

let world = Schema.load(
  sdl: """
    type Query {
      bird(id: ID!, year: Int = 2024): Bird
      birds(first: Int, filter: Filter, tags: [String!]): [Bird!]!
      animal: Animal
      search(text: String!): [Found]
      one(by: By!): Bird
    }
    type Mutation { ring(bird: ID!): Bird }
    type Subscription { seen: Bird heard: Bird }
    interface Node { id: ID! }
    interface Animal implements Node { id: ID! name: String }
    type Bird implements Node & Animal { id: ID! name: String mate: Bird colour: Colour friends: [Bird] weight(unit: Unit!): Float }
    type Fish implements Node & Animal { id: ID! name: String fins: Int }
    type Stone { weight: Float }
    union Found = Bird | Stone
    enum Colour { RED GREEN }
    enum Unit { GRAM }
    input Filter { name: String! = "x" colour: Colour size: Int! nested: [Filter!] }
    input By @oneOf { id: ID name: String }
    directive @note(text: String!) repeatable on FIELD | QUERY
    """)

/// Returns the errors of a document: `line:column[, …] message`, or `Rule: …` for several rules.
func errors(_ text: String, schema: Schema? = world) -> [String] {
  let document = Document(parsing: text)
  #expect(document.diagnostics == [])
  return Validator.validate(document, schema: schema).map(\.description)
}

@Suite struct ValidationTests {
  @Test func `a valid document has no errors`() {
    #expect(Validator.validate(schema: world) == [])
    #expect(
      errors(
        """
        query Q($id: ID!, $n: Int = 3, $c: Colour, $by: ID!) @note(text: "a") @note(text: "b") {
          bird(id: $id) { ...B ... on Animal { name } }
          birds(first: $n, filter: { size: 3, colour: $c, nested: { size: 1 } }, tags: "x") { id @include(if: true) }
          animal { __typename ... on Bird { weight(unit: GRAM) } ...A @defer(label: "a") }
          search(text: "t") { ... on Stone { heavy: weight } ... on Node { id } }
          one(by: { id: $by }) { friends @stream(initialCount: 1) { id } }
          __schema { queryType { name } }
        }
        fragment B on Bird { mate { colour } }
        fragment A on Animal { id }
        """) == [])
  }

  @Test(arguments: [
    ("type A { b: Int } { bird(id: 1) { id } }", "1:1 The \"A\" definition is not executable."),
    ("query A { a: __typename } query A { b: __typename }", "1:7, 1:33 There can be only one operation named \"A\"."),
    ("{ __typename } query A { __typename }", "1:1 This anonymous operation must be the only defined operation."),
    ("subscription { seen { id } heard { id } }", "1:28 Anonymous Subscription must select only one top level field."),
    (
      "subscription S { __typename }",
      "1:18 Subscription \"S\" must not select an introspection top level field."
    ),
    (
      "subscription S { seen @skip(if: true) { id } }",
      "1:23 Subscription \"S\" must not use `@skip` or `@include` directives in the top level selection."
    ),
    ("{ animal { ... on Brid { id } } }", "1:19 Unknown type \"Brid\". Did you mean \"Bird\" or \"ID\"?"),
    ("{ animal { ... on Colour { id } } }", "1:19 Fragment cannot condition on non composite type \"Colour\"."),
    (
      "{ animal { ...F } } fragment F on Colour { id }",
      "1:35 Fragment \"F\" cannot condition on non composite type \"Colour\"."
    ),
    ("query ($a: Bird) { one(by: { id: $a }) { id } }", "1:12 Variable \"$a\" cannot be non-input type \"Bird\"."),
    (
      "{ animal { id { x } } }",
      "1:15 Field \"id\" must not have a selection since type \"ID!\" has no subfields."
    ),
    (
      "{ animal }",
      "1:3 Field \"animal\" of type \"Animal\" must have a selection of subfields. Did you mean \"animal { ... }\"?"
    ),
    (
      "{ animal { nmae } }",
      "1:12 Cannot query field \"nmae\" on type \"Animal\". Did you mean \"name\"?"
    ),
    (
      "{ animal { fins } }",
      "1:12 Cannot query field \"fins\" on type \"Animal\". Did you mean to use an inline fragment on \"Fish\"?"
    ),
    (
      "{ search(text: \"\") { name } }",
      "1:22 Cannot query field \"name\" on type \"Found\". Did you mean to use an inline fragment on \"Animal\" or \"Bird\"?"
    ),
    (
      "{ ...F } fragment F on Query { __typename } fragment F on Query { __typename }",
      "1:19, 1:54 There can be only one fragment named \"F\"."
    ),
    ("{ ...F }", "1:6 Unknown fragment \"F\"."),
    ("{ __typename } fragment F on Query { __typename }", "1:16 Fragment \"F\" is never used."),
    (
      "{ animal { ... on Stone { weight } } }",
      "1:12 Fragment cannot be spread here as objects of type \"Animal\" can never be of type \"Stone\"."
    ),
    (
      "{ animal { ...F } } fragment F on Stone { weight }",
      "1:12 Fragment \"F\" cannot be spread here as objects of type \"Animal\" can never be of type \"Stone\"."
    ),
    ("{ ...A } fragment A on Query { ...A }", "1:32 Cannot spread fragment \"A\" within itself."),
    (
      "{ ...A } fragment A on Query { ...B } fragment B on Query { ...A }",
      "1:32, 1:61 Cannot spread fragment \"A\" within itself via \"B\"."
    ),
    (
      "query ($a: Int, $a: Int) { birds(first: $a) { id } }",
      "1:9, 1:18 There can be only one variable named \"$a\"."
    ),
    ("query Q { birds(first: $a) { id } }", "1:24, 1:1 Variable \"$a\" is not defined by operation \"Q\"."),
    ("query Q($a: Int) { __typename }", "1:9 Variable \"$a\" is never used in operation \"Q\"."),
    ("{ __typename @gone }", "1:14 Unknown directive \"@gone\"."),
    ("query @skip(if: true) { __typename }", "1:7 Directive \"@skip\" may not be used on QUERY."),
    (
      "{ __typename @skip(if: true) @skip(if: false) }",
      "1:14, 1:30 The directive \"@skip\" can only be used once at this location."
    ),
    (
      "mutation { ... @defer { ring(bird: 1) { id } } }",
      "1:16 Defer directive cannot be used on root mutation type \"Mutation\"."
    ),
    (
      "subscription { seen { ... @defer { id } } }",
      "1:27 Defer directive not supported on subscription operations. Disable `@defer` by setting the `if` argument to `false`."
    ),
    (
      "{ animal { ... @defer(label: \"a\") { id } ... @defer(label: \"a\") { id } } }",
      "1:16, 1:46 Defer/Stream directive label argument must be unique."
    ),
    (
      "query ($l: String) { animal { ... @defer(label: $l) { id } } }",
      "1:35 Defer directive label argument must be a static string."
    ),
    (
      "{ animal @stream { id } }",
      "1:10 Stream directive cannot be used on non-list field \"animal\" on type \"Query\"."
    ),
    (
      "{ bird(id: 1, yaer: 3) { id } }",
      "1:15 Unknown argument \"yaer\" on field \"Query.bird\". Did you mean \"year\"?"
    ),
    (
      "{ __typename @skip(if: true, fi: 1) }",
      "1:30 Unknown argument \"fi\" on directive \"@skip\". Did you mean \"if\"?"
    ),
    ("{ birds(first: 1, first: 2) { id } }", "1:9, 1:19 There can be only one argument named \"first\"."),
    ("{ birds(first: 1.5) { id } }", "1:16 Int cannot represent non-integer value: 1.5"),
    (
      "{ birds(first: 3000000000) { id } }",
      "1:16 Int cannot represent non 32-bit signed integer value: 3000000000"
    ),
    (
      "{ birds(filter: { size: 1, colour: REDD }) { id } }",
      "1:36 Value \"REDD\" does not exist in \"Colour\" enum. Did you mean the enum value \"RED\"?"
    ),
    (
      "{ birds(filter: { colour: RED }) { id } }",
      "1:17 Expected value of type \"Filter\" to include required field \"size\", found: { colour: RED }."
    ),
    (
      "{ birds(filter: { size: 1, sise: 2 }) { id } }",
      "1:28 Expected value of type \"Filter\" not to include unknown field \"sise\". Did you mean \"size\"? Found: { size: 1, sise: 2 }."
    ),
    ("{ birds(tags: [1]) { id } }", "1:16 String cannot represent a non string value: 1"),
    ("{ birds(tags: [null]) { id } }", "1:16 Expected value of non-null type \"String!\" not to be null."),
    (
      "{ one(by: { id: 1, name: \"x\" }) { id } }",
      "1:11 Within OneOf Input Object type \"By\", exactly one field must be specified, and the value for that field must be non-null."
    ),
    (
      "{ bird { id } }",
      "1:3 Argument \"Query.bird(id:)\" of type \"ID!\" is required, but it was not provided."
    ),
    (
      "{ __typename @skip }",
      "1:14 Argument \"@skip(if:)\" of type \"Boolean!\" is required, but it was not provided."
    ),
    (
      "query ($a: ID) { bird(id: $a) { id } }",
      "1:8, 1:27 Variable \"$a\" of type \"ID\" used in position expecting type \"ID!\"."
    ),
    (
      "query ($a: ID) { one(by: { id: $a }) { id } }",
      "1:8, 1:32 Variable \"$a\" is of type \"ID\" but must be non-nullable to be used for OneOf Input Object \"By\"."
    ),
    ("{ birds(filter: { size: 1, size: 2 }) { id } }", "1:19, 1:28 There can be only one input field named \"size\"."),
  ])
  func `each rule reports errors with locations`(text: String, expected: String) {
    #expect(errors(text).filter { $0.hasPrefix(expected.prefix(4)) }.contains(expected), "\(errors(text))")
  }

  @Test func `without a schema the rules that need none apply`() {
    #expect(
      errors("query Q { a(x: $y) ...F }", schema: nil) == [
        "1:16, 1:1 Variable \"$y\" is not defined by operation \"Q\".",
        "1:23 Unknown fragment \"F\".",
      ])
  }

  @Test func `the parsed part of an incomplete document is validated`() {
    let document = Document(parsing: "{ bird(id: 1) { id nmae mate { ")
    #expect(Validator.validate(document, schema: world).map(\.rule) == ["FieldsOnCorrectTypeRule", "ScalarLeafsRule"])
  }

  @Test func `long chains of fragments cause no stack overflow`() {
    let chain = (0..<20_000).map { "fragment F\($0) on Query { ...F\($0 + 1) }" }.joined(separator: "\n")
    #expect(errors("{ ...F0 }\n\(chain)\nfragment F20000 on Query { ...F0 }").count == 1)
  }
}
