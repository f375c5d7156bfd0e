import ApusCodeGeneration
import ApusTestSupport
import Foundation
import Testing

/// The code generated for a small document per construct. `APUS_UPDATE_GOLDEN=1` updates the golden files, to be
/// reviewed in the diff.
@Suite(.timeLimit(.minutes(5))) struct GoldenTests {
  private static let schema = """
    type Query { person(id: ID!): Person  people("How many." first: Int = 10, mood: Mood): [Person!]!  find(by: PersonBy!): Result }
    type Mutation { change(person: PersonInput!): User! }
    interface Person { id: ID!  name: String!  friends: [Person]  born: Date }
    "Someone with an account."
    type User implements Person {
      id: ID!  name: String!  friends: [Person]  born: Date
      "Where to write to."
      email: String!
      nick: String @deprecated(reason: "Use name.")
      mood: Mood
    }
    type Bot implements Person { id: ID!  name: String!  friends: [Person]  born: Date  default: Int! }
    union Result = User | Bot
    enum Mood { HAPPY VERY_SAD @deprecated(reason: "Cheer up.") default }
    input PersonInput { id: ID!  name: String  mood: Mood = HAPPY  nested: [PersonInput!] }
    input PersonBy @oneOf { id: ID  name: String }
    scalar Date
    """

  /// Returns the generated code, with all files joined.
  private func generate(
    _ document: String, adding types: String = "", _ change: (inout GenerationSettings) -> Void = { _ in }
  ) throws -> String {
    var settings = GenerationSettings()
    settings.files = .one
    settings.access = .internal
    change(&settings)
    let documents = document.isEmpty ? [] : [(name: "people.graphql", text: document)]
    return try CodeGenerator(schema: Self.schema + "\n" + types, documents: documents, settings: settings).generate()
      .map(\.text).joined(separator: "\n")
  }

  private static let schemaStart = "/// The types of the schema that the models use."

  /// Returns the code without the types of the schema, which other tests cover.
  private func models(_ text: String) -> String {
    text.firstRange(of: Self.schemaStart).map { String(text[..<$0.lowerBound]) } ?? text
  }

  /// Returns only the code of the schema's types.
  private func types(_ text: String) -> String {
    text.firstRange(of: Self.schemaStart).map { String(text[$0.lowerBound...]) } ?? ""
  }

  private func check(_ name: String, _ text: String) throws {
    let file = "\(Checkout.root)/Tests/Unit/CodeGenerationTests/Golden/\(name).swift.txt"
    if ProcessInfo.processInfo.environment["APUS_UPDATE_GOLDEN"] != nil {
      try text.write(toFile: file, atomically: true, encoding: .utf8)
    }
    let golden = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text == golden, "\(name): the generated text is not Golden/\(name).swift.txt")
  }

  @Test func `key fields are added to operations but not to models`() throws {
    let text = try generate(
      """
      query People { people { name friends { id name } ... on User { email } } find(by: { id: 1 }) { ... on Bot { default } } }
      fragment Faces on Person { name friends { name } }
      query Other { people { ...Faces id: name } }
      """)
    try check("keys", models(text))
  }

  @Test func `operations with variables and aliases are generated`() throws {
    try check(
      "variables",
      generate("query Names($first: Int = 5, $mood: Mood) { people(first: $first, mood: $mood) { who: name born } }"))
  }

  @Test func `null is allowed as argument and default`() async throws {
    let text = try generate(
      "query Nulls($of: [Int], $to: Int) { count(of: $of, to: $to)  other: count(of: [1, null], to: null) }",
      adding: "extend type Query { count(of: [Int] = [null], to: Int = null): Int }")
    #expect(text.contains(#"["of": [1, .null], "to": .null]"#))
    #expect(text.contains(#"["of": .variable("of", default: [.null]), "to": .variable("to", default: .null)]"#))
    #expect(try await SwiftCompiler.errors(in: text) == [])
  }

  @Test func `type cases are generated`() throws {
    try check(
      "type-cases",
      generate("query One { person(id: 1) { id ... on User { email friends { id } } ... on Bot { default } } }"))
  }

  @Test func `fragments and merged fields are generated`() throws {
    try check(
      "fragments",
      generate(
        """
        query One { person(id: 1) { friends { id } ...Names ...Mail } }
        fragment Names on Person { name friends { name } }
        fragment Mail on User { email }
        """))
  }

  @Test func `deferred fragments are generated`() throws {
    try check(
      "defer",
      generate(
        """
        query One($later: Boolean!) {
          person(id: 1) {
            id
            ...Names @defer(if: $later, label: "names")
            ... on User @defer(label: "mail") { email }
          }
        }
        fragment Names on Person { name }
        """))
  }

  @Test(arguments: [
    ("@defer(label: \"names\")", "deferred(Names.self, label: \"names\")"),
    ("@defer(if: true, label: \"names\")", "deferred(Names.self, label: \"names\")"),
    ("@defer(if: $later, label: \"names\")", "deferred(if: .variable(\"later\"), Names.self, label: \"names\")"),
    ("@defer(if: false, label: \"names\")", "fragment(Names.self)"), ("", "fragment(Names.self)"),
  ])
  func `a fragment is deferred unless its condition is false`(directive: String, expected: String) throws {
    let text = try generate(
      """
      query One($later: Boolean! = true) { people { id @skip(if: $later) ...Names \(directive) } }
      fragment Names on Person { name }
      """)
    #expect(models(text).contains(expected), "\(text)")
  }

  @Test func `type cases of fragments are merged`() throws {
    try check(
      "merged-cases",
      models(
        generate(
          """
          query One { person(id: 1) { friends { id } ...Contact ...Mood } }
          query Two { person(id: 1) { ...Contact } }
          fragment Contact on Person { ... on User { email } ... on Bot { default } }
          fragment Mood on User { mood }
          """)))
  }

  @Test func `a fragment deferred twice is generated`() throws {
    try check(
      "defer-twice",
      models(
        generate(
          """
          query One($short: Boolean!) {
            person(id: 1) {
              ...Names @skip(if: $short) @defer(label: "names")
              ...Names @defer(if: $short, label: "short-names")
              ... @defer(label: "born") { born }
            }
          }
          fragment Names on Person { name }
          """)))
  }

  @Test func `streamed lists are generated`() throws {
    try check(
      "stream",
      models(
        generate(
          """
          query One($later: Boolean!) {
            people @stream(initialCount: 2, if: $later, label: "people") { id friends @stream { id } }
          }
          """)))
  }

  @Test func `models of subscriptions are generated`() throws {
    try check(
      "subscription",
      generate(
        "subscription Changes($of: ID!) { changed(id: $of) { id name } }",
        adding: "type Subscription { changed(id: ID!): Person! }"))
  }

  @Test func `key fields of the schema are generated`() throws {
    let seats = """
      extend type Query { seat(row: Int!): Seat  place: Place }
      type Seat implements Place @typePolicy(keyFields: "row number") { row: Int!  number: Int!  free: Boolean! }
      interface Place { row: Int! }
      """
    try check(
      "key-fields",
      generate("query One { seat(row: 1) { free } place { __typename } person(id: 1) { name } }", adding: seats) {
        $0.keyFields = ["User": ["email"], "Place": ["row"]]
      })
  }

  @Test
  func `a declared key is not added to a selection that is merged with one where its name is another field's`() throws {
    let text = try generate(
      "query One { person(id: 1) { id: name } ...More } fragment More on Query { person(id: 1) { born } }"
    ) {
      $0.keyFields = ["Person": ["id"]]
      $0.minifiesDocuments = true
    }
    #expect(text.contains("person(id:1){__typename id:name}"))
    #expect(text.contains("person(id:1){__typename born}"))
  }

  @Test(arguments: [
    (#"words(of: ["", "b", "c"])"#, #"words(of:["" "b" "c"])"#),
    (#"words(of: ["a", """b"""])"#, #"words(of:["a" """b"""])"#),
    (#"words(of: ["a"], to: [-1, -2, 3])"#, #"words(of:["a"]to:[-1 -2 3])"#),
  ])
  func `a minified document has the values of the written one`(field: String, short: String) throws {
    let text = try generate(
      "query One { \(field) }", adding: "extend type Query { words(of: [String], to: [Int]): Int }"
    ) { $0.minifiesDocuments = true }
    #expect(text.contains("query One{\(short)}"), "\(text)")
  }

  @Test func `shared fragments are generated once`() throws {
    try check(
      "shared-fragments",
      models(
        generate(
          """
          query One { people(first: 1) { ...Names } }
          mutation Two($p: PersonInput!) { change(person: $p) { ...Names friends { ...Names } } }
          fragment Names on Person { name }
          """)))
  }

  @Test func `descriptions and deprecations are generated`() throws {
    try check(
      "descriptions",
      models(generate("\"Who it is.\" query One { person(id: 1) { ... on User { email nick default: mood } } }")))
  }

  @Test func `custom scalars are generated`() throws {
    try check(
      "scalars",
      types(
        generate(
          "query One { person(id: 1) { born } when }",
          adding: """
            extend type Query { when: Time }
            "How long."
            scalar Time
            """
        ) { $0.scalars = ["Date": "Day"] }))
  }

  @Test
  func `modules with scalar types are imported with the access level of the code`() throws {
    func imports(_ access: GenerationSettings.Access) throws -> [String] {
      let text = try generate("query One { person(id: 1) { born } } query Two { person(id: 1) { id } }") {
        $0.scalars = ["Date": "Calendars.Day"]
        $0.imports = ["Calendars"]
        $0.access = access
      }
      return text.split(separator: "\n").map(String.init).filter { $0.hasSuffix("import Calendars") }
    }
    let imported = try imports(.public)
    #expect(imported.contains("public import Calendars"), "\(imported)")
    #expect(try imports(.internal).allSatisfy { $0 == "import Calendars" })
  }

  @Test func `reserved names are escaped`() throws {
    try check(
      "names",
      models(
        generate(
          "query self($in: ID!, $self: Mood) { self: person(id: $in) { fragments: id Type: name } in: people(mood: $self) { default: id } }"
        )))
  }

  @Test func `conditional fields are optional`() throws {
    try check(
      "conditions",
      generate(
        """
        query One($a: Boolean!, $b: Boolean!) {
          person(id: 1) {
            name @include(if: $a) @skip(if: $b)
            friends @include(if: $a) { id }
            friends { name }
            ... on User @skip(if: $a) { email }
          }
        }
        """))
  }

  @Test func `input objects and mutations are generated`() throws {
    try check(
      "inputs",
      generate(
        """
        mutation Change($person: PersonInput!) { change(person: $person) { id mood } }
        query Find($by: PersonBy!) { find(by: $by) { __typename } }
        """))
  }

  @Test func `local cache mutations are generated`() throws {
    try check(
      "local-cache-mutation",
      generate("query Local @apollo_client_ios_localCacheMutation { person(id: 1) { id name ... on User { email } } }"))
  }

  @Test func `local cache mutations of fragments are generated`() throws {
    try check(
      "local-cache-mutation-fragment",
      models(
        generate(
          """
          mutation Local($p: PersonInput!) @localCacheMutation { change(person: $p) { ...Local } }
          fragment Local on User @localCacheMutation { id mood }
          """)))
  }

  @Test func `documents are minified`() throws {
    try check(
      "minified",
      generate("query One { people(first: 3) { id, born ...Names } } fragment Names on Person { name }") {
        $0.minifiesDocuments = true
        $0.scalars = ["Date": "Day"]
      })
  }

  @Test func `mocks of models are generated`() throws {
    let document = """
      query One {
        person(id: 1) { id name born ...Mail ... on User @defer(label: "mood") { mood } ... on Bot { default } }
      }
      fragment Mail on User { email friends { name } }
      """
    let text = try generate(document) { $0.mocks = true }
    // The models are covered by other tests.
    try check(
      "mocks",
      String(text[(text.firstRange(of: "extension Mail {") ?? text.startIndex..<text.startIndex).lowerBound...]))
  }

  @Test func `field policies of the schema are generated`() throws {
    let types = """
      type Shelf @fieldPolicy(forField: "book", keyArgs: "isbn") { book(isbn: ID!, token: String): Person }
      extend type Query @fieldPolicy(forField: "shelf", secretArgs: "token") { shelf(token: String): Shelf }
      extend type Shelf @fieldPolicy(forField: "list", merge: "offset", mergeArgs: "skip take") {
        list(skip: Int, take: Int): [Person]
      }
      extend type Shelf @fieldPolicy(forField: "news", merge: "append", mergeArgs: "page") { news(page: Int): [Person] }
      extend type Shelf @fieldPolicy(forField: "pages", merge: "connection") { pages(first: Int): Shelf }
      """
    let text = try generate("query One { shelf { book(isbn: 1) { name } } }", adding: types)
    #expect(
      text.contains(
        """
            internal static let fieldPolicies: [DeclaredFieldPolicy] = [
              .init("Query", "shelf", secretArguments: ["token"]),
              .init("Shelf", "book", keyArguments: ["isbn"]),
              .init("Shelf", "list", merge: .offset(argument: "skip", limit: "take")),
              .init("Shelf", "news", merge: .append(arguments: ["page"])),
              .init("Shelf", "pages", merge: .connection),
            ]
        """))
    #expect(try !generate("query One { person(id: 1) { name } }").contains("fieldPolicies"))
  }

  @Test func `generated code states the root types of the schema`() throws {
    #expect(
      try generate("query One { person(id: 1) { name } }").contains(
        """
            internal static let rootTypes: RootTypes? = RootTypes(query: "Query", mutation: "Mutation")
        """))
    let schema = """
      schema { query: Root mutation: Change subscription: Event }
      type Root { root: Root count: Int }
      type Change { change: Root }
      type Event { event: Root }
      type Query { count: Int }
      """
    var settings = GenerationSettings()
    settings.files = .one
    settings.selections = .all
    let text = try CodeGenerator(
      schema: schema, documents: [(name: "a.graphql", text: "mutation A { change { count } }")], settings: settings
    ).generate().map(\.text).joined()
    #expect(
      text.contains(
        #"static let rootTypes: RootTypes? = RootTypes(query: "Root", mutation: "Change", subscription: "Event")"#))
    let stated = text.split(separator: "\n").filter { $0.contains("queryTypeName") }
    #expect(stated.count == 2 && stated.allSatisfy { $0.contains(#"{ "Root" }"#) })
  }

  @Test func `selections of all types are generated`() throws {
    try check("selections", generate("") { $0.selections = .all })
  }

  @Test func `selections of selected types are generated`() throws {
    let text = try generate("") { $0.selections = .some(["Query.person", "User"]) }
    #expect(text.contains("func person<Value>"))
    #expect(!text.contains("func people<Value>"))
    #expect(text.contains("enum User: ObjectScope"))
    #expect(!text.contains("enum Bot: ObjectScope"))
  }

  // MARK: Errors

  private func errors(_ document: String, _ change: (inout GenerationSettings) -> Void = { _ in }) throws -> [String] {
    do {
      _ = try generate(document, change)
      return []
    } catch let error as GenerationError {
      return error.diagnostics.map(\.description)
    }
  }

  @Test func `a defer without a label is an error with a location`() throws {
    #expect(
      try errors("query One {\n  person(id: 1) { ... on User @defer { email } }\n}") == [
        "people.graphql:2:31: error: @defer needs a label here, which names the deferred fragment's model"
      ])
  }

  @Test func `an invalid document is an error with a location`() throws {
    #expect(
      try errors("query One {\n  persona\n}") == [
        "people.graphql:2:3: error: Cannot query field \"persona\" on type \"Query\". Did you mean \"person\"? "
          + "[FieldsOnCorrectTypeRule]"
      ])
  }

  @Test func `invalid operations can be skipped`() throws {
    let text = try generate("query Bad { persona } query Good { person(id: 1) { id } }") { $0.skipsInvalid = true }
    #expect(text.contains("struct GoodQuery"))
    #expect(!text.contains("struct BadQuery"))
  }

  @Test func `an unknown type is an error`() throws {
    #expect(
      try errors("") { $0.selections = .some(["Cat"]) } == [
        "error: selections name 'Cat', which the schema does not have"
      ])
  }

  @Test func `generation is deterministic`() throws {
    let document = "query One { person(id: 1) { id ...Names } } fragment Names on Person { name }"
    #expect(try generate(document) == generate(document))
  }
}
