import ApusGraphQLLanguage
import ApusGraphQLLanguageService
import ApusGraphQLSchema
import Testing

/// Positions in documents and schemas with all valid completions by the specification. The cursor is `^`; the expected
/// labels are in any order, without inner spaces.
struct CompletionPositionTests {
  static let schema = Schema.load(
    sdl: """
      directive @cached(seconds: Int = 60, scope: Scope!) on FIELD | FIELD_DEFINITION | OBJECT
      directive @tag(name: String!) repeatable on
        | SCHEMA | SCALAR | OBJECT | INTERFACE | UNION | ENUM | ENUM_VALUE | INPUT_OBJECT | INPUT_FIELD_DEFINITION
        | FIELD_DEFINITION | ARGUMENT_DEFINITION
      directive @log(at: [Scope!], span: Span) on
        QUERY | MUTATION | SUBSCRIPTION | FRAGMENT_DEFINITION | VARIABLE_DEFINITION | FRAGMENT_SPREAD
      enum Scope { PUBLIC PRIVATE }
      scalar Date
      interface Node { id: ID! }
      interface Named { name: String! }
      interface Place implements Node { id: ID! }
      type Bird implements Node & Named { id: ID! name: String! mate: Bird seen(on: Date, in: [Place_!], by: Scope): Int! }
      type Nest implements Node & Place { id: ID! eggs: Int }
      type Flight { from: String to: String }
      union Found = Bird | Nest
      union Alone = Flight
      enum Place_ { TREE ROCK }
      input Filter { name: String scopes: [Scope!]! span: Span! inner: Filter ringed: Boolean }
      input Span { least: Float most: Float = 1.5 }
      input Key @oneOf { id: ID name: String }
      type Query { bird(id: ID!): Bird birds(filter: Filter, first: Int = 10, scope: Scope): [Bird!]! by(key: Key!): Bird
        node(id: ID!): Node found: [Found!] grid(rows: [[Scope!]!], on: Boolean): Int }
      type Mutation { rename(id: ID!, to: String!): Bird }
      type Subscription { hatched(nest: ID!): Bird }
      """)

  /// The labels of a group in the expectations.
  private static let groups: [String: String] = [
    "SCALARS": "Date Int Float String Boolean ID",
    "OUTPUT": "SCALARS Scope Place_ Node Named Place OBJECTS Found Alone",
    "INPUT": "SCALARS Scope Place_ Filter Span Key",
    "OBJECTS": "Bird Nest Flight Query Mutation Subscription",
    "COMPOSITE": "Node Named Place OBJECTS Found Alone",
    "BIRD": "id name mate seen __typename",
    "ROOT": "bird birds by node found grid __typename",
    "EXECUTABLE": "query mutation subscription fragment",
    "TYPES": "type interface union enum input scalar directive schema",
    "SDL": "TYPES extend",
    "ANY_SCOPE": "PUBLIC PRIVATE",
    "LOCATIONS": "FIELD OTHER_LOCATIONS",
    "OTHER_LOCATIONS": """
    QUERY MUTATION SUBSCRIPTION FRAGMENT_DEFINITION FRAGMENT_SPREAD INLINE_FRAGMENT VARIABLE_DEFINITION \
    SCHEMA SCALAR OBJECT FIELD_DEFINITION ARGUMENT_DEFINITION INTERFACE UNION ENUM ENUM_VALUE INPUT_OBJECT \
    INPUT_FIELD_DEFINITION DIRECTIVE_DEFINITION
    """,
  ]

  private static func expanded(_ words: String) -> [String] {
    words.split(separator: " ").flatMap { word in groups[String(word)].map(expanded) ?? [String(word)] }
  }

  /// Compares the labels that begin with the word before the cursor.
  private func check(_ marked: String, _ expected: String, schema: Schema? = schema) {
    let parts = marked.split(separator: "^", omittingEmptySubsequences: false)
    let service = LanguageService(document: Document(parsing: parts.joined()), schema: schema)
    let typed = String(String(parts[0].reversed().prefix { $0.isLetter || $0 == "_" }).reversed())
    let labels = service.complete(at: parts[0].utf8.count).map { $0.label.filter { $0 != " " } }.filter { label in
      let name = label.hasPrefix("...on") ? label.dropFirst(5) : label.drop { $0 == "@" || $0 == "$" }
      return name.hasPrefix(typed)
    }
    #expect(labels.sorted() == Self.expanded(expected).sorted(), "\(marked)")
  }

  @Test(arguments: [
    // Definitions.
    ("^", "EXECUTABLE SDL"), ("{ found { __typename } } ^", "EXECUTABLE"),
    ("{ found { __typename } }\n# note\n^", "EXECUTABLE"),
    ("query A { grid }\n\nmut^", "mutation"), ("\"A query.\" qu^", "query"), ("query ^", ""), ("query A^", ""),
    ("fragment ^", ""), ("fragment F ^", "on"), ("fragment F o^", "on"), ("fragment F on ^", "COMPOSITE"),
    ("fragment F on Bird ^", ""), ("fragment F on Bir^", "Bird"), ("fragment F($a: Int) ^", "on"),
    ("ty^", "type"), ("exte^", "extend"),
    // Selections.
    ("{ ^ }", "ROOT"), ("{ ^", "ROOT"), ("query { ^ }", "ROOT"), ("mutation { ^ }", "rename __typename"),
    ("subscription S { ^ }", "hatched __typename"), ("subscription S($n: ID!) @log { ^ }", "hatched __typename"),
    ("{ bird(id: 1) { ^ } }", "BIRD"), ("{ bird(id: 1) { ^ }", "BIRD"), ("{ b: bird(id: 1) { ^ } }", "BIRD"),
    ("{ b: ^ }", "ROOT"), ("{ bird(id: 1) { m: ^ } }", "BIRD"), ("{ bird(id: 1) { id, ^ } }", "BIRD"),
    ("{ bird(id: 1) { id ^ name } }", "BIRD"), ("{ bird(id: 1) { mate { id } ^ } }", "BIRD"),
    ("{ bird(id: 1) { seen(by: PUBLIC) ^ } }", "BIRD"), ("{ bird(id: 1) { id @skip(if: true) ^ } }", "BIRD"),
    ("{ bird(id: 1) { ...F ^ } } fragment F on Bird { id }", "BIRD"),
    ("{ bird(id: 1) { ... @defer { ^ } } }", "BIRD"), ("{ bird(id: 1) { ... on Node { ^ } } }", "id __typename"),
    ("{ bird(id: 1) { mate { mate { ^ } } } }", "BIRD"), ("{ node(id: 1) { ^ } }", "id __typename"),
    ("{ found { ^ } }", "__typename ...onBird ...onNest"), ("{ found { B^ } }", "...onBird"),
    ("{ found { ... on Nest { ^ } } }", "id eggs __typename"), ("fragment F on Flight { ^ }", "from to __typename"),
    ("fragment F on Found { ^ }", "__typename ...onBird ...onNest"), ("{ bird(id: 1) { } ^ }", "ROOT"),
    ("{ grid { ^ } }", ""), ("{ nowhere { ^ } }", ""), ("{ __sch^ }", "__schema"),
    ("{ __type(^) { name } }", "name"), ("{ __schema { queryType { ofT^ } } }", "ofType"),
    // Spreads and type conditions.
    ("{ found { ...^ } }", "on onBird onNest onNode onNamed onPlace"),
    ("{ found { ... on ^ } }", "Bird Nest Node Named Place"),
    ("{ found { ... on ^ { id } } }", "Bird Nest Node Named Place"), ("{ found { ... on Ne^ { id } } }", "Nest"),
    ("{ bird(id: 1) { ... on ^ } }", "Bird Node Named Found"),
    ("{ node(id: 1) { ... on ^ } }", "Bird Nest Node Named Place Found"),
    ("{ found { ...B^ } } fragment Birds on Bird { id } fragment Flights on Flight { to }", "Birds"),
    ("{ found { ...F^ } } fragment F on Found { ...F } fragment Far on Flight { to }", "F"),
    (
      "{ bird(id: 1) { ...^ } } fragment F on Bird { id } fragment G on Nest { id }",
      "F on onBird onNode onNamed onFound"
    ),
    ("fragment F on Bird { ...^ } fragment G on Bird { id }", "G on onBird onNode onNamed onFound"),
    // Arguments.
    ("{ bird(^) { id } }", "id"), ("{ birds(^) { id } }", "filter first scope"),
    ("{ birds(^ { id } }", "filter first scope"),
    ("{ birds(first: 1, ^) { id } }", "filter scope"), ("{ birds(first: 1 ^) { id } }", "filter scope"),
    ("{ birds(sc^) { id } }", "scope"), ("{ birds(first: 1, sc^: PUBLIC) { id } }", "scope"),
    ("{ grid(^) }", "rows on"),
    ("{ bird(id: 1) { seen(^) } }", "on in by"), ("mutation { rename(^) { id } }", "id to"),
    ("{ birds(filter: { name: \"a\" }, ^) { id } }", "first scope"), ("{ nowhere(^) }", ""),
    ("{ found(^) { id } }", ""),
    ("{ bird(id: 1) @include(^) { id } }", "if"), ("{ bird(id: 1) @cached(^) { id } }", "seconds scope"),
    ("query @log(^) { grid }", "at span"), ("{ bird(id: 1) { ... @defer(^) { id } } }", "if label"),
    ("{ bird(id: 1) { ...F(^) } } fragment F($size: Int, $in: Scope) on Bird { id }", "size in"),
    // Values.
    ("{ birds(scope: ^) { id } }", "ANY_SCOPE null"), ("{ birds(scope: P^) { id } }", "ANY_SCOPE"),
    ("{ birds(scope: PRIV^ATE) { id } }", "PRIVATE"), ("{ grid(on: ^) }", "true false null"),
    ("{ grid(on: t^) }", "true"),
    ("{ birds(first: ^) { id } }", "null"), ("{ bird(id: ^) { id } }", ""), ("{ birds(filter: ^) { id } }", "{} null"),
    ("{ birds(filter: { ^ }) { id } }", "name scopes span inner ringed"),
    ("{ birds(filter: {^", "name scopes span inner ringed"),
    ("{ birds(filter: { name: \"x\", ^ }) { id } }", "scopes span inner ringed"),
    ("{ birds(filter: { scopes: ^ }) { id } }", "[] ANY_SCOPE"),
    ("{ birds(filter: { scopes: [^ }) { id } }", "ANY_SCOPE"),
    ("{ birds(filter: { scopes: [PUBLIC, ^] }) { id } }", "ANY_SCOPE"), ("{ birds(filter: { span: ^ }) { id } }", "{}"),
    ("{ birds(filter: { span: { ^ } }) { id } }", "least most"),
    ("{ birds(filter: { inner: { span: { m^ } } }) { id } }", "most"),
    ("{ birds(filter: { span: { least: 1 }, r^ }) { id } }", "ringed"),
    ("{ birds(filter: { ringed: ^, name: \"\" }) { id } }", "true false null"),
    ("{ by(key: { ^ }) { id } }", "id name"), ("{ by(key: { id: 1, ^ }) { id } }", ""),
    ("{ grid(rows: ^) }", "[] ANY_SCOPE null"),
    ("{ grid(rows: [^]) }", "[] ANY_SCOPE"), ("{ grid(rows: [[^]]) }", "ANY_SCOPE"),
    ("{ grid(rows: [[PUBLIC], [^]]) }", "ANY_SCOPE"),
    ("{ bird(id: 1) { seen(in: [^]) } }", "TREE ROCK"), ("{ bird(id: 1) @skip(if: ^) { id } }", "true false"),
    ("{ bird(id: 1) @cached(scope: ^) { id } }", "ANY_SCOPE"), ("query @log(at: [^]) { grid }", "ANY_SCOPE"),
    ("query @log(span: { ^ }) { grid }", "least most"), ("{ bird(id: \"^\") { id } }", ""),
    ("{ birds(first: 1^) { id } }", ""),
    ("{ bird(id: 1) { ...F(in: ^) } } fragment F($in: Scope) on Bird { id }", "ANY_SCOPE null"),
    // Variables.
    ("query (^) { grid }", ""), ("query ($^) { grid }", ""), ("query ($a^) { grid }", ""),
    ("query ($a: ^) { grid }", "INPUT"),
    ("query ($a: ^", "INPUT"), ("query ($a: [^]) { grid }", "INPUT"), ("query ($a: [[F^", "Filter Float"),
    ("query ($a: Int, $b: Fil^) { grid }", "Filter"),
    ("query ($a: Scope = ^) { grid }", "ANY_SCOPE null"), ("query ($a: Scope! = ^) { grid }", "ANY_SCOPE"),
    ("query ($a: [Scope!] = ^) { grid }", "[] ANY_SCOPE null"), ("query ($a: [Scope!] = [^]) { grid }", "ANY_SCOPE"),
    ("query ($a: [Scope] = [PUBLIC, ^]) { grid }", "ANY_SCOPE null"),
    ("query ($a: [[Scope!]!]! = [[^]]) { grid }", "ANY_SCOPE"),
    ("query ($a: [Filter!] = [{ ^ }]) { grid }", "name scopes span inner ringed"),
    ("query ($a: Boolean = ^) { grid }", "true false null"),
    ("query ($a: Filter = { scopes: [^] }) { grid }", "ANY_SCOPE"), ("query ($a: Filter = { name: $^", ""),
    ("query ($a: Int = 1, $b: ^) { grid }", "INPUT"),
    ("query ($a: Int @^) { grid }", "@log"), ("query ($a: Int = 1 @^) { grid }", "@log"),
    ("query ($a: Int @log(at: ^)) { grid }", "[] ANY_SCOPE null"),
    ("query ($a: Int @log, $b: ^) { grid }", "INPUT"),
    ("fragment F($a: [Scope] = [^]) on Bird { id }", "ANY_SCOPE null"),
    ("query ($s: Scope, $n: Int) { birds(scope: $^) { id } }", "$s"),
    ("query ($s: Scope, $n: Int) { birds(scope: ^) { id } }", "$s ANY_SCOPE null"),
    ("fragment F($s: Scope, $n: Int) on Query { birds(scope: $^) { id } }", "$s"),
    ("query ($s: Scope!) { grid(rows: [[^]]) }", "$s ANY_SCOPE"), ("query ($s: Scope!) { grid(rows: [[$^]]) }", "$s"),
    ("query ($b: Boolean!) { grid @skip(if: $^) }", "$b"), ("query ($b: Boolean!) @log(span: $^) { grid }", ""),
    // Directives by location.
    ("query @^ { grid }", "@log"), ("query A($a: Int) @^", "@log"), ("mutation @^ { rename }", "@log"),
    ("subscription @^ { hatched }", "@log"),
    ("{ grid @^ }", "@cached @include @skip"), ("{ found @^ { __typename } }", "@cached @include @skip @stream"),
    ("{ grid @skip(if: true) @^ }", "@cached @include @skip"),
    ("{ found { ...F @^ } }", "@log @include @skip @defer"), ("{ found { ... @^ } }", "@include @skip @defer"),
    ("{ found { ... on Bird @^ } }", "@include @skip @defer"), ("fragment F on Bird @^ { id }", "@log"),
    ("{ grid @ca^ }", "@cached"), ("{ @^ }", ""),
    // Invalid text before and after the cursor.
    ("{ bird(id: ) { ^ } }", "BIRD"), ("{ birds(first: 1 { ^ } }", "BIRD"),
    ("{ birds(filter: { name: ) { ^ } }", "BIRD"),
    ("{ bird(id: 1) { ^ ", "BIRD"), ("{ bird(id: 1) { ^ } } }}} ) fragment", "BIRD"),
    ("query A { grid \n\nquery B { ^ }", "ROOT"),
    ("{ ) ^ }", "ROOT"), ("{ birds(scope: ^", "ANY_SCOPE null"), ("{ birds(scope: ^ { id", "ANY_SCOPE null"),
    ("{ found { ... on ^ \n grid", "Bird Nest Node Named Place"), ("{ bird(id: 1) { mate { ^ \n id", "BIRD"),
    ("query ($a: Int { ^ }", "ROOT"), ("{ bird(id: 1) { id @include( } ^ }", "ROOT"),
  ])
  func `completion in documents offers exactly the valid labels`(_ marked: String, _ expected: String) {
    check(marked, expected)
  }

  @Test(arguments: [
    // Definitions and keywords.
    ("type A { b: Int }\n^", "SDL"), ("scalar A\n\n^", "SDL"), ("scalar A ^", "SDL"), ("type A { b: Int } ty^", "type"),
    ("enum E { A }\n\"Text.\"\n^", "TYPES"),
    ("\"\"\"Text.\"\"\"\n^", "query mutation subscription fragment TYPES"),
    ("enum E { A }\n\"\"\"Text.\"\"\" in^", "interface input"),
    ("union U = Bird\n^", "| SDL"), ("directive @a on FIELD\n^", "| SDL"), ("type A implements Node\n^", "& SDL"),
    ("type A\n^", "implements SDL"),
    ("extend ^", "TYPES"), ("type A { b: Int } extend ^", "TYPES"), ("extend in^", "interface input"),
    ("type ^", ""), ("enum ^", ""),
    ("type A ^", "implements"), ("type A impl^", "implements"), ("type A impl^ { id: ID }", "implements"),
    ("interface A ^", "implements"),
    ("extend type Flight ^", "implements"), ("type A implements Node ^", "&"), ("union U = Bird ^", "|"),
    ("directive @a ^", "on repeatable"),
    ("directive @a r^", "repeatable"), ("directive @a(b: Int) ^", "on repeatable"),
    ("directive @a repeatable ^", "on"),
    ("directive @^", ""), ("directive ^", ""),
    // Implements and unions.
    ("type A implements ^", "Node Named Place"), ("type A implements ^ { id: ID }", "Node Named Place"),
    ("type A implements & ^", "Node Named Place"),
    ("type A implements Node & ^", "Named Place"), ("type A implements Node & N^ { id: ID! }", "Named"),
    ("type A implements ^ & Named { id: ID! }", "Node Place"),
    ("interface A implements ^", "Node Named Place"), ("interface Named implements ^", "Node Place"),
    ("interface Node implements ^", "Named"),
    ("extend type Flight implements ^", "Node Named Place"), ("extend type Bird implements ^", "Place"),
    ("extend interface Named implements ^", "Node Place"),
    ("union U = ^", "OBJECTS"), ("union U = | ^", "OBJECTS"),
    ("union U = Bird | ^", "Nest Flight Query Mutation Subscription"),
    ("union U @tag(name: \"x\") = ^", "OBJECTS"), ("extend union Found = ^", "Flight Query Mutation Subscription"),
    ("union U = N^", "Nest"),
    // Extended types.
    ("extend type ^", "OBJECTS"), ("extend type B^", "Bird"), ("extend interface ^", "Node Named Place"),
    ("extend union ^", "Found Alone"),
    ("extend enum ^", "Scope Place_"), ("extend input ^", "Filter Span Key"), ("extend scalar ^", "SCALARS"),
    // Types of fields, arguments and input fields.
    ("type A { b: ^ }", "OUTPUT"), ("type A { b: [^ }", "OUTPUT"), ("type A { b: [[^]] }", "OUTPUT"),
    ("type A {\n  b: ^\n  c: Int\n}", "OUTPUT"),
    ("type A { b: Int c: ^ }", "OUTPUT"), ("type A { b: Bi^ }", "Bird"),
    ("interface A { b: ^ }", "OUTPUT"), ("extend type Bird { b: ^ }", "OUTPUT"),
    ("extend interface Node { b: ^", "OUTPUT"), ("type A { \"Text.\" b: ^ }", "OUTPUT"),
    ("type A { b(c: ^): Int }", "INPUT"), ("type A { b(c: [^): Int }", "INPUT"),
    ("type A { b(c: Int, d: ^): Int }", "INPUT"), ("type A { b(c: Int = 1, d: ^): Int }", "INPUT"),
    ("type A { b(c: Int): ^ }", "OUTPUT"),
    ("input A { b: ^ }", "INPUT"), ("input A { b: Int = 1 c: ^", "INPUT"), ("extend input Span { b: ^ }", "INPUT"),
    ("directive @a(b: ^) on FIELD", "INPUT"),
    ("type A { ^ }", ""), ("type A { b^ }", ""), ("type A { b ^: Int }", ""), ("type A { b(^): Int }", ""),
    ("input A { ^ }", ""), ("enum A { ^ }", ""),
    ("type A { b: Int ^ }", ""), ("extend type Bird { ^ }", ""),  // Root operations.
    ("schema { ^ }", "query mutation subscription"), ("schema {\n  query: Query\n  ^\n}", "mutation subscription"),
    ("schema { query: ^ }", "OBJECTS"),
    ("schema { query: Query mutation: M^ }", "Mutation"),
    ("schema @tag(name: \"a\") { ^ }", "query mutation subscription"), ("schema { que^ }", "query"),
    ("extend schema { mutation: ^ }", "OBJECTS"), ("schema ^", ""), ("schema { query: Query @^ }", ""),
    // An equals sign where no default value can be does not hide the next member.
    ("schema { query: Query = mutation: ^ }", "OBJECTS"), ("type A { b: Int = c: ^ }", "OUTPUT"),
    // Default values.
    ("type A { b(c: Scope = ^): Int }", "ANY_SCOPE null"), ("type A { b(c: Scope! = P^): Int }", "ANY_SCOPE"),
    ("type A { b(c: Boolean! = ^): Int }", "true false"),
    ("type A { b(c: Int = ^): Int }", "null"), ("type A { b(c: [Scope!] = ^): Int }", "[] ANY_SCOPE null"),
    ("type A { b(c: [Scope!]! = [^]): Int }", "ANY_SCOPE"),
    ("type A { b(c: Span = { ^ }): Int }", "least most"),
    ("type A { b(c: Filter = { span: { ^ } }): Int }", "least most"),
    ("type A { b(c: [Span] = [{ ^ }]): Int }", "least most"),
    ("input A { b: Scope = ^ }", "ANY_SCOPE null"), ("input A { b: Boolean = f^ }", "false"),
    ("input A { b: [Place_!] = [TREE, ^] }", "TREE ROCK"),
    ("input A { b: Span = ^ }", "{} null"), ("input A { b: Key = { ^ } }", "id name"),
    ("input A { b: Key = { id: 1 ^ } }", ""), ("extend input Span { b: Scope = ^ }", "ANY_SCOPE null"),
    ("directive @a(b: Scope = ^) on FIELD", "ANY_SCOPE null"), ("input A { b: Scope = $^ }", ""),
    ("type A { b: Scope = ^ }", ""),
    // Directives by location.
    ("schema @^ { query: Query }", "@tag"), ("extend schema @^", "@tag"), ("scalar A @^", "@tag @specifiedBy"),
    ("extend scalar Date @^", "@tag @specifiedBy"),
    ("type A @^ { b: Int }", "@cached @tag"), ("type A implements Node @^", "@cached @tag"),
    ("extend type Bird @^", "@cached @tag"), ("type A @cached(scope: PUBLIC) @t^", "@tag"),
    ("interface A @^", "@tag"), ("union U @^", "@tag"), ("union U @^ = Bird", "@tag"), ("enum A @^ { B }", "@tag"),
    ("input A @^ { b: Int }", "@tag @oneOf"),
    ("type A { b: Int @^ }", "@cached @tag @deprecated"), ("type A { b: Int @^\n c: Int }", "@cached @tag @deprecated"),
    ("interface A { b: [Int!]! @^ }", "@cached @tag @deprecated"),
    ("type A { b(c: Int @^): Int }", "@tag @deprecated"), ("type A { b(c: Int = 1 @^): Int }", "@tag @deprecated"),
    ("type A { b(c: Int): Int @^ }", "@cached @tag @deprecated"),
    ("directive @a(b: Int @^) on FIELD", "@tag @deprecated"), ("directive @a @^ on FIELD", "@deprecated"),
    ("enum A { B @^ }", "@tag @deprecated"), ("enum A { B @^ C }", "@tag @deprecated"),
    ("input A { b: Int @^ }", "@tag @deprecated"), ("input A { b: Int = 1 @dep^ }", "@deprecated"),
    ("extend enum Scope { B @^ }", "@tag @deprecated"),
    // Arguments of directives, and their values.
    ("type A { b: Int @deprecated(^) }", "reason"), ("type A @cached(^) { b: Int }", "seconds scope"),
    ("type A @cached(scope: ^) { b: Int }", "ANY_SCOPE"),
    ("type A { b: Int @cached(scope: P^) }", "ANY_SCOPE"), ("enum A { B @tag(^) }", "name"),
    ("scalar A @specifiedBy(^)", "url"), ("type A @cached(seconds: 1, ^) { b: Int }", "scope"),
    ("input A { b: Int @tag(na^) }", "name"), ("type A { b(c: Int @tag(^)): Int }", "name"),
    ("schema @tag(^) { query: Query }", "name"), ("type A { b: Int @deprecated(reason: \"^\") }", ""),
    ("type A { b: Int @cached(scope: PUBLIC) c: ^ }", "OUTPUT"),
    ("type A { b(c: Int @tag(name: \"x\"), d: ^): Int }", "INPUT"), ("enum A { B @tag(name: \"x\") ^ }", ""),
    // Locations of a directive.
    ("directive @a on ^", "LOCATIONS"), ("directive @a on FIELD | ^", "OTHER_LOCATIONS"),
    ("directive @a on | ENUM_V^", "ENUM_VALUE"), ("directive @a repeatable on Q^", "QUERY"),
    ("directive @a on FIELD ^", "|"),
    // Invalid text before and after the cursor.
    ("type A { b: Int\n\ntype B { c: ^ }", "OUTPUT"), ("type A { b(c: Scope = ^ ", "ANY_SCOPE null"),
    ("type A { b: ^ } } } {", "OUTPUT"), ("type A { b: \n c: ^ }", "OUTPUT"),
    ("input A { b: = \n c: Scope = ^ }", "ANY_SCOPE null"), ("type { b: ^ }", "OUTPUT"),
    ("type A implements ^ }", "Node Named Place"), ("schema { query: Query, mutation: ^", "OBJECTS"),
    ("type A { # b: ^\n c: Int }", ""),
  ])
  func `completion in schemas offers exactly the valid labels`(_ marked: String, _ expected: String) {
    check(marked, expected)
  }

  /// Without a schema, the definitions of the document are its schema.
  @Test(arguments: [
    ("^", "EXECUTABLE SDL"), ("enum E { A B } input I { e: [E!] = [^] }", "A B"),
    ("type A { b: ^ } input I { c: Int }", "A Int Float String Boolean ID"),
    ("interface N { id: ID } type A implements ^ { id: ID }", "N"), ("type A { a: Int } union U = ^", "A"),
    ("type Q { a: Int } schema { query: ^ }", "Q"),
    ("directive @d(e: E) on OBJECT enum E { X } type A @d(e: ^) { a: Int }", "X null"),
    ("extend type A { b: Int } type A { a: Int } extend type ^", "A"),
    ("{ a } type T { b: Int } ^", "query fragment SDL"),
  ])
  func `completion in type definitions uses the definitions of the document`(_ marked: String, _ expected: String) {
    check(marked, expected, schema: nil)
  }
}
