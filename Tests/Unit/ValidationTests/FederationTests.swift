import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import Testing

/// Returns the errors of a subgraph, without locations.
private func problems(_ sdl: String, dialects: DialectSelection = .automatic) -> [String] {
  let schema = Schema.load(sdl: [Document(parsing: sdl, name: "subgraph")], dialects: dialects)
  return Validator.validate(schema: schema).map(\.message)
}

/// Returns a subgraph with a link to Federation 2.3 and the usual imports.
private func linked(_ types: String, version: String = "v2.3", imports: String = "") -> String {
  let names = ["@key", "@requires", "@provides", "@external", "@shareable", "@override", imports]
  let list = names.filter { !$0.isEmpty }.map { "\"\($0)\"" }.joined(separator: ", ")
  return "extend schema @link(url: \"https://specs.apollo.dev/federation/\(version)\", import: [\(list)])\n\(types)"
}

@Suite struct FederationTests {
  @Test(arguments: [Subgraphs.products, Subgraphs.reviews, Subgraphs.shipping, Subgraphs.accounts, Subgraphs.stocks])
  func `subgraphs are valid without configuration`(_ sdl: String) {
    #expect(problems(sdl) == [])
  }

  @Test func `a subgraph without a link has version 1`() throws {
    let schema = Schema.load(sdl: Subgraphs.accounts)
    #expect(schema.federation?.isVersion2 == false)
    #expect(schema.dialects.map(\.description) == ["Apollo Federation (schema uses @key)"])
    #expect(problems("extend type Query { a: Int }") == ["Cannot extend type \"Query\" because it is not defined."])
  }

  @Test func `several subgraphs are validated separately`() {
    func problems(_ files: [(String, String)]) -> [String] {
      let schema = Schema.load(sdl: files.map { Document(parsing: $1, name: $0) })
      return Validator.validate(schema: schema).map { "\($0.sources.first ?? "") \($0)" }
    }
    let files = [
      ("products/schema.graphql", Subgraphs.products), ("reviews/schema.graphql", Subgraphs.reviews),
      ("shipping/schema.graphql", Subgraphs.shipping), ("reviews/more.graphql", "extend type Review { stars: Int }"),
    ]
    #expect(problems(files) == [])
    #expect(
      problems(files + [("reviews/bad.graphql", "\nextend type Review { stars: Inth }")]) == [
        "reviews/more.graphql 1:22, 2:22 Field \"Review.stars\" can only be defined once.",
        "reviews/bad.graphql 2:29 Unknown type \"Inth\". Did you mean \"Int\"?",
      ])
  }

  /// Each document with a link is a subgraph, and those of its folder belong to it. All documents of a single link are one.
  @Test(arguments: [
    ([("a/1", true), ("b/2", false), ("3", false)], [["a/1", "b/2", "3"]]),
    ([("a/1", true), ("b/2", true)], [["a/1"], ["b/2"]]),
    ([("a/1", true), ("a/2", false), ("b/3", true), ("c/4", false)], [["a/1", "a/2"], ["b/3"], ["c/4"]]),
    ([("a/1", true), ("a/2", true), ("a/3", false)], [["a/1"], ["a/2"], ["a/3"]]),
    ([("a/1", false), ("a/2", false)], [["a/1", "a/2"]]), ([("a/1", true)], [["a/1"]]),
  ])
  func `documents are grouped by the links of their folders`(files: [(String, Bool)], groups: [[String]]) {
    let schema = Schema.load(
      sdl: files.map { Document(parsing: $1 ? linked("type T { a: Int }") : "type T { a: Int }", name: $0) })
    #expect(schema.subgraphs.map { $0.map(\.source.name) } == groups)
  }

  @Test func `a selected dialect overrides detection`() {
    #expect(problems("extend type Query { a: Int }", dialects: DialectSelection([.federation])) == [])
    let off = DialectSelection(detects: false)
    #expect(
      problems("type Query { a: A } type A @key(fields: \"id\") { id: ID }", dialects: off) == [
        "Unknown directive \"@key\"."
      ])
  }

  @Test func `a @key directive of another tool does not enable federation`() {
    let amplify = "type Query { a: A } type A @key(name: \"byID\", fields: [\"id\"]) { id: ID }"
    #expect(problems(amplify) == ["Unknown directive \"@key\"."])
    #expect(Schema.load(sdl: amplify).dialects == [])
  }

  @Test func `operations can select entities`() {
    let schema = Schema.load(sdl: Subgraphs.reviews)
    let query = """
      query Entities($all: [_Any!]!) {
        _service { sdl }
        _entities(representations: $all) { __typename ... on Product { reviews { body } } ... on User { name } }
      }
      """
    #expect(Validator.validate(Document(parsing: query), schema: schema) == [])
    let plain = Schema.load(sdl: "type Query { a: Int }")
    #expect(Validator.validate(Document(parsing: "{ _service { sdl } }"), schema: plain).count == 1)
  }

  @Test(arguments: [
    "type Query { a: Int }", "schema { query: Root } type Root { a: Int }",
    "schema { mutation: Write query: Root } type Root { a: Int } type Write { b: Int }",
    "schema { mutation: Write } extend schema { query: Root } type Root { a: Int } type Write { b: Int }",
    // No root is named, or its type is missing: the router's root has the usual name.
    "schema { mutation: Write } type Query { a: Int } type Write { b: Int }", "schema { query: } type Query { a: Int }",
    "type Write { b: Int }",
  ])
  func `the query root of a subgraph has the fields of federation`(_ sdl: String) {
    let schema = Schema.load(sdl: linked(sdl))
    let root = sdl.contains("query: Root") ? "Root" : "Query"
    #expect(schema.type(named: root)?.field(named: "_service") != nil)
    #expect(schema.type(named: "Write")?.field(named: "_service") == nil)
  }

  @Test func `the printed schema omits implied definitions of the dialect`() {
    let printed = Schema.load(sdl: Subgraphs.reviews).printSDL()
    #expect(!printed.contains("_entities") && !printed.contains("_Any") && !printed.contains("federation__"))
    #expect(Schema.load(sdl: Subgraphs.reviews).queryType?.fields.map(\.name) == ["topReviews"])
    #expect(!Schema.load(sdl: Subgraphs.stocks).printSDL().contains("_service"))
  }

  @Test(arguments: [
    // Names.
    (
      "extend schema @link(url: \"https://specs.apollo.dev/federation/v2.3\") type A @federation__key(fields: \"id\") { id: ID @federation__shareable }",
      [String]()
    ),
    (
      "extend schema @link(url: \"https://specs.apollo.dev/federation/v2.3\", as: \"fed\", import: [{ name: \"@key\", as: \"@primaryKey\" }]) type A @primaryKey(fields: \"id\") { id: ID @fed__shareable }",
      []
    ),
    (
      "extend schema @core(url: \"https://specs.apollo.dev/link/v1.0\", as: \"core\") @core(url: \"https://specs.apollo.dev/federation/v2.0\", import: [\"@key\", \"FieldSet\"]) type A @key(fields: \"id\") { id: ID }",
      []
    ),
    // An invalid name cannot inject SDL.
    (
      "extend schema @link(url: \"https://specs.apollo.dev/federation/v2.3\", as: \"x } type B {\", import: [{ name: \"@key\", as: \"@k on FIELD\" }]) type A @key(fields: \"id\") { id: ID }",
      []
    ),
    (linked("type A @key(fields: \"id\") { id: ID @shareabel }"), ["Unknown directive \"@shareabel\"."]),
    (
      linked("type A @key(fields: \"id\") @policy(policies: []) { id: ID }"),
      [
        "Unknown directive \"@policy\". Federation v2.3 has none: link https://specs.apollo.dev/federation/v2.6 or later."
      ]
    ),
    (
      linked("type A @key(fields: \"id\") @tag(name: \"x\") { id: ID }"),
      [
        "Unknown directive \"@tag\". Add \"@tag\" to the imports of the link to https://specs.apollo.dev/federation."
      ]
    ),
    (
      "type A @key(fields: \"id\") @shareable { id: ID }",
      [
        "Unknown directive \"@shareable\". It is part of Federation 2: link https://specs.apollo.dev/federation/v2.0 or later."
      ]
    ),
    // Imports.
    (
      linked("type A @key(fields: \"id\") { id: ID }", imports: "@kee"),
      ["\"@kee\" is not part of https://specs.apollo.dev/federation/v2.3. Did you mean \"@key\"?"]
    ),
    (
      linked("type A @key(fields: \"id\") { id: ID }", imports: "tag"),
      ["\"tag\" is not part of https://specs.apollo.dev/federation/v2.3. Did you mean \"@tag\"?"]
    ),
    (
      linked("type A @key(fields: \"id\") { id: ID }", imports: "@policy"),
      ["\"@policy\" is not part of https://specs.apollo.dev/federation/v2.3: v2.6 added it."]
    ),
    (
      linked("type A @key(fields: \"id\") { id: ID }", version: "v2.99", imports: "@cacheTag"),
      ["Federation v2.99 is unknown: link https://specs.apollo.dev/federation/v2.14 or an earlier version 2."]
    ),
    (
      linked("type A @key(fields: \"id\") { id: ID }", version: "v1.0"),
      ["Federation v1.0 is unknown: link https://specs.apollo.dev/federation/v2.14 or an earlier version 2."]
    ),
    (linked("type A @key(fields: \"id\") { id: ID }", version: "v2.14"), []),
    (
      linked("type A @key(fields: \"id\") { id: ID }", version: ""),
      ["The URL of the link to https://specs.apollo.dev/federation must end in a version, such as v2.3."]
    ),
    // Keys.
    (
      linked("type A @key(fields: \"idd\") { id: ID }"),
      ["@key of \"A\" selects the field \"idd\", which \"A\" does not have. Did you mean \"id\"?"]
    ),
    (
      linked("type A @key(fields: \"id {\") { id: ID }"),
      ["@key of \"A\" is not a list of fields: Expected Name, found \"}\"."]
    ),
    (
      linked("type A @key(fields: \"id } type B { id\") { id: ID }"),
      ["@key of \"A\" is not a list of fields: Expected \":\", found \"}\"."]
    ),
    (
      linked("type A @key(fields: \"\") { id: ID }"),
      ["@key of \"A\" is not a list of fields: Expected Name, found \"}\"."]
    ),
    (linked("type A @key(fields: [\"id\"]) { id: ID }"), ["The \"fields\" of @key must be a string."]),
    (
      linked(
        "type A @key(fields: \"tags b u c d(x: 1)\") { tags: [ID] b: B u: U c: C d(x: Int): Int } type B { id: ID } union U = B type C { id: ID }"
      ),
      [
        "@key of \"A\" selects \"A.b\" without fields of its type \"B\".",
        "@key of \"A\" selects \"A.u\", whose type is a union.",
        "@key of \"A\" selects \"A.u\" without fields of its type \"U\".",
        "@key of \"A\" selects \"A.c\" without fields of its type \"C\".",
        "@key of \"A\" selects \"A.d\", which has arguments.",
      ]
    ),
    (linked("type A @key(fields: \"b { id }\") { b: B } type B { id: ID }"), []),
    (
      linked("type A @key(fields: \"n { id }\") { n: N } type B implements N { id: ID } interface N { id: ID }"),
      ["@key of \"A\" selects \"A.n\", whose type is an interface."]
    ),
    // Federation 1 does not require external fields.
    (
      "type A @key(fields: \"id\") { id: ID size: Int cost: Int @requires(fields: \"size\") b: A @provides(fields: \"size\") }",
      []
    ),
    // An external type.
    (
      linked("type A @key(fields: \"id\") @external { id: ID name: String }"),
      [
        "\"A.name\" is marked as @external, but no @key, @requires or @provides uses it. Remove the field, or the directive."
      ]
    ),
    (
      linked("extend type A @external type A @key(fields: \"id\") { id: ID name: String }"),
      [
        "\"A.name\" is marked as @external, but no @key, @requires or @provides uses it. Remove the field, or the directive."
      ]
    ),
    (
      linked(
        "type A @key(fields: \"id\") { id: ID p: P @external c: Int @requires(fields: \"p { x }\") } type P @external { x: Int }"
      ),
      []
    ),
    ("type A @key(fields: \"id\") @external { id: ID name: String }", []),
    // Directives that composition merges.
    (
      linked(
        "type A @key(fields: \"id\") { id: ID x: Int @external @inaccessible @tag(name: \"t\") y: Int @requires(fields: \"x\") }",
        imports: "@inaccessible\", \"@tag"),
      [
        "\"A.x\" is external, so @inaccessible has no effect. Move it to a subgraph that resolves the field.",
        "\"A.x\" is external, so @tag has no effect. Move it to a subgraph that resolves the field.",
      ]
    ),
    ("type A @key(fields: \"id\") { id: ID @external @tag(name: \"t\") }", []),
    // Own definitions of federation's elements.
    (linked("directive @external on FIELD_DEFINITION type A @key(fields: \"id\") { id: ID @external }"), []),
    (linked("directive @extends on FIELD_DEFINITION type A @key(fields: \"id\") { id: ID }"), []),
    (
      linked("directive @key(fields: String!) repeatable on OBJECT type A @key(fields: \"id\") { id: ID }"), []
    ),
    (
      linked("directive @key(name: String) on OBJECT | FIELD type A @key(name: \"id\") { id: ID }"),
      [
        "The definition of \"@key\" differs from federation's: it has no argument \"fields\".",
        "The definition of \"@key\" differs from federation's: its locations are OBJECT, INTERFACE, not FIELD.",
        "The definition of \"@key\" differs from federation's: \"name\" is not one of its arguments.",
      ]
    ),
    (
      linked("directive @key(fields: [String!]!, resolvable: Boolean) repeatable on OBJECT type A { id: ID }"),
      [
        "The definition of \"@key\" differs from federation's: the default value of \"resolvable\" is missing, not true."
      ]
    ),
    (
      linked("scalar Own directive @key(fields: Own!) repeatable on OBJECT type A { id: ID }"),
      [
        "The definition of \"@key\" differs from federation's: the argument \"fields\" has the type \"Own!\", not \"federation__FieldSet!\"."
      ]
    ),
    (
      linked("directive @key(fields: String) repeatable on OBJECT type A { id: ID }"),
      [
        "The definition of \"@key\" differs from federation's: the argument \"fields\" has the type \"String\", not \"federation__FieldSet!\"."
      ]
    ),
    (
      linked("directive @external(reason: String!) on OBJECT type A { id: ID }"), []
    ),
    (
      linked("directive @external(reason: [String]) on OBJECT type A { id: ID }"),
      [
        "The definition of \"@external\" differs from federation's: the argument \"reason\" has the type \"[String]\", not \"String\"."
      ]
    ),
    (
      linked("directive @external repeatable on OBJECT type A { id: ID }"),
      ["The definition of \"@external\" differs from federation's: it is not repeatable."]
    ),
    ("directive @key(fields: String) on OBJECT type A @key(fields: \"id\") { id: ID }", []),
    (
      linked("type federation__FieldSet { a: Int } type A { id: ID }"),
      ["\"federation__FieldSet\" belongs to federation and is scalar, not object."]
    ),
    // Root types.
    (
      linked("extend schema { query: Root } type Root { a: Int } type Query { b: Int }"),
      ["The query root type is \"Root\", so no other type can be named \"Query\" in a subgraph."]
    ),
    (
      "schema { query: Query mutation: Write } type Query { a: A } type Write { b: Int } type Mutation { b: Int } type A @key(fields: \"id\") { id: ID }",
      ["The mutation root type is \"Write\", so no other type can be named \"Mutation\" in a subgraph."]
    ),
    (linked("extend schema { query: Root } type Root { a: Int }"), []),
    (
      linked("type A @key(fields: \"x: id ...F id @skip(if: true)\") { id: ID }"),
      [
        "@key of \"A\" has the alias \"x\", which a field set cannot have.",
        "@key of \"A\" spreads the fragment \"F\", which a field set cannot do.",
        "@key of \"A\" has a directive, which a field set cannot have.",
      ]
    ),
    // Required and provided fields.
    (
      linked("type A @key(fields: \"id\") { id: ID size: Int cost: Int @requires(fields: \"size\") }"),
      [
        "@requires of \"A.cost\" selects \"A.size\", which is not @external: this subgraph resolves it itself. Mark it as @external, or do not require it."
      ]
    ),
    (
      linked(
        "type A @key(fields: \"id\") { id: ID box: Box @external cost: Int @requires(fields: \"box { size }\") } type Box { size: Int @shareable }"
      ),
      []
    ),
    (
      linked(
        "type A @key(fields: \"id\") { id: ID size(in: Unit!): Int @external cost: Int @requires(fields: \"size\") } enum Unit { CM }"
      ),
      ["@requires of \"A.cost\" selects \"A.size\" without its argument \"in\"."]
    ),
    (
      linked("type Query { a: A @provides(fields: \"name\") } type A @key(fields: \"id\") { id: ID name: String }"),
      [
        "@provides of \"Query.a\" selects \"A.name\", which is not @external: this subgraph always provides it. Mark it as @external, or do not name it."
      ]
    ),
    (
      linked("type Query { a: Int @provides(fields: \"name\") }"),
      ["@provides of \"Query.a\" names fields, but the type \"Int\" has none."]
    ),
    // External fields.
    (
      linked("type A @key(fields: \"id\") { id: ID name: String @external }"),
      [
        "\"A.name\" is marked as @external, but no @key, @requires or @provides uses it. Remove the field, or the directive."
      ]
    ),
    (
      linked("interface N { name: String } type A implements N @key(fields: \"id\") { id: ID name: String @external }"),
      []
    ),
    (
      linked("interface N { name: String @external } type A implements N @key(fields: \"id\") { id: ID name: String }"),
      ["\"N.name\" is marked as @external, but a field of an interface cannot be external."]
    ),
    // Entities.
    (
      linked(
        "interface N @key(fields: \"id\") { id: ID } type A implements N { id: ID } type B implements N @key(fields: \"id\") { id: ID }"
      ),
      ["The interface \"N\" has the key \"id\", but its implementation \"A\" does not."]
    ),
    (
      linked(
        "interface N @key(fields: \"id\") { id: ID } type A implements N @key(fields: \"id\") { id: ID }",
        version: "v2.2"),
      ["The interface \"N\" cannot have a @key in federation v2.2: link v2.3 or later."]
    ),
    (
      linked("type A @interfaceObject { id: ID }", imports: "@interfaceObject"),
      ["@interfaceObject is for entities, but \"A\" has no @key."]
    ),
    // A key of another subgraph's type is resolved here, although it is external.
    (
      linked(
        "type Query { a: A @provides(fields: \"id\") } extend type A @key(fields: \"id\") { id: ID @external b: Int }"),
      [
        "@provides of \"Query.a\" selects \"A.id\", which is not @external: this subgraph always provides it. Mark it as @external, or do not name it."
      ]
    ),
    (
      linked(
        "type Query { a: A @provides(fields: \"id\") } type A @key(fields: \"id\") @extends { id: ID @external b: Int }",
        imports: "@extends"),
      [
        "@provides of \"Query.a\" selects \"A.id\", which is not @external: this subgraph always provides it. Mark it as @external, or do not name it."
      ]
    ),
    (
      linked("type Query { a: A @provides(fields: \"id\") } type A @key(fields: \"id\") { id: ID @external b: Int }"),
      []
    ),
    (
      linked(
        "extend type A @key(fields: \"id\") { id: ID @external size: Int @external cost: Int @requires(fields: \"size\") }"
      ),
      []
    ),
    // The query root may be empty, other types not.
    (linked("type Query type A @key(fields: \"id\") { id: ID }"), []),
    (linked("type Query type A"), ["Type A must define one or more fields."]),
    ("type Query type A { b: Int }", ["Type Query must define one or more fields."]),
    // Versions of links and of arguments.
    (
      linked("type A @key(fields: \"id\") { id: ID @override(from: \"b\", label: \"percent(1)\") }", version: "v2.6"),
      ["Unknown argument \"label\" on directive \"@override\"."]
    ),
    (
      linked("type A @key(fields: \"id\") { id: ID @override(from: \"b\", label: \"percent(1)\") }", version: "v2.7"),
      []
    ),
    (
      linked(
        "extend schema @link(url: \"https://specs.apollo.dev/federation/other\") type A @key(fields: \"id\") { id: ID }"
      ),
      ["The URL of the link to https://specs.apollo.dev/federation/other must end in a version, such as v2.3."]
    ),
    (
      linked("extend schema @link(url: \"https://birds.example/spec\") type A @key(fields: \"id\") { id: ID }"), []
    ),
    (
      linked("extend schema @link(url: \"https://specs.apollo.dev/link/v6.9\") type A @key(fields: \"id\") { id: ID }"),
      ["Version v6.9 of https://specs.apollo.dev/link is unknown: link https://specs.apollo.dev/link/v1.0."]
    ),
    // Access control, costs and sizes.
    (
      linked(
        "interface N @authenticated { id: ID @requiresScopes(scopes: [[\"a\"]]) } type A implements N @key(fields: \"id\") { id: ID @authenticated }",
        version: "v2.9", imports: "@authenticated\", \"@requiresScopes"),
      [
        "@authenticated cannot be used on \"N\": interfaces and their fields have no access control.",
        "@requiresScopes cannot be used on \"N.id\": interfaces and their fields have no access control.",
      ]
    ),
    (
      linked(
        "type A @key(fields: \"id\") @interfaceObject @policy(policies: [[\"a\"]]) { id: ID }", version: "v2.9",
        imports: "@interfaceObject\", \"@policy"),
      ["@policy cannot be used on \"A\": interfaces and their fields have no access control."]
    ),
    (
      linked(
        "interface N { id: ID @cost(weight: 1) } type A implements N @key(fields: \"id\") { id: ID @cost(weight: 1) }",
        version: "v2.9", imports: "@cost"),
      ["@cost cannot be used on \"N.id\": only fields of object types have costs."]
    ),
    (
      linked(
        "type Query { a(first: Int): [A!]! @listSize(assumedSize: 3, slicingArguments: [\"first\"]) b: B @listSize(sizedFields: [\"all\"]) } type A { id: ID } type B { all: [A] }",
        version: "v2.9", imports: "@listSize"), []
    ),
    (
      linked(
        "type Query { a(first: [Int], last: String): A @listSize(assumedSize: -1, slicingArguments: [\"first\", \"last\", \"gone\"]) b: B @listSize(sizedFields: [\"one\", \"gone\"]) c: Int @listSize(sizedFields: [\"x\"]) } type A { id: ID } type B { one: A }",
        version: "v2.9", imports: "@listSize"),
      [
        "@listSize cannot be used on \"Query.a\": its type \"A\" is not a list.",
        "The \"assumedSize\" of \"Query.a\" is negative.",
        "\"first\" is not an argument of \"Query.a\" with the type Int.",
        "\"last\" is not an argument of \"Query.a\" with the type Int.",
        "\"gone\" is not an argument of \"Query.a\" with the type Int.",
        "\"one\" is not a field of \"B\" with a list.",
        "\"gone\" is not a field of \"B\" with a list.",
        "\"x\" is not a field of \"Int\" with a list.",
      ]
    ),
    // Other directives.
    (
      linked("interface N { id: ID @shareable } type A implements N { id: ID @shareable }"),
      ["@shareable cannot be used on \"N.id\": only fields of object types can have it."]
    ),
    (
      linked("type A @key(fields: \"id\") { id: ID @external @override(from: \"b\") }"),
      ["\"A.id\" cannot have both @override and @external: an external field is resolved elsewhere."]
    ),
    (
      linked(
        "extend schema @composeDirective(name: \"@mine\") directive @mine on OBJECT type A { id: ID }",
        imports: "@composeDirective"),
      ["@composeDirective names \"@mine\", which no @link imports: link the specification that it belongs to."]
    ),
    (
      linked("extend schema @composeDirective(name: \"@mine\") type A { id: ID }", imports: "@composeDirective"),
      ["@composeDirective names \"@mine\", which this subgraph does not define."]
    ),
    (
      linked("extend schema @composeDirective(name: \"mine\") type A { id: ID }", imports: "@composeDirective"),
      ["The \"name\" of @composeDirective begins with \"@\", but is \"mine\"."]
    ),
  ])
  func `federation rules report invalid subgraphs`(_ sdl: String, _ expected: [String]) {
    #expect(problems(sdl) == expected)
  }

  /// The type of a key field, the error and the warning. Apollo's composition accepts all lists of objects and scalars, and
  /// refuses interfaces and unions.
  @Test(
    arguments: [
      ("ID", false, nil), ("ID!", false, nil), ("[ID!]!", false, nil), ("[[ID!]]!", false, nil), ("B", false, nil),
      ("[B!]!", false, nil), ("[ID]", false, "a list that can be null"), ("[[ID!]!]", false, "a list that can be null"),
      ("[B]", false, "a list that can be null"), ("N", true, nil), ("U", true, nil), ("N!", false, "an interface"),
      ("U!", false, "a union"), ("[N!]!", false, "an interface"), ("[U]", false, "a union"),
    ] as [(String, Bool, String?)])
  func `a key selects fields by their type`(type: String, isError: Bool, warning: String?) {
    let set = type.contains("ID") ? "x" : "x { __typename }"
    let sdl = linked(
      "type A @key(fields: \"\(set)\") { x: \(type) } union U = B type B implements N { id: ID } interface N { id: ID }"
    )
    #expect(problems(sdl).count == (isError ? 1 : 0))
    let warnings = Validator.warnings(schema: Schema.load(sdl: sdl)).map(\.message)
    #expect(warnings == (warning.map { ["@key of \"A\" selects \"A.x\", whose type is \($0)."] } ?? []))
  }

  @Test func `a type with extends is a mark of federation`() {
    #expect(problems("type Query @extends { a: A } type A @extends { id: ID @external }") == [])
    #expect(problems("type Query { a: A } type A { id: ID @external }") == ["Unknown directive \"@external\"."])
    let own = "directive @extends on OBJECT type Query @extends { a: Int }"
    #expect(Schema.load(sdl: own).dialects == [])
  }

  @Test func `deep and long field sets are limited`() {
    let deep = String(repeating: "a{", count: 100_000)
    #expect(
      problems(linked("type A @key(fields: \"\(deep)\") { a: A }")) == [
        "@key of \"A\" is not a list of fields: Document nests deeper than 500 levels. Parsing aborted."
      ])
    let long = String(repeating: "x ", count: 200_000)
    #expect(problems(linked("type A @key(fields: \"\(long)\") { a: A }")).count == 20)
  }
}
