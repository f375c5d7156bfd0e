import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

/// Returns the errors of a schema: `line:column[, …] message`.
private func faults(_ sdl: String) -> [String] {
  Validator.validate(schema: Schema.load(sdl: sdl)).map(\.description)
}

@Suite struct SchemaValidationTests {
  @Test func `a valid schema has no errors`() {
    #expect(
      faults(
        """
        "All." schema @tag(name: "s") { query: Root }
        extend schema @tag(name: "t") { mutation: Change }
        directive @tag(name: String!, level: Int = 1) repeatable on SCHEMA | OBJECT | FIELD_DEFINITION | ENUM_VALUE
        interface Node { id(version: Int): ID! }
        interface Named implements Node { id(version: Int): ID! name: String }
        type Root implements Named & Node @tag(name: "r") {
          id(version: Int, extra: String): ID!
          name: String!
          find(where: Where = { by: { id: 1 }, tags: ["a"] }): [Found!]
        }
        type Change { do: Boolean @tag(name: "f") }
        union Found = Root | Change
        extend union Found = Other
        type Other { x: Colour }
        enum Colour { RED @tag(name: "e") GREEN @deprecated(reason: "No.") }
        input Where { by: By, tags: [String!], deep: Where, old: Int @deprecated }
        input By @oneOf { id: ID name: String by: By }
        scalar Date @specifiedBy(url: "https://example.com")
        """) == [])
  }

  @Test(arguments: [
    // Documents.
    (
      "schema { query: Q } schema { mutation: M } type Q { a: Int } type M { a: Int }",
      "1:21 Must provide only one schema definition."
    ),
    (
      "schema { query: Q } extend schema { query: Q } type Q { a: Int }",
      "1:10, 1:37 There can be only one query type in schema."
    ),
    ("type Query { a: Int } type Query { b: Int }", "1:6, 1:28 There can be only one type named \"Query\"."),
    (
      "type Query { e: E } enum E { A } extend enum E { A }",
      "1:30, 1:50 Enum value \"E.A\" can only be defined once."
    ),
    ("type Query { a: Int a: String }", "1:14, 1:21 Field \"Query.a\" can only be defined once."),
    (
      "type Query { a(i: Int, j: Int, i: Int): Int }",
      "1:16, 1:32 Argument \"Query.a(i:)\" can only be defined once."
    ),
    (
      "type Query { a: Int } directive @d(i: Int, i: Int) on FIELD",
      "1:36, 1:44 Argument \"@d(i:)\" can only be defined once."
    ),
    (
      "type Query { a: Int } directive @d on FIELD directive @d on QUERY",
      "1:34, 1:56 There can be only one directive named \"@d\"."
    ),
    ("type Query { a: Strin }", "1:17 Unknown type \"Strin\". Did you mean \"String\"?"),
    ("type Query @nope { a: Int }", "1:12 Unknown directive \"@nope\"."),
    // Values of directive arguments.
    (
      "type Query { a: Int @deprecated(reason: null) }",
      "1:41 Expected value of non-null type \"String!\" not to be null."
    ),
    (
      "type Query { a: Int } scalar S @specifiedBy(url: 3)",
      "1:50 String cannot represent a non string value: 3"
    ),
    (
      "directive @d(in: I) on OBJECT | DIRECTIVE_DEFINITION input I { a: Int! } directive @e @d(in: {}) on FIELD type Query @d(in: { a: 1 }) { a: Int }",
      "1:94 Expected value of type \"I\" to include required field \"a\", found: {}."
    ),
    ("type Query @deprecated { a: Int }", "1:12 Directive \"@deprecated\" may not be used on OBJECT."),
    (
      "type Query @d { a: Int } extend type Query @d directive @d on OBJECT",
      "1:12, 1:44 The directive \"@d\" can only be used once at this location."
    ),
    (
      "type Query { a: Int } extend type Querry { b: Int }",
      "1:35 Cannot extend type \"Querry\" because it is not defined. Did you mean \"Query\"?"
    ),
    ("type Query { a: Int } extend enum Query { A }", "1:1, 1:23 Cannot extend non-enum type \"Query\"."),
    (
      "type Query { a: Int @deprecated(reson: \"\") }",
      "1:33 Unknown argument \"reson\" on directive \"@deprecated\". Did you mean \"reason\"?"
    ),
    (
      "type Query { a: S } scalar S @specifiedBy",
      "1:30 Argument \"@specifiedBy(url:)\" of type \"String!\" is required, but it was not provided."
    ),
    (
      "type Query { a(i: I = { a: 1, a: 2 }): Int } input I { a: Int }",
      "1:25, 1:31 There can be only one input field named \"a\"."
    ),
    // Types.
    ("type A { a: Int }", "Query root type must be provided."),
    ("schema { query: S } scalar S", "1:17 Query root type must be Object type, it cannot be S."),
    (
      "schema { query: Q mutation: Q } type Q { a: Int }",
      "1:17, 1:29 All root types must be different, \"Q\" type is used as query and mutation root types."
    ),
    (
      "type Query { __a: Int }",
      "1:14 Name \"__a\" must not begin with \"__\", which is reserved by GraphQL introspection."
    ),
    ("type Query", "1:1 Type Query must define one or more fields."),
    ("type Query { e: E } enum E", "1:21 Enum type E must define one or more values."),
    ("type Query { u: U } union U", "1:21 Union type U must define one or more member types."),
    ("type Query { a(i: I): Int } input I", "1:29 Input Object type I must define one or more fields."),
    ("type Query { i: [I!] } input I { a: Int }", "1:17 The type of Query.i must be Output Type but got: [I!]."),
    ("type Query { a(q: Query!): Int }", "1:19 The type of Query.a(q:) must be Input Type but got: Query!."),
    (
      "type Query implements I { a: Int } scalar I",
      "1:23 Type Query must only implement Interface types, it cannot implement I."
    ),
    (
      "type Query { a: Int } interface I implements I { a: Int }",
      "1:46 Type I cannot implement itself because it would create a circular reference."
    ),
    (
      "interface A { a: Int } interface B implements A { a: Int } type Query implements B { a: Int }",
      "1:47, 1:82 Type Query must implement A because it is implemented by B."
    ),
    (
      "interface A { a: Int } type Query implements A { b: Int }",
      "1:15, 1:24 Interface field A.a expected but Query does not provide it."
    ),
    (
      "interface A { a: Int! } type Query implements A { a: Int }",
      "1:18, 1:54 Interface field A.a expects type Int! but Query.a is type Int."
    ),
    (
      "interface A { a(x: Int): Int } type Query implements A { a: Int }",
      "1:17, 1:58 Interface field argument A.a(x:) expected but Query.a does not provide it."
    ),
    (
      "interface A { a: Int } type Query implements A { a(x: Int!): Int }",
      "1:52, 1:15 Argument \"Query.a(x:)\" must not be required type \"Int!\" if not provided by the Interface field \"A.a\"."
    ),
    (
      "type Query { u: U } union U = Query | Int",
      "1:39 Union type U can only include Object types, it cannot include Int."
    ),
    ("type Query { u: U } union U = Query | Query", "1:31, 1:39 Union type U can only include type Query once."),
    (
      "type Query { a(x: Int! @deprecated): Int }",
      "1:24, 1:19 Required argument Query.a(x:) cannot be deprecated."
    ),
    (
      "type Query { a(x: [Int!] = [1, null]): Int }",
      "1:32 Query.a(x:) has invalid default value at [1]: Expected value of non-null type \"Int!\" not to be null."
    ),
    ("type Query { a(i: I): Int } input I @oneOf { a: Int! }", "1:49 OneOf input field I.a must be nullable."),
    (
      "type Query { a(i: I): Int } input I @oneOf { a: Int = 1 }",
      "1:46 OneOf input field I.a cannot have a default value."
    ),
    (
      "type Query { a(i: A): Int } input A { b: B! } input B { a: A! }",
      "1:39, 1:57 Input Object A cannot be provided a finite value because it references itself through fields: A.b, B.a."
    ),
    (
      "type Query { a(i: A): Int } input A { b: B = {} } input B { a: A = {} }",
      "1:46, 1:68 Invalid circular reference. The default value of Input Object field A.b references itself via the default values of: B.a."
    ),
    (
      "type Query { a: \(String(repeating: "[", count: 16))Int\(String(repeating: "]", count: 16)) }",
      "1:17 Lists nest deeper than 15 levels."
    ),
  ])
  func `an invalid schema is reported with its location`(sdl: String, expected: String) {
    #expect(faults(sdl).map { $0.trimmingPrefix(" ") } == [Substring(expected)])
  }

  @Test func `several documents form one schema`() {
    let schema = Schema.load(sdl: [
      Document(parsing: "type Query { a: A }", name: "a.graphql"),
      Document(parsing: "type A { b: Int }\n\nextend type Query { a: Int, c: Gone }", name: "b.graphql"),
    ])
    let errors = Validator.validate(schema: schema)
    #expect(errors.map(\.sources) == [["a.graphql", "b.graphql"], ["b.graphql"]])
    #expect(
      errors.map(\.description) == [
        "1:14, 3:21 Field \"Query.a\" can only be defined once.", "3:32 Unknown type \"Gone\".",
      ])
  }

  @Test func `long chains of input objects cause no stack overflow`() {
    let needed = (0..<10_000).map { "input I\($0) { next: I\(($0 + 1) % 10_000)! }" }
    let found = Validator.validate(
      schema: Schema.load(sdl: "type Query { a(i: I0): Int } " + needed.joined(separator: " ")),
      rules: Validator.typeValidationRules)
    #expect(found.count == 1)
    #expect(found.first?.locations.count == 10_000)
  }

  @Test func `lints report unused types and directives`() {
    let schema = Schema.load(
      sdl: "type Query { a: A } type A { b: Int } type Lost { c: Int } directive @gone on OBJECT directive @q on QUERY")
    #expect(
      Validator.validate(schema: schema, rules: Validator.schemaLints).map(\.description) == [
        "1:39 The type \"Lost\" is never used.", "1:60 The directive \"@gone\" is never used.",
      ])
  }
}

@Suite struct SeveralDocumentsTests {
  private func errors(_ texts: String..., rules: [any ValidationRule.Type] = Validator.specifiedRules) -> [String] {
    let documents = texts.enumerated().map { Document(parsing: $1, name: "\($0 + 1)") }
    return Validator.validate(documents, schema: world, rules: rules).map {
      "\($0.sources.joined(separator: "+")) \($0)"
    }
  }

  @Test func `documents share fragments`() {
    #expect(errors("{ animal { ...F } }", "fragment F on Animal { id }") == [])
    #expect(errors("{ animal { ...F } }", "fragment F on Animal { idd }").count == 1)
  }

  @Test func `names must be unique in all documents`() {
    #expect(
      errors("query A { __typename }", "query A { __typename }")
        == ["1+2 1:7, 1:7 There can be only one operation named \"A\"."])
  }

  @Test func `rules about one document apply to each document`() {
    #expect(errors("{ __typename }", "{ __typename }") == [])
    #expect(
      errors("{ animal { ... @defer(label: \"a\") { id } } }", "{ animal { ... @defer(label: \"a\") { id } } }") == [])
  }

  @Test func `lints report deprecated elements and missing labels`() {
    let schema = Schema.load(
      sdl: """
        type Query { old(a: Int @deprecated(reason: "No a."), e: E, i: I): Int @deprecated(reason: "Use new.") }
        enum E { A @deprecated } input I { x: Int @deprecated }
        """)
    let document = Document(parsing: "{ old(a: 1, e: A, i: { x: 1 }) ... @defer { old } }")
    #expect(
      Validator.validate(document, schema: schema, rules: Validator.lints).map(\.description) == [
        "1:3 The field Query.old is deprecated. Use new.",
        "1:7 Field \"Query.old\" argument \"a\" is deprecated. No a.",
        "1:16 The enum value \"E.A\" is deprecated. No longer supported",
        "1:24 The input field I.x is deprecated. No longer supported",
        "1:36 The directive @defer has no label to identify its results.",
        "1:45 The field Query.old is deprecated. Use new.",
      ])
  }
}
