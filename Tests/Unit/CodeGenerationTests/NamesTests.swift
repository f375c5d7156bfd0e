import ApusCodeGeneration
import Testing

/// Names in schemas and documents that Swift or generated code reserves. The generated code must compile.
@Suite(.timeLimit(.minutes(5))) struct NamesTests {
  private static let schema = """
    type Query {
      self: Self  Type: Type  init: Data  class(in: Int, self: String, default: Boolean, for: [ID!], init: In): Selection
      fragments: [Fragments!]!  hashValue: Int  hash: Int  description: String  any: Any  protocol(input: OneIn): Protocol
      bird: Bird  find: [Result!]!  enum(of: Words = default): Words!  selection: String  string: String  value: Value
      initializer: Int  data: Data  rawValue: Int  asBird: Bird  result: Result  error: Error  optional: Optional
      rootTypes: RootTypes  metadata: Metadata
    }
    type Mutation { mutation: Int  query(input: In!): Query }
    type Subscription { subscription: Int }
    type Self { self: Self  id: ID! }
    type Type { Type: Type  type: String }
    type Data { data: Data  Data: String }
    type Selection { selection: Selection  Selection: Int }
    type Fragments { fragments: Fragments  id: ID! }
    type Any { any: Any  is: Int  as: Int }
    type Protocol { protocol: Protocol  Protocol: Int }
    type Value { value: Value  Value: Int }
    type Error { error: Error  throw: Int }
    type Optional { none: Int  some: Int }
    type Bird { bird: Bird  id: ID!  asBird: String  default: Int }
    type Int2 { int: Int }
    type Metadata { rootTypes: RootTypes }
    enum RootTypes { query mutation }
    union Result = Bird | Self | Data
    enum Words { self init Type default none some rawValue allCases case in _ true_ NULL description hashValue }
    input In { init: Int  self: In  in: [In!]  default: String = "x"  description: String  hashValue: Int  words: Words }
    input OneIn @oneOf { self: Int  init: String  default: In }
    """

  private static let documents = """
    query self($self: Int, $compiled: Int, $variables: String, $makeData: Boolean, $default: [ID!], $in: In) {
      self { self { self { id } } }  Type { type Type { type } }  init { data { Data } }
      class(in: $self, self: $variables, default: $makeData, for: $default, init: $in) { selection { Selection } }
      compiled: class(in: $compiled) { Selection }
      fragments { fragments { id } id }  hashValue hash description any { any { is as } }  protocol { Protocol }
      enum  selection  string  value { value { Value } }  initializer  data { Data }  rawValue
      error { error { throw } }  optional { none some }
      rootTypes  metadata { rootTypes }
    }
    query Self { bird { bird { bird { id } id } id } asBird { id } }
    query find { find { ... on Bird { id asBird default } ... on Self { id ...Data } ...Selection @defer(label: "default") } }
    query Data { result { __typename ...Result } other: result { ...String } }
    mutation mutation($input: In!) { mutation query(input: $input) { rawValue } }
    subscription subscription { subscription }
    fragment Data on Self { id self { id ...Self } }
    fragment Self on Self { self { id } }
    fragment Selection on Bird { default bird { id } }
    fragment Result on Result { ... on Data { Data data { Data } } }
    fragment String on Result { ... on Bird { bird { id } } ...Result }
    query Local @localCacheMutation { bird { id default bird { id } } }
    """

  private func errors(_ documents: String, _ change: (inout GenerationSettings) -> Void) async throws -> [String] {
    var settings = GenerationSettings()
    change(&settings)
    let files = try CodeGenerator(
      schema: Self.schema, documents: documents.isEmpty ? [] : [(name: "names.graphql", text: documents)],
      settings: settings
    ).generate()
    #expect(!files.isEmpty)
    return try await SwiftCompiler.errors(in: files.map { (name: $0.path, text: $0.text) })
  }

  @Test func `models with reserved names compile`() async throws {
    #expect(try await errors(Self.documents) { $0.mocks = true } == [])
  }

  @Test func `selections with reserved names compile`() async throws {
    #expect(try await errors("") { $0.selections = .all } == [])
  }

  // MARK: All names in all positions

  /// Names with a meaning in Swift, its library, the package or generated code.
  private static let hostile = """
    self Self Type Protocol String Int Double Bool Float Optional Array Dictionary Set Any Never Void Sendable Error
    Result Data Fragments Selection SelectionSet DataDict ParentType Deferred GraphQLEnum GraphQLNullable JSONValue
    InputDict OperationDocument CompiledOperation GraphQLQuery LocalCacheMutation Swift Apus API ID Objects Interfaces
    Unions Enums Operations Schema Task InputObject InputData Argument OptionalArgument Fields Scope Value Enum EnumType
    init in default where some any description hashValue hash rawValue allCases none data dataDict typename otherwise
    nil async await inout func let var get set lazy open public x
    """.split(whereSeparator: \.isWhitespace).map(String.init)

  private static let hostileSchema: String = {
    func joined(_ line: (Int, String) -> String) -> String {
      hostile.enumerated().map { line($0.offset, $0.element) }.joined(separator: " ")
    }
    return """
      type Query { leaf: Leaf!  bird: Bird  object: Object!  things: Things  arguments: Arguments!  put(it: In): E }
      type Mutation { go(it: In!): Int }
      type Subscription { tick: Int }
      type Bird { id: ID!  name: String!  note: String  names: [String!]!  at: Date }
      type Leaf { \(joined { "\($1): String" }) }
      type Object { \(joined { "\($1)(a: Int): [Bird!]!" }) }
      type Arguments { \(joined { "a\($0)(\($1): Int, other: String): Int" }) }
      type Otherwise { note: String }
      union Things = Bird | Object | Otherwise
      scalar Date
      enum E { \(joined { $1 }) }
      input In { \(joined { "\($1): String" }) }
      """
  }()

  private static let hostileDocuments: [String] = {
    func joined(_ separator: String = " ", _ line: (Int, String) -> String) -> String {
      hostile.enumerated().map { line($0.offset, $0.element) }.joined(separator: separator)
    }
    let bird = "id name note names at"
    return [
      "query Leaves { leaf { \(joined { $1 }) } }",
      "query Objects { object { \(joined { "\($1)(a: 1) { \(bird) }" }) } }",
      "query Cases { things { ... on Object { \(joined { "\($1)(a: 1) { \(bird) }" }) } ... on Bird { \(bird) } } }",
      "query Variables(\(joined(", ") { "$\($1): Int" })) { arguments { \(joined { "a\($0)(\($1): $\($1))" }) } }",
      "query Parts { bird { id \(joined { #"... @defer(label: "\#($1)") { \#(bird) }"# }) } }",
      "query Underscored { bird { ... @defer(label: \"x\") { name } ... @defer(label: \"_x\") { note } } }",
      joined("\n") { "query \($1) { bird { ...Of_\($1) names at } }  fragment Of_\($1) on Bird { \(bird) }" },
      joined("\n") { "query Q\($0) { bird { ...\($1) names at } }  fragment \($1) on Bird { \(bird) }" },
      "query Inputs($it: In) { put(it: $it) }",
    ]
  }()

  private func hostileErrors(_ document: String) async throws -> [String] {
    var settings = GenerationSettings()
    settings.mocks = true
    if document.isEmpty { settings.selections = .all }
    let files = try CodeGenerator(
      schema: Self.hostileSchema, documents: document.isEmpty ? [] : [(name: "hostile.graphql", text: document)],
      settings: settings
    ).generate()
    return try await SwiftCompiler.errors(in: files.map { (name: $0.path, text: $0.text) })
  }

  @Test(arguments: hostileDocuments) func `model members with reserved names compile`(document: String) async throws {
    let errors = try await hostileErrors(document)
    #expect(errors == [])
  }

  @Test func `selection members with reserved names compile`() async throws {
    let errors = try await hostileErrors("")
    #expect(errors == [])
  }

  @Test(arguments: [
    "query Plain { bird { name } }", "mutation Plain { go(it: {}) }", "subscription Plain { tick }",
    "query Plain @localCacheMutation { bird { name } }",
  ]) func `an operation without variables can be created in another module`(document: String) async throws {
    for access in [GenerationSettings.Access.public, .package, .internal] {
      var settings = GenerationSettings()
      settings.access = access
      let files = try CodeGenerator(
        schema: Self.hostileSchema, documents: [(name: "plain.graphql", text: document)], settings: settings
      ).generate()
      let text = files.map(\.text).joined()
      #expect(text.contains("\(access.rawValue) init() {}") == (access != .internal))
    }
  }

  @Test(arguments: [GenerationSettings.Access.public, .package, .internal], [true, false])
  func `files of every kind compile without warnings`(access: GenerationSettings.Access, areImportsInternal: Bool)
    async throws
  {
    let schema = """
      type Query { color(in: In, color: Color): Color size: Int node: Node found: [Found] }
      enum Color { RED GREEN }
      input In { color: Color = RED size: Int }
      interface Node { id: ID! }
      type Bird implements Node { id: ID! }
      type Stone { weight: Float }
      union Found = Bird | Stone
      """
    let text = """
      query Colors($in: In, $color: Color) { color(in: $in, color: $color) }
      query Sizes { size found { ... on Stone { weight } ...Parts @defer(label: "parts") } }
      fragment Parts on Bird { id }
      """
    var settings = GenerationSettings()
    settings.access = access
    settings.mocks = true
    settings.selections = .all
    let files = try CodeGenerator(schema: schema, documents: [(name: "a.graphql", text: text)], settings: settings)
      .generate()
    #expect(files.contains { $0.path.hasSuffix("Enums.swift") })
    let errors = try await SwiftCompiler.errors(
      in: files.map { (name: $0.path, text: $0.text) }, areImportsInternal: areImportsInternal)
    #expect(errors == [])
  }
}
