import ApusGraphQLLanguage
import ApusGraphQLSchema
import ApusJSON
import ApusTestSupport
import Testing

@Suite struct IntrospectionTests {
  /// Converts SDL to an introspection result and back.
  private func thereAndBack(_ sdl: String) throws -> String {
    let schema = Schema.load(sdl: sdl)
    let answer = try JSONDocument(parsing: JSONWriter.compact(schema.introspectionJSON())).root
    return try Schema.load(introspection: answer).printSDL()
  }

  @Test func `a schema survives introspection and back`() throws {
    let sdl = """
      "All \\u0007 about birds."
      schema {
        query: Root
      }

      \"\"\"
      What it costs.
        Indented.
      \"\"\"
      directive @cost(
        \"\"\"How much.\"\"\"
        weight: Int! = 1
        unit: String @deprecated
      ) repeatable on FIELD | FIELD_DEFINITION

      directive @price @deprecated(reason: "use cost") on FIELD

      type Root implements Node & Other {
        id(a: [Int!]! = [1, 2], w: Where = { colour: RED, name: "x\\n" }): ID!
        old: String @deprecated(reason: "because \\"so\\"")
        older: String @deprecated
      }

      interface Node implements Other {
        id: ID!
      }

      interface Other

      union Either = Root | Stone

      type Stone {
        weight: Float
      }

      enum Colour {
        \"\"\"Like blood.\"\"\"
        RED
        GREEN @deprecated(reason: "no")
      }

      input Where @oneOf {
        name: String = "a" @deprecated(reason: "gone")
        colour: Colour
      }

      scalar Date @specifiedBy(url: "https://example.com")

      """
    #expect(Schema.load(sdl: sdl).printSDL() == sdl)
    #expect(try thereAndBack(sdl) == sdl)
    #expect(Formatter.format(Document(parsing: sdl)) == sdl)
  }

  @Test(arguments: [
    "Short.", String(repeating: "é", count: 70), String(repeating: "x", count: 71), "It is \"so\"", "Ends in \\",
    "Has \"\"\" inside", "Two\nlines.", "Indented:\n  - one", "A tab\there, and a blank ", "", " starts blank",
    "a\u{7}b",
  ])
  func `descriptions are printed as the formatter leaves them`(description: String) throws {
    let literal = StringEncoder.quoted(description)
    let schema = Schema.load(sdl: "\(literal) type Query { \(literal) a(\(literal) b: Int): Int }")
    let printed = schema.printSDL()
    #expect(Formatter.format(Document(parsing: printed)) == printed)
    #expect(Schema.load(sdl: printed).queryType?.fields[0].arguments[0].description == description)
  }

  @Test func `introspection results of old servers load`() throws {
    let answer = try JSONDocument(
      parsing: """
        {"data": {"__schema": {"queryType": {"name": "Query"}, "types": [
          {"kind": "OBJECT", "name": "Query", "fields": [{"name": "a", "args": [], "type": {"kind": "SCALAR", "name": "Int"}}]},
          {"kind": "SCALAR", "name": "Int"}, {"kind": "OBJECT", "name": "__Type", "fields": []}],
          "directives": [{"name": "live", "args": [], "onOperation": true, "onFragment": false, "onField": false}]}}}
        """
    ).root
    let schema = try Schema.load(introspection: answer)
    #expect(schema.queryType?.field(named: "a")?.type.description == "Int")
    #expect(schema.directive(named: "live")?.locations == [.query, .mutation, .subscription])
  }

  @Test(arguments: [
    ("{}", "The introspection result has no \"__schema\"."),
    (
      #"{"data":null,"errors":[{"message":"no introspection here"}]}"#,
      "The introspection result has no \"__schema\", and the error \"no introspection here\"."
    ),
    (
      #"{"__schema": {"queryType": {"name": "Q"}}}"#,
      "The introspection result is malformed: __schema.types is not a list."
    ),
    (
      #"{"__schema": {"types": [{"kind": "OBJECT", "name": "Q", "fields": [{"name": "a"}]}]}}"#,
      "The introspection result is malformed: __schema.types[0].fields.type is not a type reference."
    ),
    (
      #"{"__schema": {"types": [{"kind": "OBJECT", "name": "Q {} type X"}]}}"#,
      "The introspection result is malformed: __schema.types[0].name is the bad name \"Q {} type X\"."
    ),
  ])
  func `an invalid introspection result is an error`(text: String, message: String) throws {
    let answer = try JSONDocument(parsing: text).root
    let error = #expect(throws: IntrospectionError.self) { try Schema.load(introspection: answer) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    (#""1) : Int evil(y: Int = 2""#, #""1) : Int evil(y: Int = 2""#),
    (#""{\"a\": [1, \"b\", null, true]}""#, #"{a: [1, "b", null, true]}"#),
    (#""{\"a b\": 1}""#, #""{\"a b\": 1}""#), (#""'x'""#, #""'x'""#), (#""""#, #""""#), ("5", "5"), ("-1.5", "-1.5"),
    ("false", "false"), (#"{"a": {"b": 1}}"#, "{a: {b: 1}}"), (#"["x\n"]"#, #"["x\n"]"#),
    (#""\"unclosed""#, #""\"unclosed""#),
    (#"{"a b": 1}"#, #""{\"a b\":1}""#),
  ])
  func `a default value that is not a literal counts as one`(value: String, expected: String) throws {
    let answer = try JSONDocument(parsing: Self.introspection(defaultValue: value)).root
    let schema = try Schema.load(introspection: answer)
    let field = try #require(schema.queryType?.fields.first)
    #expect(schema.queryType?.fields.map(\.name) == ["a"])
    #expect(field.arguments.map(\.isRequired) == [false])
    #expect(field.arguments.map(\.defaultValueText) == [expected])
  }

  @Test(arguments: ["null", nil]) func `without a default value an argument is required`(value: String?) throws {
    let answer = try JSONDocument(parsing: Self.introspection(defaultValue: value)).root
    #expect(try Schema.load(introspection: answer).queryType?.fields.first?.arguments.map(\.isRequired) == [true])
  }

  private static func introspection(defaultValue: String?) -> String {
    #"""
    {"__schema": {"queryType": {"name": "Q"}, "types": [{"kind": "OBJECT", "name": "Q", "fields": [
      {"name": "a", "type": {"kind": "SCALAR", "name": "Int"}, "args": [
        {"name": "x", "type": {"kind": "NON_NULL", "ofType": {"kind": "SCALAR", "name": "Int"}}
    """# + (defaultValue.map { ", \"defaultValue\": \($0)" } ?? "") + "}]}]}]}}"
  }

  @Test(arguments: [
    ("", ["Node", "Named"]), (#", "interfaces": null"#, ["Node", "Named"]),
    (#", "interfaces": []"#, ["Node", "Named"]),
    (#", "interfaces": [{"name": "Named"}]"#, ["Named", "Node"]),
    (#", "interfaces": [{"name": "Named"}, {"name": "Node"}]"#, ["Named", "Node"]),
  ])
  func `possible types of an interface implement it`(interfaces: String, expected: [String]) throws {
    let text = #"""
      {"__schema": {"queryType": {"name": "Q"}, "types": [
        {"kind": "OBJECT", "name": "Q"\#(interfaces), "fields": [{"name": "a", "type": {"kind": "SCALAR", "name": "Int"}}]},
        {"kind": "INTERFACE", "name": "Node", "possibleTypes": [{"name": "Q"}], "fields": []},
        {"kind": "INTERFACE", "name": "Named", "possibleTypes": [{"name": "Q"}, {"name": "Gone"}], "fields": []}]}}
      """#
    let schema = try Schema.load(introspection: JSONDocument(parsing: text).root)
    #expect(schema.queryType?.interfaces.map(\.name) == expected)
    #expect(schema.type(named: "Node")?.possibleTypes.map(\.name) == ["Q"])
  }

  @Test(arguments: [IntrospectionOptions.newest, .october2021, .oldest])
  func `the introspection query parses`(options: IntrospectionOptions) {
    let document = Document(parsing: Schema.introspectionQuery(options: options))
    #expect(document.diagnostics == [])
    #expect(document.operations.first?.name?.value == "IntrospectionQuery")
    #expect(document.text.contains("specifiedByURL") == options.specifiedBy)
    #expect(document.text.contains("isOneOf") == options.oneOf)
    #expect(document.text.contains("isRepeatable") == options.repeatable)
  }
}

@Suite(.enabled(if: Corpus.folder != nil, Comment(rawValue: Corpus.absence)))
struct SchemaCorpusTests {
  @Test(arguments: Corpus.files("schema.graphql"))
  func `corpus schemas survive printing and introspection`(file: String) throws {
    let schema = try Schema.load(sdl: [Document(parsing: Corpus.bytes(file), name: file)])
    #expect(schema.queryType != nil)
    let printed = schema.printSDL()
    #expect(Schema.load(sdl: printed).printSDL() == printed)
    #expect(try Schema.load(introspection: schema.introspectionJSON()).printSDL() == printed)
  }

  @Test(arguments: Corpus.files("introspection.json"))
  func `corpus introspection results load`(file: String) throws {
    let schema = try Schema.load(introspection: JSONDocument(parsing: Corpus.bytes(file)[...]).root)
    #expect(schema.queryType?.name == "QueryRoot")
    let printed = schema.printSDL()
    #expect(Schema.load(sdl: printed).printSDL() == printed)
  }
}
