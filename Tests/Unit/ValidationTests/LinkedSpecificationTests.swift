import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusGraphQLValidation
import ApusJSON
import Testing

private func load(_ sdl: String, _ dialects: DialectSelection = .automatic) -> Schema {
  Schema.load(sdl: [Document(parsing: sdl, name: "schema.graphqls")], dialects: dialects)
}

private func problems(_ sdl: String) -> [String] { Validator.validate(schema: load(sdl)).map(\.message) }

private func problems(_ query: String, in sdl: String) -> [String] {
  Validator.validate([Document(parsing: query, name: "q.graphql")], schema: load(sdl)).map(\.message)
}

private func link(_ specification: String, _ rest: String = "") -> String {
  "extend schema @link(url: \"https://specs.apollo.dev/\(specification)\"\(rest))\n"
}

private let types = "type Query { user: User } type User { id: ID name: String }\n"

@Suite struct LinkedSpecificationTests {
  @Test(arguments: [
    // Imported names, renamed names, names with a prefix, and a prefix that is renamed.
    (
      link("kotlin_labs/v0.3", ", import: [\"@typePolicy\"]") + "extend type User @typePolicy(keyFields: \"id\")",
      [String]()
    ),
    (
      link("kotlin_labs/v0.5", ", import: [{ name: \"@targetName\", as: \"@name\" }]")
        + "enum E @name(name: \"F\") { A }", []
    ),
    (link("kotlin_labs/v0.3") + "extend type User @kotlin_labs__typePolicy(keyFields: \"id\")", []),
    (link("kotlin_labs/v0.3", ", as: \"k\"") + "extend type User @k__typePolicy(keyFields: \"id\")", []),
    // A name that is not imported stays unknown, although the dialect has it elsewhere.
    (
      link("kotlin_labs/v0.3") + "extend type User @typePolicy(keyFields: \"id\")",
      ["Unknown directive \"@typePolicy\"."]
    ),
    (
      link("kotlin_labs/v0.3", ", import: [\"@optional\"]") + "extend type User @fieldPolicy(forField: \"a\")",
      ["Unknown directive \"@fieldPolicy\"."]
    ),
    // Without a link, the directives of Apollo Kotlin 3 are defined.
    ("extend type User @typePolicy(keyFields: \"id\") @fieldPolicy(forField: \"name\")", []),
    // Apollo Kotlin extends built-in scalars, and gives directives to values of an enum.
    (
      link("kotlin_labs/v0.5", ", import: [\"@map\", \"@mapTo\"]")
        + "extend scalar ID @mapTo(builtIn: Long) extend scalar String @map(to: \"kotlin.String\")", []
    ),
    (
      link("kotlin_labs/v0.5") + "extend scalar Idd @kotlin_labs__map(to: \"Long\")",
      ["Cannot extend type \"Idd\" because it is not defined."]
    ),
    (
      "extend scalar ID @specifiedBy(url: \"https://birds.example\")",
      ["Cannot extend type \"ID\" because it is not defined."]
    ),
    ("enum E { type } extend enum E { type @targetName(name: \"kind\") }", []),
    (
      "enum E { type } extend enum E { type other @targetName(name: \"kind\") }",
      ["Enum value \"E.type\" can only be defined once."]
    ),
    ("enum E { type type @targetName(name: \"kind\") }", ["Enum value \"E.type\" can only be defined once."]),
    // Versions.
    (
      link("kotlin_labs/v0.4", ", import: [\"@nonnull\"]"),
      ["\"@nonnull\" is no longer part of https://specs.apollo.dev/kotlin_labs/v0.4."]
    ),
    (
      link("kotlin_labs/v0.4", ", import: [\"@map\"]"),
      ["\"@map\" is not part of https://specs.apollo.dev/kotlin_labs/v0.4: v0.5 added it."]
    ),
    (
      link("nullability/v0.4", ", import: [\"@semanticNonNullFeild\"]"),
      [
        "\"@semanticNonNullFeild\" is not part of https://specs.apollo.dev/nullability/v0.4. Did you mean \"@semanticNonNullField\" or \"@semanticNonNull\"?"
      ]
    ),
    (
      link(
        "nullability/v0.4",
        ", import: [\"@semanticNonNull\", \"@semanticNonNullField\", \"@catchByDefault\", \"CatchTo\"]")
        + "extend schema @catchByDefault(to: NULL) extend type User @semanticNonNullField(name: \"name\") { a: Int @semanticNonNull(levels: [0]) }",
      []
    ),
    (link("cache/v0.3", ", import: [\"@connection\"]") + "extend type User @connection", []),
    (link("cache/v0.1", ", import: [\"@cacheControl\"]") + "extend type User @cacheControl(maxAge: 10)", []),
    // Several specifications.
    (
      link("kotlin_labs/v0.3") + link("cache/v0.3", ", import: [\"@connection\", \"@typePolicy\"]")
        + "extend type User @typePolicy(keyFields: \"id\") @connection", []
    ),
    // Other specifications accept imported names, names with the prefix, and their own.
    (
      "extend schema @link(url: \"https://example.com/money/v1.0\", import: [\"@currency\", \"Money\"]) extend type User { m: Money @currency(code: \"EUR\") n: money__Rate @money__round @money }",
      []
    ),
    (
      "extend schema @link(url: \"https://example.com/money/v1.0\", import: [\"@currency\"]) extend type User { m: Int @curency n: Mony }",
      ["Unknown directive \"@curency\".", "Unknown type \"Mony\"."]
    ),
    ("extend schema @link(url: \"https://specs.apollo.dev/unknown/v0.1\")", []),
    // `@link` without a specification is not defined.
    ("extend type User @link(to: \"x\")", ["Unknown directive \"@link\"."]),
  ])
  func `a link defines the imported names`(_ additions: String, _ expected: [String]) {
    #expect(problems(types + additions) == expected)
  }

  /// The first version with an element and the first without it, from the change logs of the specifications.
  @Test(arguments: [
    ("federation", 2, "@key", 0, 99), ("federation", 2, "@composeDirective", 1, 99),
    ("federation", 2, "@interfaceObject", 3, 99), ("federation", 2, "@authenticated", 5, 99),
    ("federation", 2, "@requiresScopes", 5, 99), ("federation", 2, "@policy", 6, 99),
    ("federation", 2, "@context", 8, 99), ("federation", 2, "@fromContext", 8, 99), ("federation", 2, "@cost", 9, 99),
    ("federation", 2, "@listSize", 9, 99), ("federation", 2, "@cacheTag", 12, 99),
    ("kotlin_labs", 0, "@optional", 1, 99), ("kotlin_labs", 0, "@nonnull", 1, 4),
    ("kotlin_labs", 0, "@typePolicy", 1, 7), ("kotlin_labs", 0, "@targetName", 1, 99),
    ("kotlin_labs", 0, "@map", 5, 99), ("kotlin_labs", 0, "@generateDataBuilders", 6, 99),
    ("nullability", 0, "@catchField", 3, 4), ("nullability", 0, "@catchByDefault", 4, 99),
    ("nullability", 0, "@ignoreErrors", 1, 4), ("cache", 0, "@cacheControl", 1, 99),
  ])
  func `an element is part of the versions from its first to its last`(
    specification: String, major: Int, name: String, first: Int, end: Int
  ) throws {
    let found = try #require(
      LinkedSpecification.all.first { $0.identity == "https://specs.apollo.dev/\(specification)" })
    for minor in 0...20 {
      #expect(
        found.has(name, in: LinkedSpecification.Version(major, minor)) == (first <= minor && minor < end), "\(minor)")
    }
    #expect(found.has(name, in: nil) == (end == 99))
  }

  @Test func `a link to a specification of a client selects its dialect`() {
    let schema = load(types + link("nullability/v0.4", ", import: [\"@catch\", \"CatchTo\"]"))
    #expect(
      schema.dialects.map(\.description) == ["Apollo Client (the schema links https://specs.apollo.dev/nullability)"])
    #expect(load(types + link("other/v1.0")).dialects == [])
    #expect(!schema.printSDL().contains("CatchTo"))
  }

  @Test(arguments: [
    (", import: [\"@catch\", \"CatchTo\"]", "{ user { name @catch(to: NULL) } }", [String]()),
    (", import: [\"@catch\"]", "query @nullability__catchByDefault(to: THROW) { user { name @catch } }", []),
    (", import: [{ name: \"@catch\", as: \"@rescue\" }]", "{ user { name @rescue } }", []),
    (", import: [\"@semanticNonNull\"]", "{ user { name @catch } }", ["Unknown directive \"@catch\"."]),
    ("", "{ user { name @client } }", []),
  ])
  func `documents know the directives that the schema links`(_ imports: String, _ query: String, _ expected: [String]) {
    #expect(problems(query, in: types + link("nullability/v0.4", imports)) == expected)
  }

  @Test func `composite schemas have a dialect of their own`() {
    let sdl = """
      type Query { productById(id: ID! @is(field: "id")): Product @lookup @internal }
      type Product @key(fields: "id") {
        id: ID!
        price: Float @shareable
        delivery(weight: Float @require(field: "dimension.weight")): Int @override(from: "Shipping")
      }
      """
    #expect(problems(sdl) == [])
    #expect(load(sdl).dialects.map(\.dialect) == [.composite])
    #expect(
      problems("type Query { a(id: ID @is(field: \"id\")): Int @lookp }") == ["Unknown directive \"@lookp\"."])
  }

  @Test func `schemas for AppSync and Amplify are valid`() {
    let api = """
      type Query { post(id: ID!): Post @aws_api_key @aws_cognito_user_pools(cognito_groups: ["Editors"]) }
      type Post @aws_iam { id: ID! at: AWSDateTime mail: AWSEmail data: AWSJSON }
      type Subscription { added: Post @aws_subscribe(mutations: ["addPost"]) }
      """
    #expect(problems(api) == [])
    let models = """
      type Blog @model @auth(rules: [{ allow: owner }, { allow: groups, groups: ["Admin"], operations: [read] }]) {
        id: ID! @primaryKey(sortKeyFields: ["createdAt"])
        createdAt: AWSDateTime!
        posts: [Post] @hasMany(indexName: "byBlog", fields: ["id"])
      }
      type Post @model(queries: { get: "post" }, subscriptions: null) @searchable {
        id: ID! blogID: ID! @index(name: "byBlog") title: String @default(value: "x") blog: Blog @belongsTo
      }
      """
    #expect(problems(models) == [])
    #expect(load(models).dialects.map(\.dialect) == [.appSync])
    #expect(problems("type A @model { id: ID @indx }") == ["Unknown directive \"@indx\"."])
    // A schema's own definition says that the name belongs to it.
    let own = "directive @model(table: String) on OBJECT scalar AWSDate type Query @model(table: \"q\") { a: AWSDate }"
    #expect(problems(own) == [])
    #expect(load(own).dialects == [])
  }

  @Test func `documents for Houdini are valid`() {
    let schema =
      "type Query { birds(first: Int): [Bird] } type Bird { id: ID name(size: Int): String } type Mutation { add: Bird }"
    let documents = [
      "query All @cache(policy: CacheOrNetwork) @load { birds @list(name: \"All_Birds\") { ...F @with(size: 3) } }",
      "fragment F on Bird @arguments(size: { type: \"Int!\", default: 2 }) { name(size: $size) }",
      "mutation Add { add { ...All_Birds_insert @prepend @when(kind: \"new\") id @Bird_delete } }",
    ].map { Document(parsing: $0) }
    #expect(Validator.validate(documents, schema: load(schema)).map(\.message) == [])
    let wrong = Document(parsing: "{ birds @paginate { ...Unknown id @Brd_delete } }")
    #expect(
      Validator.validate([wrong], schema: load(schema)).map(\.message) == [
        "Unknown fragment \"Unknown\".", "Unknown directive \"@Brd_delete\".",
      ])
  }

  @Test func `Relay's internal directives are known`() {
    let query = "query Q @argumentsOf { user { name @__clientField(handle: \"h\", key: \"k\") id @static @__debug } }"
    let relay = DialectSelection([.relay])
    let document = Document(parsing: query.replacing(" @argumentsOf", with: ""))
    #expect(Validator.validate([document], schema: load(types, relay)).map(\.message) == [])
  }

  @Test func `unreadable default values of an introspection result are reported`() throws {
    let text = """
      {"__schema": {"queryType": {"name": "Q"}, "types": [
        {"kind": "OBJECT", "name": "Q", "fields": [{"name": "a", "type": {"kind": "SCALAR", "name": "Int"}, "args": [
          {"name": "x", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": "'x'"},
          {"name": "y", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": "5"},
          {"name": "z", "type": {"kind": "INPUT_OBJECT", "name": "I"}, "defaultValue": "{\\"b\\": 1}"}]}]},
        {"kind": "INPUT_OBJECT", "name": "I", "inputFields": [
          {"name": "b", "type": {"kind": "SCALAR", "name": "Int"}, "defaultValue": 7}]}]}}
      """
    let schema = try Schema.load(introspection: JSONDocument(parsing: text).root)
    #expect(
      Validator.validate(schema: schema).map(\.message) == [
        "The default value of Q.a(x:) in the introspection result is not a GraphQL literal. It counts as \"'x'\".",
        "The default value of Q.a(z:) in the introspection result is not a GraphQL literal. It counts as { b: 1 }.",
        "The default value of I.b in the introspection result is not a GraphQL literal. It counts as 7.",
      ])
  }
}
