import ApusCodeGeneration
import ApusTestSupport
import Foundation
import Testing

/// The code generated for a small document per construct. `APUS_UPDATE_GOLDEN=1` updates the golden files, to be
/// reviewed in the diff.
struct GoldenTests {
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

  @Test func keyFieldsAreAddedToOperationsButNotToModels() throws {
    let text = try generate(
      """
      query People { people { name friends { id name } ... on User { email } } find(by: { id: 1 }) { ... on Bot { default } } }
      fragment Faces on Person { name friends { name } }
      query Other { people { ...Faces id: name } }
      """)
    try check("keys", models(text))
  }

  @Test func operationsWithVariablesAndAliasesAreGenerated() throws {
    try check(
      "variables",
      generate("query Names($first: Int = 5, $mood: Mood) { people(first: $first, mood: $mood) { who: name born } }"))
  }

  @Test func nullIsAllowedAsArgumentAndDefault() async throws {
    let text = try generate(
      "query Nulls($of: [Int], $to: Int) { count(of: $of, to: $to)  other: count(of: [1, null], to: null) }",
      adding: "extend type Query { count(of: [Int] = [null], to: Int = null): Int }")
    #expect(text.contains(#"["of": [1, .null], "to": .null]"#))
    #expect(text.contains(#"["of": .variable("of", default: [.null]), "to": .variable("to", default: .null)]"#))
    #expect(try await SwiftCompiler.errors(in: text) == [])
  }

  @Test func typeCasesAreGenerated() throws {
    try check(
      "type-cases",
      generate("query One { person(id: 1) { id ... on User { email friends { id } } ... on Bot { default } } }"))
  }

  @Test func fragmentsAndMergedFieldsAreGenerated() throws {
    try check(
      "fragments",
      generate(
        """
        query One { person(id: 1) { friends { id } ...Names ...Mail } }
        fragment Names on Person { name friends { name } }
        fragment Mail on User { email }
        """))
  }

  @Test func deferredFragmentsAreGenerated() throws {
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

  @Test func typeCasesOfFragmentsAreMerged() throws {
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

  @Test func aFragmentDeferredTwiceIsGenerated() throws {
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

  @Test func streamedListsAreGenerated() throws {
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

  @Test func subscriptions() throws {
    try check(
      "subscription",
      generate(
        "subscription Changes($of: ID!) { changed(id: $of) { id name } }",
        adding: "type Subscription { changed(id: ID!): Person! }"))
  }

  @Test func keyFieldsOfTheSchemaAreGenerated() throws {
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

  @Test("A declared key is not added to a selection that is merged with one where its name is another field's")
  func declaredKeysAndAliases() throws {
    let text = try generate(
      "query One { person(id: 1) { id: name } ...More } fragment More on Query { person(id: 1) { born } }"
    ) {
      $0.keyFields = ["Person": ["id"]]
      $0.minifiesDocuments = true
    }
    #expect(text.contains("person(id:1){__typename id:name}"))
    #expect(text.contains("person(id:1){__typename born}"))
  }

  @Test func sharedFragmentsAreGeneratedOnce() throws {
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

  @Test func descriptionsAndDeprecationsAreGenerated() throws {
    try check(
      "descriptions",
      models(generate("\"Who it is.\" query One { person(id: 1) { ... on User { email nick default: mood } } }")))
  }

  @Test func customScalarsAreGenerated() throws {
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

  @Test("Modules with scalar types are imported with the access level of the code")
  func importsOfScalars() throws {
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

  @Test func reservedNamesAreEscaped() throws {
    try check(
      "names",
      models(
        generate(
          "query self($in: ID!, $self: Mood) { self: person(id: $in) { fragments: id Type: name } in: people(mood: $self) { default: id } }"
        )))
  }

  @Test func conditionalFieldsAreOptional() throws {
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

  @Test func inputObjectsAndMutationsAreGenerated() throws {
    try check(
      "inputs",
      generate(
        """
        mutation Change($person: PersonInput!) { change(person: $person) { id mood } }
        query Find($by: PersonBy!) { find(by: $by) { __typename } }
        """))
  }

  @Test func localCacheMutationsAreGenerated() throws {
    try check(
      "local-cache-mutation",
      generate("query Local @apollo_client_ios_localCacheMutation { person(id: 1) { id name ... on User { email } } }"))
  }

  @Test func localCacheMutationsOfFragmentsAreGenerated() throws {
    try check(
      "local-cache-mutation-fragment",
      models(
        generate(
          """
          mutation Local($p: PersonInput!) @localCacheMutation { change(person: $p) { ...Local } }
          fragment Local on User @localCacheMutation { id mood }
          """)))
  }

  @Test func documentsAreMinified() throws {
    try check(
      "minified",
      generate("query One { people(first: 3) { id, born ...Names } } fragment Names on Person { name }") {
        $0.minifiesDocuments = true
        $0.scalars = ["Date": "Day"]
      })
  }

  @Test func mocks() throws {
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

  @Test func fieldPoliciesOfTheSchemaAreGenerated() throws {
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

  @Test func selections() throws {
    try check("selections", generate("") { $0.selections = .all })
  }

  @Test func selectionsOfSelectedTypesAreGenerated() throws {
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

  @Test func aDeferWithoutALabelIsAnErrorWithALocation() throws {
    #expect(
      try errors("query One {\n  person(id: 1) { ... on User @defer { email } }\n}") == [
        "people.graphql:2:31: error: @defer needs a label here, which names the deferred fragment's model"
      ])
  }

  @Test func anInvalidDocumentIsAnErrorWithALocation() throws {
    #expect(
      try errors("query One {\n  persona\n}") == [
        "people.graphql:2:3: error: Cannot query field \"persona\" on type \"Query\". Did you mean \"person\"? "
          + "[FieldsOnCorrectTypeRule]"
      ])
  }

  @Test func invalidOperationsCanBeSkipped() throws {
    let text = try generate("query Bad { persona } query Good { person(id: 1) { id } }") { $0.skipsInvalid = true }
    #expect(text.contains("struct GoodQuery"))
    #expect(!text.contains("struct BadQuery"))
  }

  @Test func anUnknownTypeIsAnError() throws {
    #expect(
      try errors("") { $0.selections = .some(["Cat"]) } == [
        "error: selections name 'Cat', which the schema does not have"
      ])
  }

  @Test func generationIsDeterministic() throws {
    let document = "query One { person(id: 1) { id ...Names } } fragment Names on Person { name }"
    #expect(try generate(document) == generate(document))
  }
}
