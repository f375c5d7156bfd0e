import CodeGeneration
import Testing

/// Names that a schema or a document may have and Swift, or generated code itself, has a use of its own for: what is
/// generated from them compiles.
struct NamesTests {
  private static let schema = """
    type Query {
      self: Self  Type: Type  init: Data  class(in: Int, self: String, default: Boolean, for: [ID!], init: In): Selection
      fragments: [Fragments!]!  hashValue: Int  hash: Int  description: String  any: Any  protocol(input: OneIn): Protocol
      bird: Bird  find: [Result!]!  enum(of: Words = default): Words!  selection: String  string: String  value: Value
      initializer: Int  data: Data  rawValue: Int  asBird: Bird  result: Result  error: Error  optional: Optional
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

  @Test func modelsOfNamesThatSwiftReserves() async throws {
    #expect(try await errors(Self.documents) { $0.mocks = true } == [])
  }

  @Test func selectionsOfNamesThatSwiftReserves() async throws {
    #expect(try await errors("") { $0.selections = .all } == [])
  }
}
